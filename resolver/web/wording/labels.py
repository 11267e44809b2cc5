"""The labels of problems, groups, states, severities, forms, hosts and changes, each in one place for all pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.utils.translation import gettext_lazy, ngettext_lazy

from doi_reading import CATALOGUE
from resolver.domain.redirect.web_host import HostCode
from resolver.domain.report.change import Change
from resolver.domain.report.correction import Correction
from resolver.domain.report.target import Target
from resolver.domain.report.triage import RowGroup
from resolver.services.results.row_queries import DECIDED, ELSEWHERE_WORD, TO_CORRECT_WORD, TO_REVIEW
from resolver.web.wording.tones import SIGNS, Toned
from resolver.web.wording.translate_message import translate_text
from resolver.web.wording.verdicts import VERDICTS

# Lazy texts are used like texts here: in templates and in the choices of forms.
_ = cast("Callable[[str], str]", gettext_lazy)

FORMS: Mapping[str, str] = {
    "name": _("a DOI name"),
    "label": _("a DOI name after the label doi:"),
    "uri": _("a doi: URI"),
    "urn": _("a URN"),
    "info": _("an info:doi/ URI"),
    "url": _("a DOI link"),
    "api-url": _("a link to the API of the DOI proxy"),
    "wrapped": _("a link through a library’s proxy or link resolver"),
    "publisher-url": _("a link of a publisher or another website"),
    "text": _("text that contains a DOI"),
    "none": _("text without a DOI"),
}

STATES: Mapping[str, str] = {
    "queued": _("In queue"),
    "reading": _("Reading and checking the file"),
    "checking": _("Checking"),
    "finished": _("Finished"),
    "cancelled": _("Stopped"),
    "failed": _("Failed"),
}

SEVERITIES: Mapping[str, str] = {"error": _("Error"), "warning": _("Warning"), "info": _("Note")}
SEVERITY_SIGNS: Mapping[str, str] = {"error": "✗", "warning": "!", "info": "i"}


@dataclass(frozen=True, slots=True)
class GroupLabel:
    """The texts of a group of rows: `word` after a number (`word % number`), `rows` alone; and its tone."""

    word: Any
    rows: str
    tone: str


GROUPS: Mapping[str, GroupLabel] = {
    RowGroup.NEEDS_WORK: GroupLabel(
        ngettext_lazy("needs attention", "need attention"), _("Rows that need attention"), "bad"
    ),
    RowGroup.COULD_NOT_ASK: GroupLabel(
        ngettext_lazy("couldn’t be checked", "couldn’t be checked"), _("Rows we couldn’t check"), "unknown"
    ),
    RowGroup.NOT_CHECKED: GroupLabel(
        ngettext_lazy("not checked yet", "not checked yet"), _("Rows not checked yet"), "waits"
    ),
    RowGroup.TIDIER: GroupLabel(
        ngettext_lazy("works, but could be tidier", "work, but could be tidier"),
        _("Rows that work, but could be tidier"),
        "tidy",
    ),
    RowGroup.FINE: GroupLabel(ngettext_lazy("OK", "OK"), _("Rows that are OK"), "good"),
    RowGroup.EMPTY: GroupLabel(ngettext_lazy("is empty", "are empty"), _("Rows with an empty cell"), "unknown"),
}


@dataclass(frozen=True, slots=True)
class CorrectionLabel(Toned):
    """The word for a correction, its tone, and its sign where that of the tone would say something else."""

    word: str
    tone: str
    own_sign: str = ""

    @property
    def sign(self) -> str:
        return self.own_sign or SIGNS[self.tone]


CORRECTION_LABELS: Mapping[str, CorrectionLabel] = {
    TO_REVIEW: CorrectionLabel(_("To review"), "warn"),
    Correction.SUGGESTED: CorrectionLabel(_("Suggested"), "warn"),
    Correction.REVIEW: CorrectionLabel(_("Needs review"), "bad"),
    DECIDED: CorrectionLabel(_("Decided"), "good"),
    Correction.ACCEPTED: CorrectionLabel(_("Accepted"), "good"),
    Correction.EDITED: CorrectionLabel(_("Other DOI entered"), "good"),
    Correction.REJECTED: CorrectionLabel(_("Rejected"), "unknown", "−"),
    Correction.UNCHANGED: CorrectionLabel(_("Unchanged"), "good"),
    Correction.CLEANED: CorrectionLabel(_("Cleaned"), "good"),
    Correction.MAIN_DOI: CorrectionLabel(_("Main DOI"), "good"),
    Correction.NOT_REGISTERED: CorrectionLabel(_("Not registered"), "bad"),
    Correction.NO_DOI: CorrectionLabel(_("No DOI"), "bad"),
    Correction.UNCHECKED: CorrectionLabel(_("Not checked"), "unknown"),
}


@dataclass(frozen=True, slots=True)
class AddressLabel(Toned):
    """The texts of a class of addresses: `word` in a table, `sentence` on the page of a row; and its tone."""

    word: str
    sentence: str
    tone: str


ADDRESS_LABELS: Mapping[str, AddressLabel] = {
    Target.SAME: AddressLabel(_("Expected address"), _("The DOI leads to the expected address."), "good"),
    Target.SAME_PAGE: AddressLabel(
        _("Expected page, written differently"),
        _("The DOI leads to the expected page. The address is only written differently."),
        "good",
    ),
    Target.SAME_HOST: AddressLabel(
        _("Another page of the expected site"), _("The DOI leads to another page of the expected site."), "warn"
    ),
    Target.OTHER_HOST: AddressLabel(_("Another site"), _("The DOI leads to another site."), "bad"),
    Target.NO_ADDRESS: AddressLabel(_("No web address"), _("The DOI leads nowhere: it has no web address."), "bad"),
    TO_CORRECT_WORD: AddressLabel(_("Not the expected page"), _("The DOI doesn’t lead to the expected page."), "bad"),
    ELSEWHERE_WORD: AddressLabel(
        _("Another site, or no web address"), _("The DOI doesn’t lead to the expected site."), "bad"
    ),
}


UNREGISTERED = AddressLabel(_("No web address"), _("The DOI isn’t registered, so it leads nowhere."), "bad")
"""For NO_ADDRESS of a DOI that isn't registered."""


