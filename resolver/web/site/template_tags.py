"""For templates: the other runs of a list, what a list comes to in short, how long a thing is kept; settings make them
built in. The parts of pages that show this stand on pages of several modules."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver import conf
from resolver.domain.report.triage import Group
from resolver.models import Job, Lookup
from resolver.services.cleanup import retention_start
from resolver.services.comparisons import rerun
from resolver.services.owners import reader_of
from resolver.services.results.facets import count_groups

register = template.Library()
OTHERS = 50  # lists that are offered


@register.simple_tag(takes_context=True)
def runs_of(context: Mapping[str, Any], job: Job) -> dict[str, Any]:
    """Of a list that its owner looks at: the other runs, newest first, the one to compare with first of all, and
    lists of other files. Two queries, three when the first run is named. Of a list shared with somebody: the address to
    pass on."""
    request = context["request"]
    mine = job.owner == reader_of(request)
    if not mine and job.share_token:
        return {"mine": False, "address": request.build_absolute_uri(reverse("shared", args=[job.share_token]))}
    if not mine or not job.ended:
        return {"mine": mine}
    same = list(rerun.runs_of(job)[:OTHERS])
    return {
        "mine": True,
        "same": [run for run in same if run.ended],
        "running": next((run for run in same if not run.ended), None),
        "nearest": rerun.run_to_compare_with(same, job),
        "others": rerun.other_lists(job, OTHERS),
    }


@register.simple_tag(takes_context=True)
def retention(context: Mapping[str, Any], *shown: object) -> dict[str, Any]:
    """For how many days the first of these that is a list or a lookup is kept, until when, and whether it is another's;
    without one, for how many days anything is."""
    one = next((each for each in shown if isinstance(each, Job | Lookup)), None)
    keep = conf.keep_for()
    return {
        "days": keep.days if keep else 0,
        "until": retention_start(one) if one else None,
        "theirs": one is not None and one.owner != reader_of(context["request"]),
    }


@register.filter
def brief_summary(job: Job) -> str:
    """What is to be done about the list, in a few words; nothing while there is nothing to be told, or where it ended
    before its last row."""
    counted = count_groups(job)
    work, unasked = counted[Group.NEEDS_WORK], counted[Group.COULD_NOT_ASK]
    told = []
    if work:
        told.append(ngettext("%(count)s needs attention", "%(count)s need attention", work) % {"count": intcomma(work)})
    if unasked:
        told.append(
            ngettext("%(count)s couldn’t be checked", "%(count)s couldn’t be checked", unasked)
            % {"count": intcomma(unasked)}
        )
    left = counted[Group.NOT_ASKED] if job.ended else 0
    if left:
        told.append(ngettext("%(count)s not checked", "%(count)s not checked", left) % {"count": intcomma(left)})
    if not told and job.ended and job.done and job.layout.get("complete") is not False:
        return _("nothing to do")
    return ", ".join(told)
