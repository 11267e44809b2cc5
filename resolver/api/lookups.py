"""Inspections, which touch no network; lookups of one text at the DOI proxy, and their history."""

from collections.abc import Callable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from doi_reading import fold
from resolver.api.errors import describe_problem
from resolver.api.openapi.operations import operation, removal
from resolver.api.openapi.parameters import FACETS, FLAG, IDEMPOTENCY_KEY, NEWEST_FIRST, PK, query
from resolver.api.problem_types import (
    InvalidInput,
    KeyReused,
    KeyUnderWay,
    MetadataAway,
    NotRegistered,
    ProblemException,
    ProxyPauses,
    TooManyRequestedDois,
)
from resolver.api.protocol.doi_limit import CountedView
from resolver.api.protocol.etags import TaggedView
from resolver.api.protocol.idempotency import IdempotentView, idempotent
from resolver.api.protocol.pagination import NewestFirstPagination, page_of
from resolver.api.protocol.query_parameters import parse_filters, parse_flag
from resolver.api.serializers.kept_serializers import represent, represent_all
from resolver.api.serializers.lookups import (
    InspectionSerializer,
    InspectionsSerializer,
    LookupResultsSerializer,
    LookupSerializer,
    MetadataSerializer,
)
from resolver.api.serializers.requests import (
    InspectionsRequestSerializer,
    LookupRequestSerializer,
    find_oldest_answer,
)
from resolver.models import Lookup
from resolver.proxy.limits import Paused
from resolver.services.accounts.owners import get_owner, get_owner_for_reading
from resolver.services.lookups import history
from resolver.services.lookups.check_batch import create_lookups
from resolver.services.lookups.inspection import inspect_input
from resolver.services.lookups.look_up import LookupPaused, create_lookup
from resolver.services.lookups.metadata import UNREGISTERED, describe_work, list_names_of
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock


class Inspections(APIView):
    """Read up to 1,000 texts and say what is wrong with each. Nothing is requested or stored."""

    changes_nothing = True

    @operation(
        "inspect",
        "Inspections",
        "Read texts without the network",
        description="Say for each text which DOI it means, and what is wrong with it. Nothing is requested or stored.",
        body=InspectionsRequestSerializer,
        changes=True,
        answer=InspectionsSerializer,
        says="An inspection for each text, in your order.",
    )
    def post(self, request: Request) -> Response:
        """Return the readings in the order of the inputs."""
        readings = [inspect_input(text) for text in InspectionsRequestSerializer.parse(request.data)["inputs"]]
        return Response({"results": represent_all(InspectionSerializer, readings)})


class Lookups(CountedView, IdempotentView):
    """The caller's lookups, newest first; POST looks up one text and stores the result."""

    @operation(
        "listLookups",
        "Lookups",
        "List your lookups",
        parameters=[
            query("q", "Only lookups with this text in the input or the DOI.", "10.1000"),
            *FACETS,
            *NEWEST_FIRST,
        ],
        answer=page_of(LookupSerializer, "lookups", "newest first"),
        says="A page of your lookups, newest first.",
    )
    def get(self, request: Request) -> Response:
        """Return a page, filtered by q, outcome, problem and ra."""
        q = request.query_params.get("q", "")
        found = history.find_lookups(get_owner_for_reading(request), q=q, **parse_filters(request))
        return Response(NewestFirstPagination().build_page(found, request, LookupSerializer))

    @operation(
        "createLookup",
        "Lookups",
        "Look up one DOI or several",
        description="Ask the DOI proxy about the DOI in a text, and store the result in your history. A proxy that "
        "can't be reached is an outcome too, and says nothing about the DOI. Several texts have a result each: a "
        "text that couldn't be requested has its own error, and the others are stored.",
        parameters=[IDEMPOTENCY_KEY],
        body=LookupRequestSerializer,
        changes=True,
        status=HTTPStatus.CREATED,
        answer=LookupSerializer,
        says="The lookup of `input`, whatever its outcome.",
        also={HTTPStatus.OK: (LookupResultsSerializer, "A result for each of `inputs`, in your order.")},
        errors=[ProxyPauses, TooManyRequestedDois, KeyReused, KeyUnderWay],
    )
    @idempotent
    def post(self, request: Request) -> Response:
        """Ask the proxy. A failure is an outcome, not an error; but while all requests pause for long: 503, and
        nothing is stored."""
        wanted, now = LookupRequestSerializer.parse(request.data), read_clock()
        since = find_oldest_answer(wanted, now)
        if "inputs" in wanted:
            self.count(request, len(wanted["inputs"]), field="inputs")
            return Response({"results": _look_up_each(request, wanted["inputs"], now, since, self.make_object_id)})
        self.count(request, 1, field="input")
        try:
            lookup = create_lookup(
                wanted["input"],
                owner=lambda: get_owner(request),
                proxy=proxy_from_settings(),
                now=now,
                fresh_since=since,
                lookup_id=self.make_object_id(),
            )
        except LookupPaused as pause:
            raise ProxyPauses(str(pause), wait=pause.seconds) from pause
        address = reverse("api:lookup", args=[lookup.pk], request=request)
        data = represent(LookupSerializer, lookup, request=request)
        return Response(data, status=201, headers={"Location": address})


