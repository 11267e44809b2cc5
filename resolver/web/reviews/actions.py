"""What the owner of a list does on its review page: each action is a form, and returns to the page, at the next row."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import BigAutoField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from resolver.domain.foreign_text import parse_whole_number
from resolver.domain.report.correction import Correction
from resolver.models import LAST_LINE, Job, Row
from resolver.services.accounts.owners import get_decider_name
from resolver.services.jobs.lifecycle import JobStillRunning
from resolver.services.lookups.look_up import LookupPaused
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.results.row_numbers import number_rows
from resolver.services.results.row_queries import find_neighbours
from resolver.services.reviews.action_log import NothingToUndo, undo_action
from resolver.services.reviews.bulk_decisions import CountDiffers, decide_rows
from resolver.services.reviews.decisions import DecidedMeanwhile, Decider, NoProposal, SeenState, decide_row
from resolver.services.reviews.typed_doi import DoiNotChecked, TypedDoi, UnusableDoi, check_typed_doi
from resolver.services.storage.clock import read_clock
from resolver.services.storage.keyset import Edge
from resolver.web.jobs.access import get_own_job_or_404
from resolver.web.reviews.address import ReviewAddress
from resolver.web.reviews.cards import Refused
from resolver.web.reviews.choices import KEEP, may_keep_cell
from resolver.web.reviews.page import Refusal, render_review
from resolver.web.wording.labels import CORRECTION_LABELS
from resolver.web.wording.text_filters import plain_text
from resolver.web.wording.translate_message import translate_message


def _review_action(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the owner's list and the address of the page to the view. If nothing is stored, the page says why."""

    @wraps(view)
    def answer(request: HttpRequest, pk: UUID, **place: int) -> HttpResponse:
        job = get_own_job_or_404(request, pk)
        address = ReviewAddress.from_field(request.POST.get("back", ""))
        try:
            return view(request, job, address, **place)
        except Refusal as refusal:
            return render_review(request, job, address, refusal)
        except (DecidedMeanwhile, NoProposal, CountDiffers, NothingToUndo, JobStillRunning) as error:
            return render_review(request, job, address, Refusal(409, (_explain(error),)))
        except (Job.DoesNotExist, Row.DoesNotExist) as error:
            raise Http404 from error

    return answer


@require_POST
@_review_action
def decide(request: HttpRequest, job: Job, address: ReviewAddress, line: int) -> HttpResponse:
    """Store the decision about one row, if the row is still as the page showed it."""
    row = get_object_or_404(Row, job=job, line=min(line, LAST_LINE))
    decision = request.POST.get("decision", "")
    if decision not in ("", Correction.ACCEPTED, Correction.REJECTED):
        raise Http404
    proposal = request.POST.get("proposal") if decision else None
    typed, chosen = TypedDoi(""), request.POST.get("choice") or request.POST.get("doi", "")
    keeps = chosen == KEEP and decision == Correction.ACCEPTED and may_keep_cell(row)
    if decision == Correction.ACCEPTED and not chosen.strip():
        raise Refusal(422, typed={row.line: Refused("", _("Choose a DOI or enter one."))})
    chosen = row.doi if keeps else chosen
    if decision == Correction.ACCEPTED and (keeps or chosen != proposal):
        decision, typed = Correction.EDITED, TypedDoi(chosen) if keeps else _check_doi(row.line, chosen)
    seen = SeenState(_parse_moment(request.POST.get("seen", "")))
    by = Decider(get_decider_name(request), read_clock())
    row = decide_row(job, row.line, decision, doi=typed.doi, by=by, seen=seen, proposal=proposal, keeps_cell=keeps)
    messages.success(request, _describe(row, keeps=keeps))
    if typed.main_doi:
        known = _("The DOI that you entered is an alias. The main DOI is %(name)s.")
        messages.info(request, known % {"name": plain_text(typed.main_doi)})
    if "row" in request.POST:  # entered on the page of the row
        query = request.POST["row"]
        return redirect(reverse("job-row", args=[job.pk, row.line]) + (query if query.startswith("?") else ""))
    return _show_next_row(job, address, row.line)


@require_POST
@_review_action
def decide_all(request: HttpRequest, job: Job, address: ReviewAddress) -> HttpResponse:
    """Accept or reject all rows of the kind that the page shows, if there are as many as it said."""
    decision = request.POST.get("decision", "")
    expected = parse_whole_number(request.POST.get("expected", ""), LAST_LINE)
    if decision not in (Correction.ACCEPTED, Correction.REJECTED) or expected is None:
        raise Http404
    by = Decider(get_decider_name(request), read_clock())
    changed = decide_rows(job, address.build_row_filter(), decision, expected=expected, by=by)
    if decision == Correction.ACCEPTED:
        done = ngettext("%(rows)s row accepted.", "%(rows)s rows accepted.", changed)
    else:
        done = ngettext("%(rows)s row rejected.", "%(rows)s rows rejected.", changed)
    messages.success(request, done % {"rows": intcomma(changed)})
    return redirect(address.go_to_first_page().build_url(job))


