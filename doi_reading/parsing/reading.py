"""What a text means, what is wrong with it, and what was probably meant."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from doi_reading.message import Message
from doi_reading.name.doi import Doi, fold, is_beginning_of, is_doi, parse_if_doi
from doi_reading.name.encoding import encode
from doi_reading.parsing.candidates import (
    MOST_CANDIDATES,
    NO_REPAIRS,
    Candidate,
    Offers,
    add_other_dois,
    select_candidates,
)
from doi_reading.parsing.continuation import FollowingText
from doi_reading.problems.catalogue import is_cut
from doi_reading.problems.problem import MOST_PROBLEMS, Problem, make_problem
from doi_reading.repair.derived_names import derive_names
from doi_reading.repair.near_names import NO_LIST, ListVocabulary, propose_near_names
from doi_reading.repair.safe_cut import is_journal, is_same_work
from doi_reading.repair.suffixes_and_file_names import propose_names_of_suffix
from doi_reading.text.inner_doi import find_second_doi

_LOG = logging.getLogger(__name__)

_WITH_REST = Message("with what follows it in the text")
_PART_ALONE = Message("without the symbol attached to its end and everything after it")


@dataclass(unsafe_hash=True)  # not frozen: a list needs one for each row, and a frozen one takes four times as long
class Reading:
    """What a text means by the standards (`doi`), its problems, and what was probably meant."""

    input: str
    form: str
    doi: Doi | None = None
    short_doi: str | None = None
    problems: tuple[Problem, ...] = ()
    others: tuple[str, ...] = ()
    """The other DOIs in the text, in order, each once."""
    repairs: frozenset[str] = frozenset()
    """Those of `others`, folded, that may be the suggestion: the cell's hyperlink opens a candidate of its text, or one
    DOI begins with the other."""
    linked: str = ""
    """The one of `others` that the hyperlink of the cell opens; "" for none."""
    offers: Callable[[], Offers] = field(default=tuple, repr=False, compare=False)

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The other possible DOIs, best first, at most eight. They are worked out when needed: most names exist. An
        error in a rule is logged, and leaves the reading without candidates."""
        try:
            found = select_candidates(self.doi, self._offer_with_what_follows(self._offers_of_same_work()))
        except Exception:  # noqa: BLE001  (logged: a rule that fails is no reason to lose the reading)
            _LOG.exception("The candidates of a text of %d characters could not be worked out", len(self.input))
            found = ()
        return add_other_dois(self._add_part(found), self.others)

    @cached_property
    def corrections(self) -> frozenset[str]:
        """Those of `others`, folded, that may be the suggestion: `repairs`, and those that a rule offers."""
        given = {fold(one.doi) for one in self.candidates if one.reason not in NO_REPAIRS}
        return self.repairs | (given & set(map(fold, self.others)))

    def propose_late_candidates(self, vocabulary: ListVocabulary = NO_LIST) -> tuple[Candidate, ...]:
        """Return the candidates to try if none of `candidates` is registered: names that follow from an identifier,
        else guesses, which only a person may accept. If two DOIs run together, the second.

        At most 35, so that Which RA takes them in one request (R2). None for an unfilled template. None for a text with
        several DOIs, unless the only other one is its hyperlink's.
        """
        if set(self.others) - {self.linked} or self.short_doi:
            return ()
        if any(one.code == "template" for one in self.problems):
            return ()
        by_rule = () if self.doi else derive_names(self.input)
        offers: Offers = by_rule
        if self.doi and (second := find_second_doi(str(self.doi))):
            offers = [(second, Message("the second of the two DOIs in it"))]
        elif self.doi:
            offers = propose_near_names(str(self.doi), vocabulary)
        elif not by_rule:
            offers = propose_names_of_suffix(self.input)
        known = {fold(one.doi) for one in self.candidates}
        new = {
            fold(doi): Candidate(doi, reason, doubtful=not by_rule)
            for doi, reason in offers
            if is_doi(doi) and fold(doi) not in known
        }
        return tuple(new.values())

    @property
    def longer_names(self) -> tuple[Candidate, ...]:
        """The candidates that continue where the text was cut, best first; none if nothing was cut off."""
        if self.doi is None or not is_cut(one.code for one in self.problems):
            return ()
        beside = {fold(other) for other in self.others} - self.repairs
        name = str(self.doi)
        return tuple(one for one in self.candidates if is_beginning_of(name, one.doi) and fold(one.doi) not in beside)

    @cached_property
    def following(self) -> FollowingText:
        """The text, in which each of the names is found again."""
        return FollowingText(self.input)

    def _offer_with_what_follows(self, offers: Offers) -> Offers:
        """Yield the offers. Before each comes the offer with what follows it in the text."""
        following, name = self.following, str(self.doi or "")
        first = following.find_continuation(name) if name else None
        wholes = following.join_parts(name) or (first.names if first else ())
        yield from ((whole, _WITH_REST) for whole in wholes)
        for offered, reason in offers:
            found = following.find_continuation(offered)
            yield from ((whole, _WITH_REST) for whole in (found.names if found else ()))
            yield offered, reason

    def _add_part(self, found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Add the part of the first candidate before what divides it in the text: both may be registered."""
        part = self.following.find_part(found[0].doi) if found else ""
        known = {fold(str(self.doi)), *(fold(one.doi) for one in found)}
        if not is_doi(part) or is_journal(part) or fold(part) in known:
            return found
        return (*found[: MOST_CANDIDATES - 1], Candidate(part, _PART_ALONE, doubtful=True))

    def _offers_of_same_work(self) -> Offers:
        """Return the offers without the journal, the book, and other versions of the work."""
        if self.doi is None:
            return self.offers()
        name = fold(str(self.doi))
        return (
            (offer, reason)
            for offer, reason in self.offers()
            if not (name.startswith(fold(offer)) and len(offer) < len(name)) or is_same_work(name, fold(offer))
        )

    @property
    def valid(self) -> bool:
        """Return whether the text reads as a DOI name that keeps S1 to S5."""
        return self.doi is not None

    @property
    def url(self) -> str | None:
        """The name as a link (E17)."""
        return encode(self.doi) if self.doi else None

    @property
    def uri(self) -> str | None:
        """The name as a doi: URI (U2)."""
        return encode(self.doi, "uri") if self.doi else None

    @property
    def urn(self) -> str | None:
        """The name as urn:doi: (N4)."""
        return encode(self.doi, "urn") if self.doi else None

    def without_name(self, problems: Sequence[Problem], reason: Message) -> "Reading":
        """Return the reading of a text that is no name as written. Its name becomes the first candidate, with this
        reason."""
        first = [(str(self.doi), reason)] if self.doi else []
        found = (*problems[:MOST_PROBLEMS], *self.problems)
        return replace(self, doi=None, problems=found, others=(), offers=lambda: chain(first, self.offers()))


@dataclass(unsafe_hash=True)
class FailedReading(Reading):
    """A text that couldn't be read because of an error in the portal. It counts as a name that couldn't be checked, not
    as an invalid one."""

    form: str = "none"

    @classmethod
    def of(cls, text: str) -> "FailedReading":
        """Return the failed reading of this text, with the problem `not-read`."""
        return cls(text, problems=(make_problem("not-read", 0, len(text)),))


def deduplicate_names(doi: Doi | None, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that keep the syntax, each once, and none equivalent to `doi` (S8)."""
    kept: dict[Doi, str] = {}
    for name in names:
        if other := parse_if_doi(name):
            kept.setdefault(other, name)
    return tuple(name for other, name in kept.items() if other != doi)