@dataclass(frozen=True, slots=True)
class HostLabel(Toned):
    """`word` for tables, `advice` for what it means. `tone` is a colour, never shown without the word."""

    word: str
    advice: str
    tone: str


HOST_LABELS: Mapping[str, HostLabel] = {
    HostCode.NO_SUCH_HOST: HostLabel(
        _("Host doesn’t exist"),
        _("DNS, the directory of names, doesn’t have it. Ask the publisher or the agency for a new address."),
        "bad",
    ),
    HostCode.NO_ANSWER: HostLabel(
        _("No answer"),
        _("We couldn’t connect. The server may be down for a short time, so check it again on another day."),
        "bad",
    ),
    HostCode.CERTIFICATE_ENDED: HostLabel(
        _("Certificate expired"), _("Browsers warn readers, and many can’t go on. Tell the publisher."), "bad"
    ),
    HostCode.CERTIFICATE_OTHER_NAME: HostLabel(
        _("Certificate for another name"),
        _("The server may belong to another person now. Browsers warn readers. Tell the publisher."),
        "bad",
    ),
    HostCode.CERTIFICATE_UNTRUSTED: HostLabel(
        _("Certificate not trusted"),
        _("We couldn’t verify the certificate. Some browsers may accept it. Open a row to try."),
        "warn",
    ),
    HostCode.NO_SECURE_CONNECTION: HostLabel(
        _("No secure connection"),
        _("The server answers, but not with a secure connection (TLS) that browsers accept today."),
        "bad",
    ),
    HostCode.ANSWERS: HostLabel(
        _("Answers"), _("The server can be reached. With https, its certificate is valid."), "good"
    ),
    HostCode.NOT_CONTACTED: HostLabel(
        _("Not contacted"), _("We only contact web servers on the public internet."), "unknown"
    ),
    HostCode.UNCHECKED: HostLabel(
        _("Couldn’t check"), _("This says nothing about the host. Check again later."), "unknown"
    ),
    "": HostLabel(_("Not checked yet"), "", "waits"),
}


