"""A text with its verdict: everything that a stored lookup or row is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from doi_reading import Reading
from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.link_signs import weigh_codes
from resolver.domain.report.outcome import EXISTS
from resolver.domain.report.report import Report, TriedCandidate
from resolver.domain.report.target import find_target
from resolver.domain.report.triage import could_be_tidier, needs_review


@dataclass
class JudgedText:
    """A text's reading and report, and where the answer comes from.

    `proxy` is the base URL that answered; "" if no request was needed. `answered_at` is when the deciding answer was
    requested; None if there is none. `cached`: it was stored before the check. `expected` is the address to which the
    DOI should lead; None if the list has no column of them. `messages` are the sentences about the result.
    """

    reading: Reading
    report: Report
    proxy: str
    checked_at: datetime
    answered_at: datetime | None = None
    cached: bool = False
    expected: str | None = None
    messages: str = ""

    @property
    def doi(self) -> str:
        """The DOI name that the text means; "" for none."""
        return str(self.reading.doi or "")

    @cached_property
    def problem_codes(self) -> Sequence[str]:
        """The code of each problem, each once."""
        return tuple(dict.fromkeys([problem.code for problem in self.report.problems]))

    @property
    def candidates(self) -> list[TriedCandidate]:
        """The other possible DOIs that were tried and, if the name doesn't exist, all others. Those of a name that
        exists are made when they are shown."""
        offered = () if self.report.outcome in EXISTS else self.reading.candidates
        untried = {one.doi: TriedCandidate(one.doi, one.reason) for one in offered}
        return list({**untried, **{one.doi: one for one in self.report.candidates}}.values())

    @cached_property
    def address(self) -> str:
        """How the record's URL values differ from the expected address; "" if none is expected."""
        return "" if self.expected is None else str(find_target(self.expected, self.report.outcome, self.report.urls))

    @property
    def host(self) -> str:
        """The host of the first URL value, in a list with expected addresses."""
        return "" if self.expected is None else find_host(next(iter(self.report.urls), ""))

    @property
    def needs_review(self) -> bool:
        """Whether the DOI is registered, but the text or the record has an error, or it leads elsewhere."""
        return needs_review(self.report.outcome, self._weighed_codes, self.address)

    @property
    def tidier(self) -> bool:
        """Whether the text works, but should be written differently."""
        return could_be_tidier(self.report.outcome, self._weighed_codes, self.address)

    @cached_property
    def _weighed_codes(self) -> Sequence[str]:
        return weigh_codes(self.report.outcome, self.problem_codes, self.reading.input, self.doi)
