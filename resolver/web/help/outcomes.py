"""What the help says of an outcome beyond its verdict: an example, and what a librarian should know."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from resolver.domain.report.report import Outcome

MADE_UP = "10.5555/"
"""Under this prefix the sample proxy makes names up; at doi.org it is one for tests."""


def is_made_up(text: str) -> bool:
    """Whether only the sample proxy knows the name in the text."""
    return MADE_UP in text


@dataclass(frozen=True, slots=True)
class OutcomeHelp:
    """`example` is a text that ends so at the sample proxy; `more` are sentences; `quick`: only a quick check does."""

    example: str
    more: tuple[str | Promise, ...]
    quick: bool = False

    @property
    def made_up(self) -> bool:
        """Whether doi.org does not know the name."""
        return is_made_up(self.example)


_NEVER_NOT_THERE = _("It never means that the DOI does not exist, and is not counted as such in any summary.")
_AGAIN = _("A list has a button that asks again for these rows, and for no others.")

OUTCOMES: Mapping[Outcome, OutcomeHelp] = {
    Outcome.RESOLVED: OutcomeHelp(
        "10.1000/182",
        (
            _("A resolver knows where to send the reader. Whether the page there still opens is not asked."),
            _("It can have problems all the same: a warning about how it is written, or an alias."),
        ),
    ),
    Outcome.NO_URL: OutcomeHelp(
        "10.5555/nourl-1",
        (
            _("A click on the link shows the values of the record, and leads no further."),
            _("A DOI whose aliases run in a circle ends so too."),
        ),
    ),
    Outcome.NO_VALUES: OutcomeHelp(
        "10.5555/novalues-1", (_("This is rare: somebody registered the name and put nothing into its record."),)
    ),
    Outcome.NOT_FOUND: OutcomeHelp(
        "10.5555/missing-1",
        (
            _("Most wrong DOIs look right. When the prefix is known, suspect the part after the slash; when it is not, "
              "suspect the part before it."),
            _("When another reading of your text exists, it is shown as the suggestion: it was asked for and found."),
            _("Some publishers print a DOI some days before they register it: ask again later."),
        ),
    ),
    Outcome.REGISTERED: OutcomeHelp(
        "10.1000/182",
        (_("Only a quick check of a list ends so. The same name looked up by itself is asked for in full."),),
        quick=True,
    ),
    Outcome.INVALID: OutcomeHelp(
        "10.1000/",
        (
            _("Nobody was asked about the text itself: it holds no name. What it may mean was asked for, and what "
              "exists is the suggestion."),
        ),
    ),
    Outcome.PROXY_ERROR: OutcomeHelp("10.5555/error-1", (_NEVER_NOT_THERE, _AGAIN)),
    Outcome.UNREACHABLE: OutcomeHelp("10.5555/busy-1", (_NEVER_NOT_THERE, _AGAIN)),
}  # fmt: skip
