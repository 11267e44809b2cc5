"""Template tags for lists: their runs, their results in short, how long they are kept. Built in by the settings."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver import conf
from resolver.domain.report.correction import get_corrected_doi
from resolver.domain.report.row_task import OF_WORKS, RowTask
from resolver.domain.report.triage import RowGroup
from resolver.models import Job, Row
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.comparisons import reruns
from resolver.services.maintenance.cleanup import get_removal_time
from resolver.services.results.facets import count_groups
from resolver.services.results.task_counts import count_tasks
from resolver.services.watches.history import find_watch_of_list, find_watch_of_run

register = template.Library()


@register.simple_tag
def tabs_of(job: Job) -> tuple[tuple[str, str, str], ...]:
    """The pages of a list: the name of each address, its words, and what stands beside them. No query, unless the list
    is of an earlier version."""
    later = "" if job.ended else _("later")
    tasks = count_tasks(job) if job.ended else {}
    to_decide = sum(tasks.get(task, 0) for task in (RowTask.DECIDE, *OF_WORKS))
    return (
        ("job", _("Overview"), ""),
        ("job-rows", _("Rows"), intcomma(job.total) if job.total else ""),
        ("job-review", _("Review"), later or (intcomma(to_decide) if to_decide else "")),
        ("job-files", _("Files"), later),
        ("job-follow", _("Watch and compare"), ""),
    )


@register.simple_tag(takes_context=True)
def owns(context: Mapping[str, Any], job: Job) -> bool:
    """Whether the reader of the page owns the list."""
    return bool(job.owner == get_owner_for_reading(context["request"]))


@register.filter
def amount(job: Job) -> str:
    """How many rows a list has, or references and fields with a DOI, as far as they are read."""
    if job.references:
        references = ngettext("%(count)s reference", "%(count)s references", job.references)
        fields = ngettext("%(count)s DOI field", "%(count)s DOI fields", job.total)
        return f"{references % {'count': intcomma(job.references)}} · {fields % {'count': intcomma(job.total)}}"
    if job.layout.get("complete") is False:
        text = ngettext("at least %(count)s row", "at least %(count)s rows", job.total)
    else:
        text = ngettext("%(count)s row", "%(count)s rows", job.total)
    return text % {"count": intcomma(job.total)}


@register.filter
def corrected_doi(row: Row) -> str:
    """The DOI that results with corrected DOIs have for the row; "" for none."""
    return get_corrected_doi(row).doi


@register.simple_tag(takes_context=True)
def runs_of(context: Mapping[str, Any], job: Job) -> dict[str, Any]:
    """For the owner: the run to compare with and other runs of the file, newest first, each with its label; lists of
    other files; the list's watch, or that of the run. Five or six queries. For a visitor: the link to pass on."""
    request = context["request"]
    if job.owner != get_owner_for_reading(request):
        shared = reverse("shared", args=[job.share_token]) if job.share_token else ""
        return {"mine": False, "address": request.build_absolute_uri(shared) if shared else ""}
    if not job.ended:
        return {"mine": True}
    same = list(reruns.find_other_runs(job)[: reruns.MOST_OFFERED])
    nearest, watched = reruns.choose_run_to_compare(same, job), reruns.find_runs_of_watches(same)
    minutes = Counter(_label_minute(run) for run in (job, *same))
    labels = [
        (run, label_run(run, of_watch=run.pk in watched, with_seconds=minutes[_label_minute(run)] > 1))
        for run in same
        if run.ended
    ]
    return {
        "mine": True,
        "nearest": next(((run, label) for run, label in labels if run == nearest), None),
        "same": [(run, label) for run, label in labels if run != nearest],
        "running": next((run for run in same if not run.ended), None),
        "others": reruns.find_other_lists(job, reruns.MOST_OFFERED),
        "watch": find_watch_of_list(job),
        "watch_of_run": find_watch_of_run(job) if job.rerun_of_id else None,
    }


def label_run(run: Job, *, of_watch: bool, with_seconds: bool) -> str:
    """When a run was started, and how it differs from other runs of the same list."""
    when = date_format(run.created_at, "MOMENT_FORMAT") if with_seconds else _label_minute(run)
    kinds = [word for word, applies in ((_("quick"), run.quick), (_("run of a watch"), of_watch)) if applies]
    return f"{when} ({', '.join(kinds)})" if kinds else when


def _label_minute(run: Job) -> str:
    return date_format(run.created_at, "DATETIME_FORMAT")


@register.simple_tag
def compared_run(run: Job) -> str:
    """The label of one of two compared runs: with seconds, as both may be of one minute. One query."""
    return label_run(run, of_watch=bool(reruns.find_runs_of_watches([run])), with_seconds=True)


@register.simple_tag(takes_context=True)
def retention(context: Mapping[str, Any], job: Job | None) -> dict[str, Any]:
    """For how many days a job is kept, until when, and whether someone else owns it; without a job only the days.
    0 days: until it is deleted."""
    keep_for = conf.retention_period()
    return {
        "days": keep_for.days if keep_for else 0,
        "until": get_removal_time(job) if job else None,
        "theirs": bool(job and job.owner != get_owner_for_reading(context["request"])),
    }


@register.filter
def brief_summary(job: Job) -> str:
    """What is left to do with a list, in a few words; "" if nothing is known yet. No query: the tasks of a list of an
    earlier version aren't counted here."""
    groups, tasks = count_groups(job), job.task_counts or {}
    work = groups[RowGroup.NEEDS_WORK] + groups[RowGroup.EMPTY] if job.task_counts is None else 0
    decide, elsewhere, back = (tasks.get(task, 0) for task in (RowTask.DECIDE, RowTask.ELSEWHERE, RowTask.BACK))
    compare = sum(tasks.get(task, 0) for task in OF_WORKS)
    failed, left = groups[RowGroup.COULD_NOT_ASK], groups[RowGroup.NOT_CHECKED] if job.ended else 0
    parts = {
        ngettext("%(count)s needs attention", "%(count)s need attention", work): work,
        ngettext("%(count)s to decide", "%(count)s to decide", decide): decide,
        ngettext("%(count)s leads elsewhere", "%(count)s lead elsewhere", elsewhere): elsewhere,
        ngettext("%(count)s to compare", "%(count)s to compare", compare): compare,
        ngettext("%(count)s for the source", "%(count)s for the source", back): back,
        ngettext("%(count)s couldn’t be checked", "%(count)s couldn’t be checked", failed): failed,
        ngettext("%(count)s not checked", "%(count)s not checked", left): left,
    }
    unread = job.error or job.layout.get("complete") is False
    if job.ended and job.done and not unread and not any(parts.values()):
        return _("nothing to do")
    return ", ".join(part % {"count": intcomma(count)} for part, count in parts.items() if count)
