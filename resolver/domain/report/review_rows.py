"""The rows of a list that a person reviews: also those for which nothing is proposed, where only that person can enter
the DOI."""

from collections.abc import Collection, Mapping

from resolver.domain.report.correction import COMPARE_WORK, FOUND, OTHER_WORK, REVIEWED, Correction, needs_person
from resolver.domain.report.outcome import EXISTS, Outcome
from resolver.domain.report.row_task import AS_READ, TaskPart

WITHOUT_PROPOSAL = "without-proposal"
NO_ADDRESS = "no-address"
TO_COMPARE = "compare"

_WITHOUT_ADDRESS = (TaskPart(AS_READ, (Outcome.NO_URL,)), TaskPart(AS_READ, (Outcome.NO_VALUES,)))
_WITHOUT_PROPOSAL = (TaskPart((Correction.NOT_REGISTERED,)), TaskPart((Correction.NO_DOI,)), *_WITHOUT_ADDRESS)

REVIEW_PARTS: Mapping[str, tuple[TaskPart, ...]] = {
    WITHOUT_PROPOSAL: _WITHOUT_PROPOSAL,
    NO_ADDRESS: _WITHOUT_ADDRESS,
    OTHER_WORK: (TaskPart((Correction.REVIEW,), problems=(OTHER_WORK,)),),
    TO_COMPARE: (TaskPart(AS_READ, problems=(COMPARE_WORK,)),),
}
"""The undecided rows under each word, as parts that share no row: those without a proposal, those that seem to be of
another work, and those whose work is to be compared."""


def find_former_group(outcome: str, problems: Collection[str], *, has_suggestion: bool, doubtful: bool) -> str:
    """Return the group in which a decided row with these values was before: REVIEW, SUGGESTED, OTHER_WORK,
    TO_COMPARE or WITHOUT_PROPOSAL."""
    if OTHER_WORK in problems:
        return OTHER_WORK
    if not FOUND.isdisjoint(problems):
        return Correction.REVIEW
    if outcome not in EXISTS:
        if not has_suggestion:
            return WITHOUT_PROPOSAL
        return Correction.REVIEW if doubtful or needs_person(problems) else Correction.SUGGESTED
    if COMPARE_WORK in problems and REVIEWED.isdisjoint(problems):
        return TO_COMPARE
    without_address = outcome in (Outcome.NO_URL, Outcome.NO_VALUES) and REVIEWED.isdisjoint(problems)
    return WITHOUT_PROPOSAL if without_address else Correction.REVIEW
