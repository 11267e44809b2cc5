"""The state of a run in words: a tag, and a sentence on what happens next."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.models import RunState, Watch, WatchRun
from resolver.services.watches.row_states import CONFIRMED_AFTER
from resolver.web.wording.tones import Toned
from resolver.web.wording.translate_message import translate_message

_TONES = {RunState.SETTLED: "good", RunState.INCOMPLETE: "unknown", RunState.FAILED: "bad"}


@dataclass(frozen=True, slots=True)
class RunWords(Toned):
    """`word` for a tag, `tone` and `sign` beside it; `sentence` says why and what happens next, or is ""."""

    word: str
    tone: str
    sentence: str = ""


def describe_run(run: WatchRun, watch: Watch, *, latest: bool) -> RunWords:
    """Return the words for a run. Only the latest says what happens next."""
    state = RunState(run.state)
    tone = _TONES.get(state, "waits")
    sentence = _explain(run, state)
    if latest and state in (RunState.INCOMPLETE, RunState.FAILED):
        sentence = f"{sentence} {_say_next(watch)}".strip()
    return RunWords(str(state.label), tone, sentence)


def describe_changes(run: WatchRun) -> str:
    """Return how many rows broke in the run, and how many work again; "" if none."""
    broke = ngettext("%(count)s broke", "%(count)s broke", run.newly_broken)
    works = ngettext("%(count)s works again", "%(count)s work again", run.newly_working)
    counted = ((broke, run.newly_broken), (works, run.newly_working))
    return ", ".join(words % {"count": intcomma(count)} for words, count in counted if count)


def _explain(run: WatchRun, state: RunState) -> str:
    if state == RunState.FAILED:
        return translate_message(run.error)
    if state == RunState.INCOMPLETE:
        sentence = ngettext(
            "%(unchecked)s of %(count)s row couldn’t be checked, so this run says nothing about changes.",
            "%(unchecked)s of %(count)s rows couldn’t be checked, so this run says nothing about changes.",
            run.total,
        )
        return sentence % {"unchecked": intcomma(run.unchecked), "count": intcomma(run.total)}
    if state == RunState.WAITING and run.checked_at is not None:
        again = format_moment(run.checked_at + CONFIRMED_AFTER)
        return _("Some rows look newly broken. They are checked a second time after %(time)s.") % {"time": again}
    return ""


def _say_next(watch: Watch) -> str:
    if watch.paused_at is not None:
        return _("This watch is paused.")
    return _("The next run is on %(time)s.") % {"time": format_moment(watch.next_at)}


def format_moment(moment: datetime) -> str:
    """Return the time in the reader's language, in UTC as everywhere."""
    return f"{date_format(moment.astimezone(get_current_timezone()), 'DATETIME_FORMAT')} UTC"
