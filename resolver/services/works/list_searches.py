"""Search for the works of a list's rows that have no right DOI, while the list is checked."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.conf import settings

from doi_reading import Reading, fold, read
from resolver.domain.handle.answers import Failure
from resolver.domain.report.compared_work import find_name_to_compare
from resolver.domain.report.searched_work import add_search, needs_search
from resolver.domain.work.comparison import compare_works
from resolver.domain.work.evidence import WorkVerdict
from resolver.domain.work.found_works import IDENTIFIER, FoundWork, SearchedWork, add_identified
from resolver.domain.work.metadata import MetadataAnswer, WorkMetadata
from resolver.domain.work.row_identifiers import find_row_identifiers
from resolver.domain.work.row_work import RowWork
from resolver.models import Job, Row
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.configured_services import services_from_settings
from resolver.services.proxy_answers.dated_answer import Found
from resolver.services.proxy_answers.name_requests import NameRequests
from resolver.services.proxy_answers.reading_judge import CheckedText, ReadingJudge
from resolver.services.works.list_works import LEAST_SECONDS, ListWorks, has_several_dois
from resolver.services.works.records import find_records_in_turn
from resolver.services.works.search import WantedSearch, search_works
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.work_columns import find_row_work
from resolver.sheets.workbook.typed_cell import decode_row_texts

log = logging.getLogger(__name__)


class _WantedWork(NamedTuple):
    """The search for a row, and the works that its other cells name by an identifier."""

    search: WantedSearch
    identified: tuple[FoundWork, ...]


@dataclass
class ListSearches:
    """What the search services found for the rows of a list, by line, as far as it was asked. `caller`: for whom the
    searches count."""

    proxy: DoiProxy
    layout: Layout
    caller: str
    found: dict[int, SearchedWork] = field(default_factory=dict)

    @classmethod
    def of(cls, job: Job, proxy: DoiProxy) -> "ListSearches | None":
        """Return those of the job; None if it searches for no works, or the portal may not do so any more. A quick
        check never searches, nor does another run of the file: a person ticked this once."""
        layout = Layout.from_json(job.layout)
        wanted = layout.search and settings.SEARCH and not job.quick and job.rerun_of_id is None
        return cls(proxy, layout, job.sharer or job.owner) if wanted else None

    def learn(
        self, batch: Sequence[tuple[Row, Reading]], requests: NameRequests, works: ListWorks | None, *, until: float
    ) -> list[tuple[Row, Reading]]:
        """Search until then (monotonic seconds), or a little longer, and ask the proxy for what was found. Return the
        rows for which that is done; the others wait for another turn."""
        needed = {row.line: one for row, reading in batch if (one := self._find_wanted(row, reading, requests, works))}
        for line in self._find_beside_other_dois(batch, needed, requests):
            del needed[line]
        readings = {row.line: reading for row, reading in batch}
        requests.learn_found((readings[line], [work.doi for work in one.identified]) for line, one in needed.items())
        exists = requests.answers.exists
        by_rule = self._compare_identified(
            {
                line: (one.search.row, [work for work in one.identified if exists(work.doi) is not False])
                for line, one in needed.items()
            },
            requests,
            until=max(until, time.monotonic() + LEAST_SECONDS),
        )
        # An identifier of a preprint may stand in the row of an article, which names its journal.
        open_rows = {
            line: one
            for line, one in needed.items()
            if all(exists(work.doi) for work in by_rule[line]) and (one.search.row.container or not by_rule[line])
        }
        said = search_works(
            [one.search for one in open_rows.values()],
            caller=self.caller,
            now=requests.answers.now,
            until=max(until, time.monotonic() + LEAST_SECONDS),
        )
        waiting = {line for line, found in zip(open_rows, said, strict=True) if found is None}
        searched = dict.fromkeys(needed.keys() - waiting, SearchedWork())
        searched |= {line: found for line, found in zip(open_rows, said, strict=True) if found}
        self.found = {line: add_identified(found, by_rule[line]) for line, found in searched.items()}
        requests.learn_found((readings[line], [work.doi for work in one.works]) for line, one in self.found.items())
        return [(row, reading) for row, reading in batch if row.line not in waiting]

    def add(self, row: Row, checked: CheckedText, judge: ReadingJudge) -> CheckedText:
        """Return the checked text of a row with what was found."""
        searched = self.found.get(row.line)
        if searched is None:
            return checked
        answers = judge.answers
        report = add_search(checked.report, searched, exists=answers.exists, records=answers.view_resolutions())
        return replace(checked, report=report)

    def _find_wanted(
        self, row: Row, reading: Reading, requests: NameRequests, works: ListWorks | None
    ) -> _WantedWork | None:
        """Return what is wanted for a row; None if it needs no search, or has several DOIs: its title may be that of
        any. An error concerns one row, which is then not searched for, and is logged."""
        try:
            if reading.others or has_several_dois(self.layout, row, reading):
                return None
            checked = requests.judge.check(reading)
            checked = works.compare(row, checked, requests.judge) if works else checked
            if not needs_search(checked.report):
                return None
            texts = decode_row_texts(row.cells)
            without = find_name_to_compare(reading, checked.report)
            work = find_row_work(self.layout, texts)
            if "title" in self.layout.work_columns:
                work = replace(work, text="")  # what stands in place of a DOI is then no reference
            search = WantedSearch(work, without)
            return _WantedWork(search, self._find_identified(texts, without))
        except Exception:
            log.exception("The work of line %d of job %s could not be read", row.line, row.job_id)
            return None

    def _compare_identified(
        self, named: Mapping[int, tuple[RowWork, Sequence[FoundWork]]], requests: NameRequests, *, until: float
    ) -> dict[int, list[FoundWork]]:
        """Return the works that identifiers name, by line, each compared with its row as far as the agencies say
        something of it: that sends DOIs. One that is another work is left out."""
        names = [work.doi for _, works in named.values() for work in works]
        known: Found[MetadataAnswer | Failure] = {}
        if names and settings.METADATA:
            known = find_records_in_turn(
                names,
                proxy=self.proxy,
                services=services_from_settings(),
                now=requests.answers.now,
                until=until,
            )
        found: dict[int, list[FoundWork]] = {}
        for line, (row, works) in named.items():
            found[line] = []
            for work in works:
                said = known.get(fold(work.doi))
                if said and isinstance(said.answer, WorkMetadata):
                    work = replace(work, comparison=compare_works(row, said.answer))
                if work.comparison is None or work.comparison.verdict is not WorkVerdict.DIFFERENT:
                    found[line].append(work)
        return found

    def _find_beside_other_dois(
        self, batch: Sequence[tuple[Row, Reading]], needed: Mapping[int, _WantedWork], requests: NameRequests
    ) -> list[int]:
        """Return the lines whose record has another field with a DOI that is or may be registered, or an earlier one
        with the same text. One query, and none for a table."""
        if not (self.layout.is_bibliographic and needed):
            return []
        references = Row.objects.filter(job=batch[0][0].job_id, line__in=needed).values("reference")
        fields = Row.objects.filter(job=batch[0][0].job_id, reference__in=references)
        by_reference: dict[int | None, list[tuple[int, str]]] = {}
        for reference, line, text in fields.order_by("line").values_list("reference", "line", "input"):
            by_reference.setdefault(reference, []).append((line, text))
        return [
            line
            for places in by_reference.values()
            for line, text in places
            if line in needed
            and any(
                (other == text and at < line) or (other != text and self._may_be_registered(other, requests))
                for at, other in places
                if at != line
            )
        ]

    @staticmethod
    def _may_be_registered(text: str, requests: NameRequests) -> bool:
        name = read(text, longest=settings.MAX_CELL).doi
        return name is not None and requests.answers.exists(str(name)) is not False

    def _find_identified(self, texts: Sequence[str], without: str) -> tuple[FoundWork, ...]:
        """Return the works that the other cells name by an identifier. The fields of a record are rows themselves."""
        if self.layout.is_bibliographic:
            return ()
        skipped = self.layout.read_columns
        cells = [
            (name, text)
            for place, (name, text) in enumerate(zip(self.layout.header, texts, strict=False))
            if place not in skipped
        ]
        found = find_row_identifiers(cells, without=without)
        return tuple(FoundWork(one.doi, IDENTIFIER, None, one.sentence) for one in found)
