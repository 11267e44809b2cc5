"""Webhooks of an account, and what was sent to them."""

from http import HTTPStatus
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from resolver.api.openapi.operations import operation, removal
from resolver.api.openapi.parameters import IDEMPOTENCY_KEY, NEWEST_FIRST, PK
from resolver.api.problem_types import InvalidInput, KeyReused, KeyUnderWay, TooManyWebhooksMade
from resolver.api.protocol.etags import TaggedView
from resolver.api.protocol.idempotency import IdempotentView, idempotent
from resolver.api.protocol.pagination import NewestFirstPagination, page_of
from resolver.api.serializers.kept_serializers import represent
from resolver.api.serializers.requests import WebhookRequestSerializer
from resolver.api.serializers.webhooks import DeliverySerializer, NewWebhookSerializer, WebhookSerializer
from resolver.models import Webhook
from resolver.proxy.public_addresses import ForbiddenAddress
from resolver.services.storage.clock import read_clock
from resolver.services.webhooks import registration
from resolver.services.webhooks.deliveries import list_deliveries


class Webhooks(IdempotentView):
    """The webhooks of the caller's account."""

    @operation(
        "listWebhooks",
        "Webhooks",
        "List your webhooks",
        parameters=NEWEST_FIRST,
        answer=page_of(WebhookSerializer, "webhooks", "newest first"),
        says="A page of your webhooks, newest first.",
    )
    def get(self, request: Request) -> Response:
        """Return a page, without the secrets."""
        return Response(NewestFirstPagination().build_page(_list_webhooks(request), request, WebhookSerializer))

    @operation(
        "createWebhook",
        "Webhooks",
        "Create a webhook",
        description="Name an address to which the portal sends the end of your jobs and the changes of your watches, "
        "signed as Standard Webhooks says. It must be on the public Internet.",
        parameters=[IDEMPOTENCY_KEY],
        body=WebhookRequestSerializer,
        changes=True,
        status=HTTPStatus.CREATED,
        answer=NewWebhookSerializer,
        says="The webhook with its secret, which is not shown again.",
        errors=[TooManyWebhooksMade, KeyReused, KeyUnderWay],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Store the webhook."""
        wanted = WebhookRequestSerializer.parse(request.data)
        if not isinstance(request.user, User):
            raise NotAuthenticated("Webhooks belong to an account. Send an API token, or log in.")
        try:
            webhook = registration.create_webhook(
                request.user,
                wanted["url"],
                portal=request.build_absolute_uri("/"),
                now=read_clock(),
                events=wanted["events"],
                name=wanted["name"],
                webhook_id=self.make_object_id(),
            )
        except ForbiddenAddress as error:
            raise InvalidInput(errors={"url": [f"No events can be sent to this URL: {error.reason}."]}) from error
        except registration.TooManyWebhooks as error:
            raise TooManyWebhooksMade from error
        address = reverse("api:webhook", args=[webhook.pk], request=request)
        return Response(represent(NewWebhookSerializer, webhook), status=201, headers={"Location": address})


class OneWebhook(TaggedView):
    """One webhook of the caller's account."""

    @operation(
        "getWebhook",
        "Webhooks",
        "Get a webhook",
        parameters=[PK],
        answer=WebhookSerializer,
        says="The webhook, without its secret.",
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return the webhook."""
        return Response(represent(WebhookSerializer, _get_webhook(request, pk)))

    @removal(
        "deleteWebhook",
        "Webhooks",
        "Delete a webhook",
        description="Delete a webhook and its deliveries. Events that wait are not sent.",
        says="The webhook is deleted.",
    )
    def delete(self, request: Request, pk: UUID) -> Response:
        """Delete it."""
        registration.delete_webhook(_get_webhook(request, pk))
        return Response(status=204)


class WebhookDeliveries(APIView):
    """What was sent to a webhook."""

    @operation(
        "listDeliveries",
        "Webhooks",
        "List the deliveries of a webhook",
        description="Return the events of the last 30 days, with what came of them.",
        parameters=[PK, *NEWEST_FIRST],
        answer=page_of(DeliverySerializer, "deliveries", "newest first"),
        says="A page of deliveries, newest first.",
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return a page."""
        found = list_deliveries(_get_webhook(request, pk))
        return Response(NewestFirstPagination().build_page(found, request, DeliverySerializer))


def choose_webhook(request: Request, pk: UUID | None, *, member: str) -> Webhook | None:
    """Return the caller's webhook that the body names, None for none. Raises InvalidInput for `member` of the body if
    there is no such webhook, or it is switched off."""
    if pk is None:
        return None
    webhook = _list_webhooks(request).filter(pk=pk).first()
    if webhook is None:
        raise InvalidInput(errors={member: ["Your account has no webhook with this id."]})
    if webhook.disabled_at is not None:
        raise InvalidInput(errors={member: ["This webhook is switched off. Make a new one."]})
    return webhook


def _list_webhooks(request: Request) -> QuerySet[Webhook]:
    """Return the webhooks of the caller's account; none without an account."""
    return registration.list_webhooks(request.user) if isinstance(request.user, User) else Webhook.objects.none()


def _get_webhook(request: Request, pk: UUID) -> Webhook:
    """Return the caller's webhook. Raises Http404, also for another's."""
    return get_object_or_404(_list_webhooks(request), pk=pk)
