"""What an outcome is called on a page: one place, so that no two pages say it differently."""

from collections.abc import Mapping
from dataclasses import dataclass

from resolver.domain.report import Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """`word` for tables, `headline` and `sentence` for the result page, `advice` for the help page.

    `tone` chooses a colour and `sign` a shape; neither ever stands without the word.
    """

    word: str
    headline: str
    sentence: str
    advice: str
    tone: str
    sign: str


_NOTHING_LEARNED = (
    "Nothing was learned about this DOI: it may exist or not. This answer is not kept, so checking again asks again."
)

VERDICTS: Mapping[str, Verdict] = {
    Outcome.RESOLVED: Verdict(
        Outcome.RESOLVED.word,
        "Registered, with a web address",
        "The DOI proxy knows this name, and its record holds at least one address.",
        "Nothing to do.",
        "good",
        "✓",
    ),
    Outcome.NO_URL: Verdict(
        Outcome.NO_URL.word,
        "Registered, but without a web address",
        "The DOI proxy knows this name, but its record holds neither a URL nor a list of locations.",
        "Tell the Registration Agency, or the publisher.",
        "warn",
        "!",
    ),
    Outcome.NO_VALUES: Verdict(
        Outcome.NO_VALUES.word,
        "Registered, but its record is empty",
        "The DOI proxy knows this name, but its record holds no values at all.",
        "Tell the Registration Agency, or the publisher.",
        "warn",
        "!",
    ),
    Outcome.NOT_FOUND: Verdict(
        Outcome.NOT_FOUND.word,
        "Not registered",
        "The DOI proxy answered that no such DOI exists.",
        "Compare the name with the print, character by character; the agency of the prefix can say more.",
        "bad",
        "✗",
    ),
    Outcome.REGISTERED: Verdict(
        Outcome.REGISTERED.word,
        "Registered",
        "A Registration Agency answers for this name. In a quick check the record itself is not asked for.",
        "Nothing to do; run the full check when you need the addresses.",
        "good",
        "✓",
    ),
    Outcome.INVALID: Verdict(
        Outcome.INVALID.word,
        "No DOI name",
        "The text does not hold a DOI name that keeps the rules, so there was no name to ask for.",
        "Look at the problems, and at the suggestion when there is one.",
        "bad",
        "✗",
    ),
    Outcome.PROXY_ERROR: Verdict(
        Outcome.PROXY_ERROR.word,
        "Could not ask: the DOI proxy gave no usable answer",
        _NOTHING_LEARNED,
        "Check again later. It says nothing about the DOI.",
        "unknown",
        "?",
    ),
    Outcome.UNREACHABLE: Verdict(
        Outcome.UNREACHABLE.word,
        "Could not ask: the DOI proxy did not answer",
        _NOTHING_LEARNED,
        "Check again later. It says nothing about the DOI.",
        "unknown",
        "?",
    ),
    "": Verdict("not asked", "Not asked yet", "Nobody has asked for this name yet.", "", "unknown", "…"),
}

FORMS: Mapping[str, str] = {
    "name": "a DOI name",
    "label": "a DOI name after the label doi:",
    "uri": "a doi: URI",
    "urn": "a URN",
    "info": "an info:doi/ URI",
    "url": "a DOI link",
    "api-url": "a link to the DOI proxy's interface",
    "wrapped": "a link that goes through a library's proxy or link resolver",
    "publisher-url": "a publisher's link",
    "text": "text with a DOI in it",
    "none": "text without a DOI",
}

STATES: Mapping[str, str] = {
    "queued": "Waiting to be read",
    "reading": "Reading the file and checking what is read",
    "checking": "Checking",
    "finished": "Finished",
    "cancelled": "Cancelled",
    "failed": "Failed",
}

SEVERITIES: Mapping[str, str] = {"error": "Error", "warning": "Warning", "info": "Note"}
