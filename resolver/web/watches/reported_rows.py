"""The rows that a mail or an entry of the feed reports: what broke, then what works again, bounded and in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.models import Watch, WatchChange, WatchRun
from resolver.services.watches.history import find_run_changes
from resolver.web.watches.words import describe_stored
from resolver.web.wording.text_filters import one_line, plain_text

MOST_REPORTED_ROWS = 50  # of a mail, and of an entry


@dataclass(frozen=True, slots=True)
class ReportedRow:
    """A row in plain text, each part in one line without invisible characters. `advice`: "" if nothing is to do."""

    row: str
    name: str
    happened: str
    advice: str


@dataclass(frozen=True, slots=True)
class ReportedPart:
    """The rows of one watch that broke, or that work again."""

    watch: Watch
    works: bool
    rows: Sequence[ReportedRow]


def read_reported_parts(runs: Sequence[WatchRun]) -> tuple[list[ReportedPart], int]:
    """Return the changes of the runs, MOST_REPORTED_ROWS at most, what broke first, and how many more there are."""
    watches = {run.watch_id: run.watch for run in runs}
    parts: list[ReportedPart] = []
    left = MOST_REPORTED_ROWS
    for works in (False, True):
        for watch_id, watch in watches.items():
            of_watch = [run for run in runs if run.watch_id == watch_id]
            found = list(find_run_changes(of_watch, works=works)[:left]) if left else []
            left -= len(found)
            if found:
                parts.append(ReportedPart(watch, works, [_describe(change) for change in found]))
    total = sum(run.newly_broken + run.newly_working for run in runs)
    return parts, max(0, total - (MOST_REPORTED_ROWS - left))


def name_watch(watch: Watch) -> str:
    """Return the title of the watch in one line, without any character that can't be seen."""
    return plain_text(one_line(watch.title), 60) or _("(no name)")


def name_changes(runs: Sequence[WatchRun]) -> str:
    """Return the changes as a headline: "2 DOIs broke in Catalogue spring, 1 works again"."""
    watches = {run.watch_id: run.watch for run in runs}
    broke, works = sum(run.newly_broken for run in runs), sum(run.newly_working for run in runs)
    if len(watches) == 1:
        place = name_watch(next(iter(watches.values())))
        broke_words = ngettext("%(count)s DOI broke in %(list)s", "%(count)s DOIs broke in %(list)s", broke)
        works_words = ngettext("%(count)s DOI works again in %(list)s", "%(count)s DOIs work again in %(list)s", works)
    else:
        place = intcomma(len(watches))
        broke_words = ngettext("%(count)s DOI broke in %(list)s lists", "%(count)s DOIs broke in %(list)s lists", broke)
        works_words = ngettext(
            "%(count)s DOI works again in %(list)s lists", "%(count)s DOIs work again in %(list)s lists", works
        )
    if not broke:
        return works_words % {"count": intcomma(works), "list": place}
    headline = broke_words % {"count": intcomma(broke), "list": place}
    if not works:
        return headline
    also = ngettext("%(count)s works again", "%(count)s work again", works) % {"count": intcomma(works)}
    return f"{headline}, {also}"


def name_more(more: int) -> str:
    """Return how many changes aren't among the rows; "" for none."""
    if not more:
        return ""
    return ngettext("… and %(count)s more change", "… and %(count)s more changes", more) % {"count": intcomma(more)}


def _describe(change: WatchChange) -> ReportedRow:
    words = describe_stored(change)
    return ReportedRow(
        _("Row %(row)s") % {"row": change.number},
        plain_text(one_line(change.doi or change.input), 200),
        words.happened,
        "" if change.works else plain_text(one_line(words.advice), 400),
    )
