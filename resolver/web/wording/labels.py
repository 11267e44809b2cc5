"""The labels of problems, groups, states, severities, forms, hosts and changes, each in one place for all pages."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from django.utils.translation import gettext_lazy

from doi_reading import CATALOGUE
from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.redirect.web_host import HostCode
from resolver.domain.report.change import Change
from resolver.domain.report.correction import Correction
from resolver.domain.report.row_task import TASKS
from resolver.domain.report.target import Target
from resolver.domain.report.triage import RowGroup
from resolver.domain.work.evidence import COULD_NOT_ASK, WorkVerdict
from resolver.domain.work.found_works import IDENTIFIER, OWN_SERVICE, SearchStatus
from resolver.services.results.row_queries import DECIDED, ELSEWHERE_WORD, TO_CORRECT_WORD, TO_REVIEW
from resolver.web.wording.tone_signs import SIGNS, Toned
from resolver.web.wording.translate_message import translate_message, translate_text
from resolver.web.wording.verdicts import VERDICTS, Verdict

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
class Label(Toned):
    """`word` for tables, and a `sentence` on what it means or what to do. `own_sign`: where that of the tone would say
    something else."""

    word: str
    sentence: str
    tone: str
    own_sign: str = ""

    @property
    def sign(self) -> str:
        return self.own_sign or SIGNS[self.tone]


GROUPS: Mapping[str, Label] = {
    RowGroup.NEEDS_WORK: Label(_("Rows that need attention"), "", "bad"),
    RowGroup.COULD_NOT_ASK: Label(_("Rows we couldn’t check"), "", "unknown"),
    RowGroup.NOT_CHECKED: Label(_("Rows not checked yet"), "", "waits"),
    RowGroup.TIDIER: Label(_("Rows that work, but need cleaning up"), "", "tidy"),
    RowGroup.FINE: Label(_("Rows that are OK"), "", "good"),
    RowGroup.EMPTY: Label(_("Rows with an empty cell"), "", "unknown"),
}
CORRECTION_LABELS: Mapping[str, Label] = {
    TO_REVIEW: Label(_("To review"), "", "warn"),
    Correction.SUGGESTED: Label(_("Suggested"), "", "warn"),
    Correction.REVIEW: Label(_("Needs a decision"), "", "bad"),
    DECIDED: Label(_("Decided"), "", "good"),
    Correction.ACCEPTED: Label(_("Accepted"), "", "good"),
    Correction.EDITED: Label(_("Another DOI chosen"), "", "good"),
    Correction.REJECTED: Label(_("Rejected"), "", "unknown", "−"),
    Correction.UNCHANGED: Label(_("Unchanged"), "", "good"),
    Correction.CLEANED: Label(_("Cleaned"), "", "good"),
    Correction.MAIN_DOI: Label(_("Main DOI"), "", "good"),
    Correction.NOT_REGISTERED: Label(_("Not registered"), "", "bad"),
    Correction.NO_DOI: Label(_("No DOI"), "", "bad"),
    Correction.UNCHECKED: Label(_("Not checked"), "", "unknown"),
}


ADDRESS_LABELS: Mapping[str, Label] = {
    Target.SAME: Label(_("Expected web address"), _("The DOI leads to the expected web address."), "good"),
    Target.SAME_PAGE: Label(
        _("Expected page, written differently"),
        _("The DOI leads to the expected page. The web address is only written differently."),
        "good",
    ),
    Target.SAME_HOST: Label(
        _("Another page of the expected site"), _("The DOI leads to another page of the expected site."), "warn"
    ),
    Target.OTHER_HOST: Label(_("Another site"), _("The DOI leads to another site."), "bad"),
    Target.NO_ADDRESS: Label(_("No web address"), _("The DOI leads nowhere: it has no web address."), "bad"),
    TO_CORRECT_WORD: Label(_("Not the expected page"), _("The DOI doesn’t lead to the expected page."), "bad"),
    ELSEWHERE_WORD: Label(_("Another site, or no web address"), _("The DOI doesn’t lead to the expected site."), "bad"),
}


WORK_LABELS: Mapping[str, Label] = {
    WorkVerdict.SAME: Label(_("The right work"), _("Your row and the record agree."), "good"),
    WorkVerdict.LOOK: Label(_("Compare the work"), _("Your row and the record differ. Compare them."), "warn"),
    WorkVerdict.DIFFERENT: Label(_("Another work"), _("The record describes another work."), "bad"),
    WorkVerdict.CANNOT_TELL: Label(_("Can’t tell"), _("Your row or the record says too little to tell."), "unknown"),
    COULD_NOT_ASK: Label(
        _("Not compared"), _("The agency gave no answer. This says nothing about the work."), "unknown"
    ),
}
"""The verdicts, the best first."""


SEARCH_LABELS: Mapping[str, Label] = {
    "Crossref": Label("Crossref", _("Crossref lists the work."), "warn"),
    "DataCite": Label("DataCite", _("DataCite lists the work."), "warn"),
    "OpenAlex": Label("OpenAlex", _("OpenAlex lists the work."), "warn"),
    OWN_SERVICE: Label(_("Own search service"), _("Your library’s search service lists the work."), "warn"),
    IDENTIFIER: Label(_("Another identifier"), _("Another identifier in the row is a DOI."), "warn"),
    SearchStatus.NONE: Label(_("Nothing found"), _("No service that was asked lists the work."), "unknown"),
    SearchStatus.TOO_LITTLE: Label(_("Too little to search for"), _("The row says too little of its work."), "unknown"),
    SearchStatus.COULD_NOT_ASK: Label(
        _("Not searched"), _("A search service gave no answer. This says nothing about the work."), "unknown"
    ),
}
"""What a search came to, found works first."""


UNREGISTERED = Label(_("No web address"), _("The DOI isn’t registered, so it leads nowhere."), "bad")
"""For NO_ADDRESS of a DOI that isn't registered."""