@dataclass(frozen=True, slots=True)
class ChangeLabel:
    """`word` for tables, `advice` for what to do. `tone` is a colour and `sign` a shape; neither is shown without the
    word."""

    word: str
    advice: str
    tone: str
    sign: str


CHANGES: Mapping[str, ChangeLabel] = {
    Change.BROKEN: ChangeLabel(
        _("Newly broken"), _("These worked in the earlier list. Open a row to see who to contact."), "bad", "✗"
    ),
    Change.WORKING: ChangeLabel(_("Newly working"), _("Nothing to do: the error is fixed."), "good", "✓"),
    Change.ADDRESS: ChangeLabel(
        _("Web address changed"),
        _("Update it if you store web addresses. DOI links don’t need to change."),
        "info",
        "→",
    ),
    Change.AGENCY: ChangeLabel(_("Agency changed"), _("If you report a problem, contact the new agency."), "info", "⇄"),
    Change.OTHERWISE: ChangeLabel(
        _("Other changes"),
        _("Still working or still broken, but something changed. Open a row to see what."),
        "warn",
        "!",
    ),
    Change.UNANSWERED: ChangeLabel(
        _("Couldn’t be compared"),
        _("We couldn’t check these rows in at least one of the lists. Retry them there."),
        "unknown",
        "?",
    ),
    Change.ONLY_BEFORE: ChangeLabel(
        _("Only in the earlier list"), _("The later list doesn’t contain this DOI."), "unknown", "−"
    ),
    Change.ONLY_AFTER: ChangeLabel(
        _("Only in the later list"), _("The earlier list doesn’t contain this DOI."), "unknown", "+"
    ),
    Change.UNCHANGED: ChangeLabel(_("Unchanged"), "", "unknown", "="),
}


def label_problem(code: str) -> str:
    """The name of a problem in the reader's language; an unknown code unchanged."""
    return translate_text(CATALOGUE[code].title) if code in CATALOGUE else code


def label_value(kind: str, value: str) -> str:
    """The label of an outcome, a problem, a group, a correction or a class of addresses; an agency (`ra`) or a host
    unchanged."""
    if kind == "address":
        return str(ADDRESS_LABELS[value].word) if value in ADDRESS_LABELS else value
    if kind == "problem":
        return label_problem(value)
    if kind == "correction":
        return str(CORRECTION_LABELS[value].word) if value in CORRECTION_LABELS else value
    if kind == "group":
        return str(GROUPS[value].rows) if value in GROUPS else value
    return str(VERDICTS[value].word) if kind == "outcome" and value in VERDICTS else value


def get_sign_and_tone(kind: str, value: str, *, mixed: bool = False) -> tuple[str, str]:
    """The sign and the tone of an outcome, a problem, a group or a class of addresses; others have none. `mixed`: rows
    with a good outcome may need attention, so that this has none either."""
    if kind == "problem" and value in CATALOGUE:
        severity = str(CATALOGUE[value].severity)
        return SEVERITY_SIGNS[severity], severity
    if kind == "address" and value in ADDRESS_LABELS:
        return ADDRESS_LABELS[value].sign, ADDRESS_LABELS[value].tone
    label = GROUPS.get(value) if kind == "group" else VERDICTS.get(value) if kind == "outcome" else None
    if label is None or (mixed and kind == "outcome" and label.tone == "good"):
        return "", ""
    return SIGNS[label.tone], label.tone
