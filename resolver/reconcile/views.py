"""The Reconciliation Service API 0.2: cells of a column in, registered DOIs out. Nothing is stored in a history.

https://www.w3.org/community/reports/reconciliation/CG-FINAL-specs-0.2-20230410/
"""

import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt

from doi_reading import encode, fold
from doi_reading.name import is_doi
from resolver.domain.foreign_text import parse_whole_number
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS
from resolver.domain.report.report import is_safe_link
from resolver.reconcile.candidates import DOI_TYPE, ReconcileCandidate, is_unsettled, list_candidates
from resolver.reconcile.decorators import ReconcileClient, reconcile_view
from resolver.reconcile.errors import RETRY_AFTER_SECONDS, ReconcileError, build_unchecked_batch
from resolver.reconcile.manifest import build_manifest
from resolver.reconcile.properties import is_of_work, list_properties, list_values, list_work_values
from resolver.reconcile.queries import ReconcileQuery, read_extension, read_limit, read_queries
from resolver.reconcile.searches import describe_work, search_candidates
from resolver.reconcile.works import confirm_matches, find_works
from resolver.services.lookups.check_batch import check_batch
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.reading_judge import CheckedText
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS
from resolver.services.storage.clock import read_clock
from resolver.services.works.search_run import FORBIDDEN

LONGEST_PREFIX_CHARACTERS = 1000  # that are typed into a suggest field

# For the preview alone: no other page of the portal may be framed by another site. No click on it changes anything, and
# a link opens a window of its own.
PREVIEW_POLICY = "; ".join(
    f"{directive} {' '.join(sources)}"
    for directive, sources in {
        **settings.SECURE_CSP,
        "script-src": ["'none'"],
        "connect-src": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["*"],
    }.items()
)
Json = dict[str, Any]


@reconcile_view(takes_forms=True)
def service(request: HttpRequest, *, client: ReconcileClient, quick: bool = False, searches: bool = False) -> Json:
    """Answer the service's own address: the manifest, a batch of queries, or an extension. `searches`: this address
    searches for the works of queries without a DOI, and their words leave the house."""
    if searches and not settings.SEARCH:
        raise ReconcileError(HTTPStatus.NOT_FOUND, str(FORBIDDEN))
    queries, extend = (request.POST.get(name, request.GET.get(name)) for name in ("queries", "extend"))
    if queries is not None:
        batch = read_queries(queries)
        client.count(len(batch))
        return _reconcile(batch, quick=quick, searcher=client.searcher if searches else "")
    if extend is not None:
        ids, properties = read_extension(extend, list_properties())
        client.count(len(ids))
        return _extend(request, ids, properties, quick=quick)
    if request.method == "POST":
        raise ReconcileError(HTTPStatus.BAD_REQUEST, 'The form has neither "queries" nor "extend".')
    return build_manifest(request, quick=quick, searches=searches, token=client.token)


@reconcile_view()
def suggest_entities(request: HttpRequest, *, client: ReconcileClient) -> Json:
    """Answer with the registered DOIs that the typed text means, by Which RA. Its answer is stored, so a half-typed
    name causes one request at most."""
    text = request.GET.get("prefix", "")[:LONGEST_PREFIX_CHARACTERS].strip()
    if not text or request.GET.get("cursor", "0") != "0":
        return {"result": []}
    client.count(1)
    found = _reconcile({"prefix": ReconcileQuery(text)}, quick=True, longest=LOOKUP_SECONDS)["prefix"]["result"]
    shown = ("id", "name", "description")
    return {"result": [{key: one[key] for key in shown if key in one} | {"notable": [DOI_TYPE]} for one in found]}


@reconcile_view()
def suggest_properties(request: HttpRequest, *, client: ReconcileClient) -> Json:
    """Answer with the properties whose id begins with the typed text, or whose name has it anywhere."""
    prefix = request.GET.get("prefix", "")[:LONGEST_PREFIX_CHARACTERS].strip().lower()
    known = list_properties()
    cursor = parse_whole_number(request.GET.get("cursor", ""), len(known)) or 0
    fits = [one.as_json() for one in known.values() if one.id.startswith(prefix) or prefix in one.name.lower()]
    return {"result": fits[cursor:]}


@reconcile_view()
def propose_properties(request: HttpRequest, *, client: ReconcileClient) -> Json:
    """Answer with the properties that can be added as columns."""
    given, known = request.GET.get("limit"), list_properties()
    limit = len(known) if given is None else read_limit(given)
    listed = [one.as_json() for one in known.values()][:limit]
    return {"type": request.GET.get("type", "")[:100] or DOI_TYPE["id"], "properties": listed} | (
        {} if given is None else {"limit": limit}
    )