@require_POST
@_review_action
def undo(request: HttpRequest, job: Job, address: ReviewAddress) -> HttpResponse:
    """Undo the action that the page shows as the last one."""
    number = parse_whole_number(request.POST.get("action", ""), BigAutoField.MAX_BIGINT)
    if number is None:
        raise Http404
    action = undo_action(job, number)
    done = ngettext("Undone: %(rows)s row.", "Undone: %(rows)s rows.", action.rows)
    messages.success(request, done % {"rows": intcomma(action.rows)})
    if action.line is None:
        return redirect(address.build_url(job))
    row = Row.objects.get(job=job, line=action.line)
    return _show_row(job, address.go_to_group_of(row), row.line)


def _check_doi(line: int, text: str) -> TypedDoi:
    """The DOI that was chosen or entered for a row. Raises Refusal with what it was."""
    try:
        return check_typed_doi(text, proxy=proxy_from_settings(), now=read_clock())
    except (UnusableDoi, DoiNotChecked) as error:
        status = 422 if isinstance(error, UnusableDoi) else 503
        raise Refusal(status, typed={line: Refused(text[:1000], translate_message(str(error)))}) from error
    except LookupPaused as pause:
        typed = {line: Refused(text[:1000], translate_message(pause.why))}
        raise Refusal(503, typed=typed, retry_after=pause.seconds) from pause


def _parse_moment(text: str) -> datetime | None:
    """The time of the decision that a page showed; None if it showed none. A forged time matches no row."""
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError as error:
        raise Http404 from error


def _explain(error: Exception) -> str:
    match error:
        case DecidedMeanwhile():
            return _describe_meanwhile(error.row)
        case NoProposal():
            return _("There is no registered DOI to accept.")
        case CountDiffers():
            sentence = ngettext(
                "Now %(rows)s row is of this kind. Nothing was changed. Look at the rows again.",
                "Now %(rows)s rows are of this kind. Nothing was changed. Look at the rows again.",
                error.found,
            )
            return sentence % {"rows": intcomma(error.found)}
        case NothingToUndo():
            return _("Another action came after it, or it was undone already. Nothing was changed.")
        case _:
            return _("We’re still checking this list. You can review it when it’s finished.")


def _find_number(row: Row) -> str:
    """The number of the row on pages; one query."""
    return number_rows(row.job, [row])[0].number


def _describe(row: Row, *, keeps: bool) -> str:
    number = {"number": _find_number(row)}
    if keeps:
        return _("Row %(number)s: the cell stays as it is.") % number
    if not row.decision:
        return _("Row %(number)s: decision taken back.") % number
    if row.decision == Correction.REJECTED and not row.decided_proposal:
        return _("Row %(number)s: left for the source.") % number
    if row.decision == Correction.REJECTED:
        return _("Row %(number)s: rejected.") % number
    words = {**number, "doi": plain_text(row.decided_doi)}
    if row.decision == Correction.ACCEPTED:
        return _("Row %(number)s: accepted %(doi)s.") % words
    return _("Row %(number)s: %(doi)s chosen.") % words


def _describe_meanwhile(row: Row) -> str:
    number = _find_number(row)
    if not row.decision:
        sentence = _("Row %(number)s has changed since you saw it. Your decision wasn’t saved. Look at the row again.")
        return sentence % {"number": number}
    who = plain_text(row.decided_by) or _("a session without an account")
    sentence = _("Row %(number)s was decided meanwhile: %(decision)s (%(who)s, %(when)s). Your decision wasn’t saved.")
    return sentence % {
        "number": number,
        "decision": CORRECTION_LABELS[row.decision].word,
        "who": who,
        "when": date_format(timezone.localtime(row.decided_at), "DATETIME_FORMAT"),
    }


def _show_next_row(job: Job, address: ReviewAddress, line: int) -> HttpResponse:
    """Redirect to the next row of the page's rows, else to the one before."""
    before, after = find_neighbours(job, address.build_row_filter(), line)
    beside = after or before
    return _show_row(job, address, beside) if beside else redirect(address.go_to_first_page().build_url(job))


def _show_row(job: Job, address: ReviewAddress, line: int) -> HttpResponse:
    """Redirect to the row, on a page that begins where the present one does, or at the row if that begins later."""
    edge = address.edge
    if edge is not None and (edge.backwards or edge.values[0] >= line):
        address = replace(address, edge=Edge((line - 1,)) if line > 1 else None)
    return redirect(f"{address.build_url(job)}#row-{line}")
