"""What the DOI proxy answered about one reading: with it, the reading is judged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from doi_reading import Candidate, fold
from resolver.domain.handle.answers import AgencyAnswer, Resolution
from resolver.domain.report.report import OtherDoi, TriedCandidate


@dataclass(frozen=True, slots=True)
class ProxyAnswers:
    """What the DOI proxy answered about one reading, as far as it was requested.

    `resolution` and `agency`: about its name; for a short DOI `resolution` is that of its handle.
    `prefix_agency`: about its prefix.
    `exists`: whether the proxy knows the candidates, by folded name: all of a name that doesn't exist, and those with
    which a cut text continues after a name that does.
    `records`: those of candidates, and of the names to which addresses lead, by folded name. A suggestion without one
    is not judged.
    `guesses`: the doubtful candidates.
    `others`: the other DOIs of the text. `others_incomplete`: a part of them couldn't be checked.
    """

    resolution: Resolution | None = None
    agency: AgencyAnswer | None = None
    prefix_agency: AgencyAnswer | None = None
    exists: Mapping[str, bool | None] = field(default_factory=dict)
    records: Mapping[str, Resolution] = field(default_factory=dict)
    guesses: tuple[TriedCandidate, ...] = ()
    others: tuple[OtherDoi, ...] = ()
    others_incomplete: bool = False

    @property
    def incomplete(self) -> bool:
        """Return whether a candidate, a guess or another DOI couldn't be checked."""
        unknown = None in self.exists.values() or any(guess.exists is None for guess in self.guesses)
        return unknown or self.others_incomplete

    def list_tried(self, candidates: Iterable[Candidate]) -> tuple[TriedCandidate, ...]:
        """Return the candidates, each with whether it exists."""
        exists = self.exists.get
        return tuple(TriedCandidate(one.doi, one.reason, exists(fold(one.doi)), one.doubtful) for one in candidates)
