"""The join of checked texts to the list of retractions."""

from collections.abc import Sequence
from dataclasses import replace

from doi_reading import fold
from resolver.domain.report.work_events import add_events, list_works_of_report
from resolver.services.proxy_answers.reading_judge import CheckedText
from resolver.services.retractions.find import find_events


def join_events(checked: Sequence[CheckedText]) -> list[CheckedText]:
    """Return the texts, in their order, with what the list, and the record that was compared, say about their works: of
    the DOI that was read, the main DOI behind it, the suggestion, and the other DOIs. One query for all texts, and no
    request."""
    works = [list_works_of_report(one.report, str(one.reading.doi or "")) for one in checked]
    found = find_events({name for each in works for work in each for name in work.names})
    joined = []
    for one, each in zip(checked, works, strict=True):
        known, of_agency = found, one.report.work.events if one.report.work else ()
        if of_agency:
            key = fold(of_agency[0].doi)
            known = {**found, key: (*found.get(key, ()), *of_agency)}
        joined.append(replace(one, report=add_events(one.report, each, known)) if known else one)
    return joined
