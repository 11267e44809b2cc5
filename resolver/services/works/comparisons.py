"""Compare rows with the records that are given, or with what the agencies of their DOIs say."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from doi_reading import fold
from resolver.domain.handle.answers import Failure
from resolver.domain.work.comparison import compare_works
from resolver.domain.work.evidence import WorkComparison
from resolver.domain.work.metadata import WorkMetadata
from resolver.domain.work.row_work import RowWork
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.configured_services import MetadataService
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS
from resolver.services.works.records import find_records


def compare_rows(
    rows: Sequence[tuple[RowWork, str]],
    *,
    proxy: DoiProxy,
    services: Mapping[str, MetadataService],
    now: datetime,
    longest: float = LOOKUP_SECONDS,
) -> list[WorkComparison | Failure]:
    """Compare each row with what the agency says about its DOI name, in order; a failure where it couldn't be asked in
    `longest` seconds."""
    names = list({fold(name): name for _, name in rows}.values())
    found = find_records(names, proxy=proxy, services=services, now=now, longest=longest) if names else {}
    compared: list[WorkComparison | Failure] = []
    for row, name in rows:
        answer = found[fold(name)].answer
        if isinstance(answer, Failure):
            compared.append(answer)
        else:
            compared.append(compare_works(row, answer if isinstance(answer, WorkMetadata) else None))
    return compared
