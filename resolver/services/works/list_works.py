"""Compare the rows of a list with the works of their DOIs, while the list is checked."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.conf import settings

from doi_reading import Reading, fold, read_all
from resolver.domain.handle.answers import Failure, WhichRaAnswer
from resolver.domain.report.compared_work import add_comparison, find_name_to_compare
from resolver.domain.work.comparison import compare_works
from resolver.domain.work.evidence import ComparedWork
from resolver.domain.work.metadata import MetadataAnswer, WorkMetadata
from resolver.domain.work.row_work import RowWork
from resolver.models import Job, Row
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.configured_services import MetadataService, services_from_settings
from resolver.services.proxy_answers.dated_answer import Found
from resolver.services.proxy_answers.reading_judge import CheckedText, ReadingJudge
from resolver.services.works.records import find_records_in_turn
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.work_columns import find_row_work
from resolver.sheets.workbook.typed_cell import decode_row, decode_row_texts, get_link

log = logging.getLogger(__name__)

LEAST_SECONDS = 10.0  # for the agencies in each batch, so that a list goes on


@dataclass
class ListWorks:
    """What the agencies say about the works of a list's DOIs, as far as it was asked."""

    proxy: DoiProxy
    layout: Layout
    services: Mapping[str, MetadataService] = field(default_factory=services_from_settings)
    known: Found[MetadataAnswer | Failure] = field(default_factory=dict)

    @classmethod
    def of(cls, job: Job, proxy: DoiProxy) -> "ListWorks | None":
        """Return those of the job; None if it compares no works, or the portal may not ask for them any more."""
        layout = Layout.from_json(job.layout)
        return cls(proxy, layout) if layout.compare and settings.METADATA else None

    def learn(
        self, batch: Sequence[tuple[Row, Reading]], judge: ReadingJudge, *, quick: bool, until: float
    ) -> list[tuple[Row, Reading]]:
        """Ask the agencies until then (monotonic seconds), or a little longer. Return the rows whose comparison can be
        made; the others wait for another turn."""
        needed = [self._find_name(row, reading, judge, quick=quick) for row, reading in batch]
        names = list({fold(name): name for name in needed if name}.values())
        self.known = {}
        if names:
            until = max(until, time.monotonic() + LEAST_SECONDS)
            now = judge.answers.now
            self.known = find_records_in_turn(names, proxy=self.proxy, services=self.services, now=now, until=until)
        return [pair for pair, name in zip(batch, needed, strict=True) if not name or fold(name) in self.known]

    def compare(self, row: Row, checked: CheckedText, judge: ReadingJudge) -> CheckedText:
        """Return the checked text of a row with its comparison. A DOI that isn't registered has none."""
        name = find_name_to_compare(checked.reading, checked.report)
        if not name or has_several_dois(self.layout, row, checked.reading):
            return checked
        said, work = self.known.get(fold(name)), self._read_work(row)
        if said is None:  # the row has nothing to compare, so nobody was asked
            compared = ComparedWork(compare_works(work, None))
        elif isinstance(said.answer, Failure):
            compared = ComparedWork(None)
        else:
            record = said.answer if isinstance(said.answer, WorkMetadata) else None
            agency = judge.answers.agency(name)
            ra = agency.ra if isinstance(agency, WhichRaAnswer) else checked.report.ra
            listed_on = said.answered_at.date().isoformat() if said.answered_at else ""
            events = tuple(replace(event, listed_on=listed_on) for event in record.events) if record else ()
            compared = ComparedWork(compare_works(work, record), ra or "", said.answered_at, events)
        return replace(checked, report=add_comparison(checked.report, compared))

    def _find_name(self, row: Row, reading: Reading, judge: ReadingJudge, *, quick: bool) -> str:
        """Return the name to ask for; "" for none. An error concerns one row, whose comparison fails and is logged."""
        try:
            work = self._read_work(row)
            if not (work.title or work.text) or has_several_dois(self.layout, row, reading):
                return ""
            return find_name_to_compare(reading, judge.report(reading, quick=quick))
        except Exception:
            log.exception("The work of line %d of job %s could not be read", row.line, row.job_id)
            return ""

    def _read_work(self, row: Row) -> RowWork:
        return find_row_work(self.layout, decode_row_texts(row.cells))


def has_several_dois(layout: Layout, row: Row, reading: Reading) -> bool:
    """Return whether the title of the row may be that of another DOI in its cell."""
    if not layout.split:
        return any(problem.code == "several-dois" for problem in reading.problems)
    cell = layout.get_cell(decode_row(row.cells))
    return len(read_all(str(cell), get_link(cell), longest=settings.MAX_CELL)) > 1
