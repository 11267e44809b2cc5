"""The pages of an account's webhooks: made, tried, deleted, and what was sent to them."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from resolver import tasks
from resolver.models import Webhook, WebhookEvent
from resolver.proxy.public_addresses import ForbiddenAddress
from resolver.services.storage.clock import read_clock
from resolver.services.webhooks import registration
from resolver.services.webhooks.deliveries import list_deliveries
from resolver.services.webhooks.events import record_test
from resolver.web.account.forms import EVENT_LABELS, WebhookForm
from resolver.web.account.page import get_account
from resolver.web.wording.translate_message import translate_text


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def show_webhooks(request: HttpRequest) -> HttpResponse:
    """The account's webhooks, and the form for a new one. Its secret is shown only on the page that creates it."""
    form = WebhookForm(request.POST if request.method == "POST" else None)
    made: Webhook | None = None
    if form.is_valid():
        try:
            made = registration.create_webhook(
                get_account(request),
                form.cleaned_data["url"],
                portal=request.build_absolute_uri("/"),
                now=read_clock(),
                events=form.cleaned_data["events"],
                name=form.cleaned_data["name"],
            )
        except ForbiddenAddress as error:
            sentence = _("No events can be sent to this web address: {reason}.").format(
                reason=translate_text(error.reason)
            )
            form.add_error("url", sentence)
        except registration.TooManyWebhooks:
            most = registration.MOST_WEBHOOKS
            form.add_error(None, _("You have {most} webhooks, the most possible. Delete one first.").format(most=most))
        else:
            form = WebhookForm()
    webhooks = [(one, _name_events(one)) for one in registration.list_webhooks(get_account(request))]
    context = {"form": form, "made": made, "webhooks": webhooks}
    return render(request, "account/webhooks.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
@login_required
def show_webhook(request: HttpRequest, pk: UUID) -> HttpResponse:
    """One webhook, and the newest of its deliveries."""
    webhook = _get_webhook(request, pk)
    deliveries = list_deliveries(webhook)[:50]  # the API has all
    labelled = [(one, EVENT_LABELS[WebhookEvent(one.event)]) for one in deliveries]
    waiting = any(one.next_at is not None for one, _event in labelled)
    context = {"webhook": webhook, "events": _name_events(webhook), "deliveries": labelled, "waiting": waiting}
    return render(request, "account/webhook.html", context)


@never_cache
@require_POST
@login_required
def send_test(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Let a worker send a test event, as it sends all events."""
    webhook = _get_webhook(request, pk)
    if webhook.disabled_at is not None:
        raise Http404
    record_test(webhook, read_clock())
    tasks.send_due_webhooks()
    messages.success(request, _("A test is on its way. Refresh this page in a moment to see the result."))
    return redirect("webhook", pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def remove_webhook(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask, then delete."""
    webhook = _get_webhook(request, pk)
    if request.method != "POST":
        return render(request, "account/confirm_webhook_deletion.html", {"webhook": webhook})
    registration.delete_webhook(webhook)
    messages.success(request, _("The webhook is deleted. It gets no more events."))
    return redirect("webhooks")


def _name_events(webhook: Webhook) -> list[str]:
    return [str(EVENT_LABELS[WebhookEvent(event)]) for event in webhook.events]


def _get_webhook(request: HttpRequest, pk: UUID) -> Webhook:
    found: Webhook = get_object_or_404(registration.list_webhooks(get_account(request)), pk=pk)
    return found