HOST_LABELS: Mapping[str, Label] = {
    HostCode.NO_SUCH_HOST: Label(
        _("Host doesn’t exist"),
        _("The server’s name no longer exists. Ask the publisher or the agency for a new web address."),
        "bad",
    ),
    HostCode.NO_ANSWER: Label(
        _("No answer"),
        _("We couldn’t connect. The server may be down for a short time, so check it again on another day."),
        "bad",
    ),
    HostCode.CERTIFICATE_ENDED: Label(
        _("Certificate expired"), _("Browsers warn readers, and many can’t go on. Tell the publisher."), "bad"
    ),
    HostCode.CERTIFICATE_OTHER_NAME: Label(
        _("Certificate for another name"),
        _("The server may belong to another person now. Browsers warn readers. Tell the publisher."),
        "bad",
    ),
    HostCode.CERTIFICATE_UNTRUSTED: Label(
        _("Certificate not trusted"),
        _("We couldn’t verify the certificate. Some browsers may accept it. Open a row to try."),
        "warn",
    ),
    HostCode.NO_SECURE_CONNECTION: Label(
        _("No secure connection"),
        _("The server answers, but not with a secure connection (TLS) that browsers accept today."),
        "bad",
    ),
    HostCode.ANSWERS: Label(
        _("Answers"), _("The server can be reached. With https, its certificate is valid."), "good"
    ),
    HostCode.NOT_CONTACTED: Label(
        _("Not contacted"), _("We only contact web servers on the public internet."), "unknown"
    ),
    HostCode.UNCHECKED: Label(
        _("Couldn’t check"), _("This says nothing about the host. Check again later."), "unknown"
    ),
    "": Label(_("Not checked yet"), "", "waits"),
}


CHANGES: Mapping[str, Label] = {
    Change.BROKEN: Label(
        _("Newly broken"), _("These worked in the earlier list. Open a row to see who to contact."), "bad", "✗"
    ),
    Change.WORKING: Label(_("Newly working"), _("Nothing to do: the error is fixed."), "good", "✓"),
    Change.ADDRESS: Label(
        _("Web address changed"),
        _("Update it if you store web addresses. DOI links don’t need to change."),
        "info",
        "→",
    ),
    Change.AGENCY: Label(_("Agency changed"), _("If you report a problem, contact the new agency."), "info", "⇄"),
    Change.OTHERWISE: Label(
        _("Other changes"),
        _("Still working or still broken, but something changed. Open a row to see what."),
        "warn",
        "!",
    ),
    Change.UNANSWERED: Label(
        _("Couldn’t be compared"),
        _("We couldn’t check these rows in at least one of the lists. Retry them there."),
        "unknown",
        "?",
    ),
    Change.ONLY_BEFORE: Label(
        _("Only in the earlier list"), _("The later list doesn’t contain this DOI."), "unknown", "−"
    ),
    Change.ONLY_AFTER: Label(
        _("Only in the later list"), _("The earlier list doesn’t contain this DOI."), "unknown", "+"
    ),
    Change.UNCHANGED: Label(_("Unchanged"), "", "unknown", "="),
}


def name_agency(ra: str) -> str:
    """The name of a Registration Agency for people; "" for none."""
    who = find_contact(ra) if ra else None
    if who is None:
        return ra
    return translate_message(who.full) if who.name == "Public" else who.name


def label_problem(code: str) -> str:
    """The name of a problem in the reader's language; an unknown code unchanged."""
    return translate_text(CATALOGUE[code].title) if code in CATALOGUE else code


_LABELS: Mapping[str, Mapping[str, Label | Verdict]] = {
    "address": ADDRESS_LABELS,
    "correction": CORRECTION_LABELS,
    "group": GROUPS,
    "outcome": VERDICTS,
    "work": WORK_LABELS,
    "found_by": SEARCH_LABELS,
}


def label_value(kind: str, value: str) -> str:
    """The label of an outcome, a problem, a group, a correction, a task or a class of addresses; an agency (`ra`) or a
    host unchanged."""
    if kind == "problem":
        return label_problem(value)
    if kind == "task":
        return translate_message(next((rows.sentence for task, rows in TASKS.items() if task == value), value))
    label = _LABELS.get(kind, {}).get(value)
    return str(label.word) if label else value


def get_sign_and_tone(kind: str, value: str, *, mixed: bool = False) -> tuple[str, str]:
    """The sign and the tone of an outcome, a problem, a group or a class of addresses; others have none. `mixed`: rows
    with a good outcome may need attention, so that this has none either."""
    if kind == "problem" and value in CATALOGUE:
        severity = str(CATALOGUE[value].severity)
        return SEVERITY_SIGNS[severity], severity
    label = _LABELS.get(kind, {}).get(value)
    if label is None or (mixed and kind == "outcome" and label.tone == "good"):
        return "", ""
    return label.sign, label.tone
