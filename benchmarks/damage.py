"""How many texts of the corpus our reader understands, by class of damage, and how many requests their check sends to
the DOI proxy. No figure depends on the machine.
"""

from collections.abc import Iterator

from benchmarks import corpus_requests
from tests.doi_reading.corpus import AS_IT_IS, DAMAGED, NO_DOI, Case, by_class, cases, offered

GROUPS = {
    DAMAGED: "damaged: the right name is offered",
    AS_IT_IS: "odd names: read as they stand",
    NO_DOI: "nothing is a DOI: nothing is offered",
}


def is_understood(case: Case) -> bool:
    """Whether the right name is offered; of a text that is a name, whether it comes first."""
    names = offered(case.input)
    return case.is_met_by(names[:1] if case.group == AS_IT_IS else names)


def share(good: int, total: int) -> str:
    return f"{good:,} / {total:,}  {good / total:6.1%}"


def measure() -> Iterator[tuple[str, str]]:
    """A row for each thing asked of the reader, one for each class of damage, then the requests."""
    met = [(case, is_understood(case)) for case in cases()]
    for group, label in GROUPS.items():
        of_group = [good for case, good in met if case.group == group]
        yield f"corpus: {label}", share(sum(of_group), len(of_group))
    for kind, counts in by_class((case, good) for case, good in met if case.group == DAMAGED).items():
        yield f"corpus: {kind}", share(*counts)
    yield from corpus_requests.measure()