@xframe_options_exempt
@reconcile_view()
def show_preview(request: HttpRequest, *, client: ReconcileClient) -> HttpResponse:
    """Answer with a small page about the DOI `id`, which clients show in a frame: no script, and framed by any site."""
    name = request.GET.get("id", "")
    if not name or len(name) > settings.MAX_CELL:
        raise ReconcileError(HTTPStatus.BAD_REQUEST, "The parameter id must be a DOI.")
    client.count(1)
    (checked,) = check_batch(
        [_get_text_of(name)],
        proxy=proxy_from_settings(),
        now=read_clock(),
        agencies=True,
        guesses=False,
        longest=LOOKUP_SECONDS,
    )
    report = checked.report
    unknown = report.outcome in COULD_NOT_ASK
    context = {
        "name": name,
        "report": report,
        "outcome": str(report.outcome),
        "urls": [(url, is_safe_link(url)) for url in report.urls[:3]],
        "page": _get_page(request, name),
        "sample_data": settings.DOIPORTAL_SAMPLE_DATA,
    }
    status = HTTPStatus.SERVICE_UNAVAILABLE if unknown else HTTPStatus.OK
    response = HttpResponse(render_to_string("reconcile/preview.html", context), status=status)
    response["Content-Security-Policy"] = PREVIEW_POLICY
    if unknown:
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def _get_page(request: HttpRequest, name: str) -> str:
    """Return the address of the portal's page about exactly this name (E9, E11)."""
    return request.build_absolute_uri(f"{reverse('records')}?{urlencode({'name': _get_text_of(name)})}")


def _get_text_of(name: str) -> str:
    """Return a text that reads as exactly this name; an id that is no DOI stays as it is."""
    return encode(name) if is_doi(name) else name


def _reconcile(queries: Mapping[str, ReconcileQuery], *, quick: bool, searcher: str = "", **options: Any) -> Json:
    """`searcher`: for whom searches count; "" if nothing may be searched for. Raises ReconcileError (503) if a query
    couldn't be checked: an empty result would say that nothing is registered."""
    began, now = time.monotonic(), read_clock()
    checked = check_batch(
        [query.text for query in queries.values()], proxy=proxy_from_settings(), now=now, quick=quick, **options
    )
    _raise_if_unsettled(checked)
    found = {
        key: list_candidates(one.reading, one.report)
        for (key, query), one in zip(queries.items(), checked, strict=True)
    }
    works = {key: query.work for key, query in queries.items() if query.work} if settings.METADATA else {}
    if works:
        found = confirm_matches(found, works, now=now, began=began)
    if searcher:
        found |= _search(queries, checked, found, searcher=searcher, now=now, began=began)
    return {
        key: {"result": [one.as_json() for one in candidates[: queries[key].limit]]}
        for key, candidates in found.items()
    }


def _search(
    queries: Mapping[str, ReconcileQuery],
    checked: Sequence[CheckedText],
    found: Mapping[str, Sequence[ReconcileCandidate]],
    **options: Any,
) -> dict[str, list[ReconcileCandidate]]:
    """Search for the queries whose texts have no DOI, and mean none that is registered."""
    without = [
        key
        for key, one in zip(queries, checked, strict=True)
        if not (found[key] or one.reading.doi or one.reading.others)
    ]
    works = {key: work for key in without if (work := describe_work(queries[key]))}
    return search_candidates(works, **options) if works else {}


def _raise_if_unsettled(checked: Sequence[CheckedText]) -> None:
    number = sum(is_unsettled(one.report) for one in checked)
    if number:
        why = next((one.report.failure for one in checked if one.report.failure), None)
        raise build_unchecked_batch(number, len(checked), why)


def _extend(request: HttpRequest, ids: Sequence[str], wanted: Sequence[str], *, quick: bool) -> Json:
    began, now, known = time.monotonic(), read_clock(), list_properties()
    checked = check_batch(
        [_get_text_of(name) for name in ids],
        proxy=proxy_from_settings(),
        now=now,
        quick=quick,
        agencies="ra" in wanted,
        guesses=False,
    )
    exist = [str(one.reading.doi) for one in checked if one.report.outcome in EXISTS]
    works = find_works(exist, now=now, began=began) if exist and any(map(is_of_work, wanted)) else {}

    def describe(name: str, each: str, one: CheckedText) -> list[dict[str, str]]:
        if is_of_work(each):
            known_work = works.get(fold(str(one.reading.doi)))
            return list_work_values(each, known_work.answer if known_work else None)
        return list_values(each, one, _get_page(request, name))

    return {
        "meta": [known[name].as_json(described=False) for name in wanted],
        "rows": {
            name: {each: describe(name, each, one) for each in wanted} for name, one in zip(ids, checked, strict=True)
        },
    }