def _look_up_each(
    request: Request,
    texts: Sequence[str],
    now: datetime,
    since: datetime | None,
    make_id: Callable[[int], UUID | None],
) -> list[dict[str, Any]]:
    """Return a result for each text. Raises ProxyPauses if the web server runs the request again."""
    checked = {text: LookupRequestSerializer(data={"input": text}) for text in set(texts)}
    refused = {text: InvalidInput(errors=body.errors) for text, body in checked.items() if not body.is_valid()}
    accepted = [text for text in texts if text not in refused]
    try:
        found = create_lookups(
            accepted,
            owner=lambda: get_owner(request),
            proxy=proxy_from_settings(),
            now=now,
            fresh_since=since,
            ids=[one for number in range(len(accepted)) if (one := make_id(number))],
        )
    except LookupPaused as pause:
        raise ProxyPauses(str(pause), wait=pause.seconds) from pause
    rest = iter(found)
    return [_build_result(request, text, refused.get(text) or next(rest)) for text in texts]


def _build_result(request: Request, text: str, found: Lookup | LookupPaused | ProblemException) -> dict[str, Any]:
    if isinstance(found, Lookup):
        shown = represent(LookupSerializer, found, request=request)
        return {"input": text, "status": HTTPStatus.CREATED, "lookup": shown}
    problem = describe_problem(found if isinstance(found, ProblemException) else ProxyPauses(str(found)))
    return {"input": text, "status": problem["status"], "problem": problem}


class OneLookup(TaggedView):
    """One lookup of the caller's history."""

    @operation(
        "getLookup",
        "Lookups",
        "Get a lookup",
        parameters=[PK],
        answer=LookupSerializer,
        says="The lookup as it was stored.",
        tagged=True,
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return the lookup as it was stored."""
        return Response(represent(LookupSerializer, _get_lookup(request, pk), request=request))

    @removal("deleteLookup", "Lookups", "Remove a lookup from your history", says="The lookup is removed.")
    def delete(self, request: Request, pk: UUID) -> Response:
        """Remove it from the history."""
        history.delete_lookup(_get_lookup(request, pk))
        return Response(status=204)


class LookupMetadata(CountedView):
    """What a DOI of a lookup stands for, as its agency says."""

    @operation(
        "getMetadata",
        "Lookups",
        "Get the metadata of a DOI",
        description="Ask the agency of the lookup's DOI what it stands for. The answer is stored for 30 days.",
        parameters=[
            PK,
            query("doi", "Another registered DOI of the lookup, such as its suggestion.", "10.1000/182"),
            query("fresh", "1: ask again, although an answer is stored.", "1", FLAG),
        ],
        answer=MetadataSerializer,
        says="The metadata, or the reason why the agency gives none.",
        errors=[NotRegistered, MetadataAway, ProxyPauses, TooManyRequestedDois],
    )
    def get(self, request: Request, pk: UUID) -> Response:
        """Return the metadata of the lookup's DOI, or of its DOI that `doi` names. Nothing is stored in the history."""
        lookup = _get_lookup(request, pk)
        names = list(list_names_of(lookup))
        wanted = request.query_params.get("doi")
        if wanted is not None and fold(wanted) not in set(map(fold, names)):
            raise InvalidInput(errors={"doi": ["This lookup has no registered DOI with this name."]})
        if wanted is None and (not lookup.doi or lookup.outcome in UNREGISTERED):
            raise NotRegistered()
        self.count(request, 1, field="doi")
        try:
            described = describe_work(
                wanted or lookup.doi,
                proxy=proxy_from_settings(),
                now=read_clock(),
                fresh=parse_flag(request, "fresh"),
            )
        except Paused as pause:
            not_now = LookupPaused(pause)
            raise ProxyPauses(str(not_now.why), wait=not_now.seconds) from pause
        if described.failure:
            raise MetadataAway(f"The metadata couldn't be requested: {described.failure.reason}.")
        return Response(represent(MetadataSerializer, described))


def _get_lookup(request: Request, pk: UUID) -> Lookup:
    """Return the caller's lookup. Raises Http404, also for another's."""
    return get_object_or_404(history.find_lookups(get_owner_for_reading(request)), pk=pk)
