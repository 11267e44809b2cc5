"""What is known about one result, for the modules that choose what its page says."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from doi_reading import CATALOGUE, Severity, encode, fold
from doi_reading.problems import OF_RECORDS, is_cut
from doi_reading.tables.other_identifiers import OtherIdentifier, find_other_identifier
from resolver.domain.handle.answers import WhichRaAnswer
from resolver.domain.report.correction import is_main_doi
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import BELONGS, DELETED, UNTIDY
from resolver.models import Lookup, Row

LINK_FORMS = frozenset({"url", "api-url", "wrapped", "publisher-url"})
INVISIBLE = frozenset({"non-graphic", "control-character"})
ENDS = {"unescaped-hash": "#", "unescaped-question-mark": "?"}
_ODD = BELONGS - {"unescaped-slash", "several-homes"} | {"trailing-slash"}
"""Problems of a name that is registered although it looks unusual."""
_FAULTS = tuple(code for code in CATALOGUE if code in OF_RECORDS and CATALOGUE[code].severity == Severity.ERROR)
"""Problems of a record that leads nowhere."""


@dataclass(frozen=True, slots=True)
class ResultFacts:
    """What the page of a result depends on. `codes`: the problems, in their order in the text, and `errors` those that
    are errors; `form`: how the text was read. `untried`: other possible DOIs couldn't be checked. `meant`: the first of
    them, or "". `doubtful`: the suggestion is only a guess. `rivals`: registered DOIs that it may be, if none of them
    is suggested. `longer`: longer names that a text may mean if it was cut after a registered one, and whether each
    exists. `address`: how the addresses of the record (`found` is one of them) differ from the `expected` one.
    `titled`: the row has the title of its work."""

    result: Lookup | Row
    codes: Sequence[str] = ()
    errors: Collection[str] = ()
    form: str = "name"
    suggestion: str = ""
    meant: str = ""
    untried: bool = False
    doubtful: bool = False
    rivals: Sequence[str] = ()
    longer: Sequence[tuple[str, bool | None]] = ()
    address: str = ""
    expected: str = ""
    found: str = ""
    titled: bool = False

    def has(self, *codes: str) -> bool:
        """Return whether the result has one of these problems."""
        return not set(codes).isdisjoint(self.codes)

    @property
    def missing(self) -> list[str]:
        """The other DOIs in the text that aren't registered."""
        return [other["doi"] for other in self.result.others if other["outcome"] == Outcome.NOT_FOUND]

    @property
    def tried_longer(self) -> bool:
        """Whether it is known of each longer name that it exists or doesn't."""
        return all(exists is not None for _name, exists in self.longer)

    @property
    def whole(self) -> str:
        """The registered name of which the text's registered one is the first part."""
        return next((name for name, exists in self.longer if exists), "")

    @property
    def cut(self) -> bool:
        """Whether a part of the text is not in the name that isn't registered; behind doi: a # belongs to it (U7)."""
        return is_cut(self.codes) and bool(self.meant) and not len(self.meant) < len(self.result.doi)

    @property
    def prefix_is_unknown(self) -> bool:
        """Whether Which RA says that the prefix doesn't exist (R3)."""
        prefix = self.result.doi.partition("/")[0]
        return WhichRaAnswer(prefix, status=self.result.prefix_status or None).exists is False

    @property
    def identifier(self) -> OtherIdentifier | None:
        """The other identifier that a text without a DOI is."""
        return find_other_identifier(self.result.input) if self.has("no-doi") else None

    @property
    def main_doi(self) -> str:
        """The registered DOI of which this one is an alias."""
        return self.result.alias_of if is_main_doi(self.result.outcome, self.result.alias_of) else ""

    @property
    def leads_nowhere(self) -> bool:
        """Whether the record has an address, but no usable one."""
        return self.has(DELETED, "unsafe-url", *_FAULTS)

    @property
    def is_work_alone(self) -> bool:
        """Whether the text has no other DOI whose work an event may be about."""
        return not self.result.others

    @property
    def is_written_oddly(self) -> bool:
        """Whether a text that means this registered DOI should be written differently. Not if it has other DOIs, which
        would be lost, or if the record leads nowhere."""
        doi = self.main_doi or self.result.doi
        written = encode(doi) if self.is_link else doi
        if self.result.others or self.leads_nowhere or written == self.result.input.strip():
            return False
        differs = self.has(*_ODD) and fold(self.result.doi) not in fold(self.result.input)
        return differs or self.has(*UNTIDY - {"trailing-slash"})

    @property
    def is_link(self) -> bool:
        """Whether the text itself is a link that a browser opens."""
        return self.form in LINK_FORMS and not self.has("from-link")

    @property
    def end(self) -> str:
        """The sign at which a browser, or the DOI proxy, ends the name of this link; "" for none."""
        return next((sign for code, sign in ENDS.items() if self.has(code)), "") if self.is_link else ""

    @property
    def rest(self) -> str:
        """The part of the text that is not in the name that was read, but in a longer one."""
        longest = self.whole or next((name for name, _exists in self.longer), "")
        return longest[len(self.result.doi) :]
