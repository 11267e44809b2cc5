"""The problems that a text, a name or a record may have: codes, severities and sentences."""

from doi_reading.problems.catalogue import (
    CUTS,
    OF_CELLS,
    OF_COMPARISONS,
    OF_OTHERS,
    OF_RECORDS,
    OF_SEARCHES,
    OF_WORKS,
    UNASSIGNED,
    Entry,
    is_cut,
)
from doi_reading.problems.problem import (
    MOST_MERGED,
    NEUTRAL,
    describe_as_registered,
    get_sentence_if_registered,
    make_problem,
    merge_by_code,
    merge_messages,
    show_characters,
)

__all__ = [
    "CUTS",
    "MOST_MERGED",
    "NEUTRAL",
    "OF_CELLS",
    "OF_COMPARISONS",
    "OF_OTHERS",
    "OF_RECORDS",
    "OF_SEARCHES",
    "OF_WORKS",
    "UNASSIGNED",
    "Entry",
    "describe_as_registered",
    "get_sentence_if_registered",
    "is_cut",
    "make_problem",
    "merge_by_code",
    "merge_messages",
    "show_characters",
]
