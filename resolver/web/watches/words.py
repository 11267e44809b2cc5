"""Changes and runs of a watch in words: what happened, and what to do or what happens next."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from doi_reading import CATALOGUE
from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.redirect.destination import NOWHERE
from resolver.domain.report.correction import OTHER_WORK
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import DELETED
from resolver.models import RunState, Watch, WatchChange, WatchRun
from resolver.services.watches.row_states import CONFIRMED_AFTER
from resolver.web.lookups.next_steps import describe_record_that_leads_nowhere
from resolver.web.wording.tone_signs import Toned
from resolver.web.wording.translate_message import translate_message, translate_text
from resolver.web.wording.verdicts import VERDICTS


@dataclass(frozen=True, slots=True)
class ChangeWords(Toned):
    """`happened` is a few words, `advice` a sentence. `tone` is a colour, and never shown without the words."""

    happened: str
    advice: str
    tone: str


def describe_change(outcome: str, *, works: bool, doi: str = "", ra: str = "", suggestion: str = "") -> ChangeWords:
    """Return the words for a row with this outcome, which may be one of WATCHED_FAULTS."""
    if works:
        return ChangeWords(_("Works again"), _("Nothing to do."), "good")
    advice = _advise(outcome, doi, ra, suggestion if suggestion != doi else "")
    if outcome == DELETED:
        return ChangeWords(_("Leads to its agency’s page for deleted DOIs"), advice, "warn")
    if outcome in (*NOWHERE, OTHER_WORK):
        return ChangeWords(translate_text(CATALOGUE[outcome].title), advice, "warn")
    verdict = VERDICTS.get(outcome, VERDICTS[""])
    return ChangeWords(str(verdict.headline), advice, verdict.tone)


def describe_stored(change: WatchChange) -> ChangeWords:
    """Return the words for a stored change."""
    return describe_change(
        change.outcome, works=change.works, doi=change.doi, ra=change.ra, suggestion=change.suggestion
    )


def _advise(outcome: str, doi: str, ra: str, suggestion: str) -> str:
    if suggestion:
        sentence = _("Use the suggested DOI %(name)s: it is registered. Check it against the publication first.")
        return sentence % {"name": suggestion}
    if outcome == DELETED:
        sentence = _(
            "Look for the DOI that replaced it, on the publisher’s website or by title. If you can’t find "
            "it, contact %(agency)s."
        )
    elif outcome == OTHER_WORK:
        return translate_text(CATALOGUE[outcome].advice)
    elif outcome in NOWHERE:
        sentence = describe_record_that_leads_nowhere(outcome, doi)
    elif outcome == Outcome.NO_VALUES:
        sentence = _("Contact %(agency)s: the record of this DOI is empty, so its link doesn’t open a page.")
    elif outcome == Outcome.NO_URL:
        sentence = _("If this DOI should open a page, contact %(agency)s: its record has no web address.")
    else:
        return str(VERDICTS.get(outcome, VERDICTS[""]).advice)
    return sentence % {"agency": translate_message(find_contact(ra).both) if ra else _("the publisher")}


_TONES = {RunState.SETTLED: "good", RunState.INCOMPLETE: "unknown", RunState.FAILED: "bad"}


@dataclass(frozen=True, slots=True)
class RunWords(Toned):
    """`word` for a tag, `tone` and `sign` beside it; `sentence` says why and what happens next, or is ""."""

    word: str
    tone: str
    sentence: str = ""


def describe_run(run: WatchRun, watch: Watch, *, latest: bool) -> RunWords:
    """Return the words for a run. Only the latest says what happens next."""
    state, sentence = RunState(run.state), _explain(run)
    if latest and state in (RunState.INCOMPLETE, RunState.FAILED):
        if watch.paused_at is not None:
            then = _("This watch is paused.")
        else:
            then = _("The next run is on %(time)s.") % {"time": _format_moment(watch.next_at)}
        sentence = f"{sentence} {then}".strip()
    return RunWords(str(state.label), _TONES.get(state, "waits"), sentence)


def describe_changes(run: WatchRun) -> str:
    """Return how many rows broke in the run, and how many work again; "" if none."""
    broke = ngettext("%(count)s broke", "%(count)s broke", run.newly_broken)
    works = ngettext("%(count)s works again", "%(count)s work again", run.newly_working)
    counted = ((broke, run.newly_broken), (works, run.newly_working))
    return ", ".join(words % {"count": intcomma(count)} for words, count in counted if count)


def _explain(run: WatchRun) -> str:
    if run.state == RunState.FAILED:
        return translate_message(run.error)
    if run.state == RunState.INCOMPLETE:
        sentence = ngettext(
            "%(unchecked)s of %(count)s row couldn’t be checked, so this run says nothing about changes.",
            "%(unchecked)s of %(count)s rows couldn’t be checked, so this run says nothing about changes.",
            run.total,
        )
        return sentence % {"unchecked": intcomma(run.unchecked), "count": intcomma(run.total)}
    if run.state == RunState.WAITING and run.checked_at is not None:
        again = _format_moment(run.checked_at + CONFIRMED_AFTER)
        return _("Some rows look newly broken. They are checked a second time after %(time)s.") % {"time": again}
    return ""


def _format_moment(moment: datetime) -> str:
    """Return the time in the reader's language, in UTC as everywhere."""
    return f"{date_format(moment.astimezone(get_current_timezone()), 'DATETIME_FORMAT')} UTC"
