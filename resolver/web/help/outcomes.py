"""The help on each outcome beyond its verdict: an example, and what a librarian should know."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from resolver.domain.report.outcome import Outcome

MADE_UP = "10.5555/"
"""The sample proxy makes up names with this prefix; at doi.org it is a prefix for tests."""


def is_sample_only(text: str) -> bool:
    """Whether only the sample proxy has the name in the text."""
    return MADE_UP in text


_NEVER_NOT_THERE = _("The DOI may still be registered. Summaries count it separately.")
_AGAIN = _("In a list, you can retry only these rows.")

OUTCOMES: Mapping[Outcome, tuple[str, tuple[str | Promise, ...]]] = {
    Outcome.RESOLVED: (
        "10.1000/182",
        (
            _("The record says where the link goes. We don’t check whether the page still opens."),
            _("It can still have problems, such as a spelling warning or an alias."),
            _("If the text is cut at a #, a ? or a space, we check the full DOI too."),
        ),
    ),
    Outcome.NO_URL: (
        "10.5555/nourl-1",
        (
            _("The link shows the values of the record and doesn’t open a page."),
            _("A DOI whose aliases form a loop has this outcome too."),
        ),
    ),
    Outcome.NO_VALUES: (
        "10.5555/novalues-1", (_("This is rare: the DOI was registered with an empty record."),)
    ),
    Outcome.NOT_FOUND: (
        "10.5555/missing-1",
        (
            _(
                "Most wrong DOIs look right. If the prefix is registered, check the part after the slash. If not, "
                "check the part before it."
            ),
            _("If another possible DOI is registered, we suggest it."),
            _("Some publishers show a DOI a few days before they register it. Check again later."),
        ),
    ),
    Outcome.REGISTERED: (
        "10.1000/182",
        (_(
            "Only a quick check of a list has this outcome. If you look up a single DOI, we always check its "
            "full record."
        ),),
    ),
    Outcome.INVALID: (
        "10.1000/",
        (
            _(
                "The text doesn’t contain a valid DOI, so we check other possible DOIs. If one is registered, we "
                "suggest it."
            ),
        ),
    ),
    Outcome.PROXY_ERROR: ("10.5555/error-1", (_NEVER_NOT_THERE, _AGAIN)),
    Outcome.UNREACHABLE: ("10.5555/busy-1", (_NEVER_NOT_THERE, _AGAIN)),
}  # fmt: skip
"""By outcome: a text that has it at the sample proxy, and sentences about it."""
