"""The rows of a list that a person reviews: also those for which nothing is proposed, where only that person can enter
the DOI."""

from collections.abc import Mapping

from resolver.domain.report.correction import Correction
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.row_task import AS_READ, TaskPart

ALL = "all"
WITHOUT_PROPOSAL = "without-proposal"
NO_ADDRESS = "no-address"

_WITHOUT_ADDRESS = (TaskPart(AS_READ, (Outcome.NO_URL,)), TaskPart(AS_READ, (Outcome.NO_VALUES,)))
_WITHOUT_PROPOSAL = (TaskPart((Correction.NOT_REGISTERED,)), TaskPart((Correction.NO_DOI,)), *_WITHOUT_ADDRESS)

REVIEW_PARTS: Mapping[str, tuple[TaskPart, ...]] = {
    ALL: (TaskPart((Correction.SUGGESTED,)), TaskPart((Correction.REVIEW,)), *_WITHOUT_PROPOSAL),
    WITHOUT_PROPOSAL: _WITHOUT_PROPOSAL,
    NO_ADDRESS: _WITHOUT_ADDRESS,
}
"""The undecided rows under each word, as parts that share no row."""
