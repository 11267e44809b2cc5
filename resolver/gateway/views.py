"""The answers of doi.org from the portal's own cache: records and agencies for programs, redirects for links."""

from collections.abc import Sequence
from datetime import datetime
from http import HTTPStatus
from itertools import compress

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from doi_reading import Message
from doi_reading.name import UNSENDABLE, is_doi
from resolver import conf
from resolver.domain.display.location_table import LocationCriteria
from resolver.domain.handle.answers import MAX_HOPS, Failure, MissingHandle, ProxyError, Unreachable, WhichRaAnswer
from resolver.domain.handle.freshness import FreshnessSpan
from resolver.domain.handle.json_responses import build_agencies_reply, is_callback, record_reply
from resolver.domain.handle.names_in_path import decode_path, find_name_in_path, parse_which_ra_list
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.handle.record import LOCATIONS
from resolver.domain.redirect.content_negotiation import HEADER_ATTRIBUTES, sanitize_accept, wants_data
from resolver.domain.redirect.resolve import find_main_path
from resolver.domain.redirect.resolve_results import (
    AddressList,
    AliasLoop,
    NameNotFound,
    NoAnswer,
    Redirect,
    ResolveResult,
    ShownValues,
    build_showurls_body,
    redirect_body,
)
from resolver.gateway import pages, raw_request
from resolver.gateway.decorators import gateway_view, without_cookies
from resolver.gateway.errors import (
    NO_ANSWER,
    NO_END,
    NO_USABLE_ANSWER,
    TOO_LONG,
    UNREADABLE,
    ErrorCause,
    build_json_error,
)
from resolver.gateway.response_headers import (
    TO_ALL,
    TO_SCRIPTS,
    build_data_response,
    forbid_sharing,
    set_cache_headers,
    vary_on,
)
from resolver.proxy.proxy_reply import NegotiatedRedirect
from resolver.services.lookups.suggestions import find_existing_names
from resolver.services.proxy_answers import fetch
from resolver.services.proxy_answers.configured_proxy import DoiProxy, proxy_from_settings
from resolver.services.proxy_answers.dated_answer import find_earliest_span
from resolver.services.proxy_answers.redirects import LOCATION_HEADERS, get_country, get_header_attributes, resolve_link
from resolver.services.storage.clock import read_clock

MAX_NAMES = 200  # in one request; the portal requests them from the proxy fifty at a time

HTML = "text/html;charset=utf-8"
XML = "application/xml;charset=utf-8"


def _refuse_as_data(request: HttpRequest, cause: ErrorCause, message: Message) -> HttpResponse:
    return build_json_error(request, cause.status, message)


def _refuse_as_page(_request: HttpRequest, cause: ErrorCause, message: Message) -> HttpResponse:
    return vary_on(pages.render_error(cause, "", message), "Accept")


@gateway_view(_refuse_as_data, allows=TO_SCRIPTS)
def record(request: HttpRequest) -> HttpResponse:
    """Answer `/api/handles/<name>` with the handle's own record, as the DOI proxy returns it (A1-A7, P8, P9)."""
    raw = raw_request.get_raw_path_after(request, raw_request.HANDLES)
    parameters = ProxyParameters.of(raw_request.get_raw_query(request))
    name = decode_path(raw)
    if name is None or name in UNSENDABLE:
        return build_json_error(request, 500, "The handle is missing, isn't a valid name, or isn't UTF-8.", raw)
    if parameters.callback is not None and not is_callback(parameters.callback):
        return build_json_error(request, 500, "The callback is not a plain JavaScript name.", name)
    now = read_clock()
    past = parameters.auth or parameters.cert
    held = fetch.fetch_record(
        name, proxy=proxy_from_settings(), now=now, fresh=parameters.auth, certified=parameters.cert
    )
    reply = build_data_response(record_reply(name, held.answer, parameters))
    return set_cache_headers(reply, held.span, now, past=past)


@gateway_view(_refuse_as_data, allows=TO_SCRIPTS)
def agencies(request: HttpRequest) -> HttpResponse:
    """Answer `/doiRA/<names>` and `/ra/<names>` with the agency of each name, in the order of the request (R1-R4)."""
    beginning = next(start for start in ("/doiRA/", "/ra/") if request.path_info.startswith(start))
    raw = raw_request.get_raw_path_after(request, beginning)
    names = parse_which_ra_list(raw)
    if len(names) > MAX_NAMES:
        return build_json_error(
            request, TOO_LONG.status, f"There are {len(names):,} names; at most {MAX_NAMES} are asked for at once."
        )
    now = read_clock()
    # A name that is not UTF-8 is in `names` undecoded, which is another name, so it is not looked up (E15).
    askable = [decode_path(part) not in (None, *UNSENDABLE) for part in raw.split(",")]
    known = fetch.fetch_agencies(list(compress(names, askable)), proxy=proxy_from_settings(), now=now)
    answers = (one.answer for one in known)
    verdicts = [
        next(answers) if can_be else WhichRaAnswer(name, status="Invalid DOI")
        for name, can_be in zip(names, askable, strict=True)
    ]
    span = find_earliest_span(known) if known else FreshnessSpan(now, now + conf.answer_lifetime())
    absent = any(verdict.exists is False for verdict in verdicts if isinstance(verdict, WhichRaAnswer))
    return set_cache_headers(build_data_response(build_agencies_reply(verdicts)), span, now, absent=absent)


@gateway_view(_refuse_as_page, allows=TO_ALL)
def redirect(request: HttpRequest) -> HttpResponse:
    """Redirect `/<name>` to where the name leads (P1-P14, L1-L6), and data requests where the DOI proxy sends them."""
    raw = raw_request.get_raw_path_after(request, "/")
    parameters = ProxyParameters.of(raw_request.get_raw_query(request))
    name = find_name_in_path(raw)
    if name is None or name in UNSENDABLE:
        why = Message("The name is missing, isn't valid, or isn't UTF-8.")
        return vary_on(pages.render_error(UNREADABLE, raw, why), "Accept")
    return _follow(request, name, parameters)


@without_cookies
@gateway_view(_refuse_as_page, allows=TO_ALL)
def redirect_short(request: HttpRequest) -> HttpResponse:
    """Redirect `/abcde`, the short DOI 10/abcde (S12), as doi.org does. If it doesn't exist, the address was probably
    meant for a page: Http404, with the portal's own page."""
    name = f"10/{request.path_info.lstrip('/')}"
    parameters = ProxyParameters.of(raw_request.get_raw_query(request))
    held = fetch.fetch_record(
        name, proxy=proxy_from_settings(), now=read_clock(), fresh=parameters.auth, certified=parameters.cert
    )
    match held.answer:
        case MissingHandle():
            raise Http404
        case ProxyError() | Unreachable() as failure:
            return _report_failure(name, failure)
    return _follow(request, name, parameters)


def _follow(request: HttpRequest, name: str, parameters: ProxyParameters) -> HttpResponse:
    now, proxy = read_clock(), proxy_from_settings()
    accept = request.META.get("HTTP_ACCEPT", "")[:1000]  # no browser sends a longer one
    if (
        not parameters.noredirect
        and not parameters.action
        and wants_data(accept)
        and (passed_on := sanitize_accept(accept))
    ):
        sent = _negotiate(name, parameters.build_query(), passed_on, proxy)
        if sent is not None:
            return vary_on(set_cache_headers(sent, FreshnessSpan(now, now), now), "Accept")
    country, by_headers = get_country(request), get_header_attributes(request)
    found = resolve_link(name, parameters.asking_for(by_headers), country=country, proxy=proxy, now=now)
    outcome = found.outcome
    if path := find_main_path(outcome, parameters):
        query = raw_request.get_raw_query(request)
        response = _redirect(f"{reverse('home')}{path}{'?' if query else ''}{query}", HTTPStatus.MOVED_PERMANENTLY)
    else:
        criteria = LocationCriteria(outcome.name, parameters.locatt, country, by_headers)
        response = _show_outcome(name, outcome, criteria, proxy, now)
    set_cache_headers(response, found.span, now, past=parameters.auth or parameters.cert)
    choice = outcome.choice if isinstance(outcome, Redirect) else None
    headers = LOCATION_HEADERS if choice and choice.has_any(HEADER_ATTRIBUTES) else ("Accept",)
    return vary_on(response, *headers, settings.COUNTRY_HEADER)


def _negotiate(name: str, query: str, accept: str, proxy: DoiProxy) -> HttpResponse | None:
    """Redirect a data request as the DOI proxy does; None if the proxy doesn't: then the name leads where it always
    does. Nothing is stored: the data and their form are between the agency and the program."""
    match fetch.fetch_redirect(name, accept, query, proxy=proxy):
        case NegotiatedRedirect(url) if not _is_name_at(proxy, url):
            return _redirect(url)
        case MissingHandle():
            return pages.render_not_found(name)
        case ProxyError() | Unreachable() as failure:
            return _report_failure(name, failure)
    return None


def _is_name_at(proxy: DoiProxy, url: str) -> bool:
    """Return whether the address is that of a DOI at the proxy itself, as for an alias: the portal has one too."""
    path = url.removeprefix(f"{proxy.base_url.rstrip('/')}/")
    return path != url and is_doi(find_name_in_path(path.partition("?")[0]) or "")


def _show_outcome(
    name: str, outcome: ResolveResult, circumstances: LocationCriteria, proxy: DoiProxy, now: datetime
) -> HttpResponse:
    match outcome:
        case Redirect():
            response = _redirect(outcome.url, outcome.status)
            return forbid_sharing(response) if outcome.varies else response
        case ShownValues():
            response = pages.render_values(
                outcome.name,
                outcome.values,
                why=outcome.why,
                advice=outcome.advice,
                circumstances=circumstances,
                way=outcome.way,
            )
            # The page says which location is for the requester's country.
            by_country = settings.COUNTRY_HEADER and any(value.is_type(LOCATIONS) for value in outcome.values)
            return forbid_sharing(response) if by_country else response
        case AddressList():
            return HttpResponse(build_showurls_body((one.url, one.attributes) for one in outcome.listed), XML)
        case NameNotFound():
            meant = [advice.name for advice in outcome.advice if advice.name]
            offered = find_existing_names(outcome.name, proxy=proxy, now=now, others=meant)
            response = pages.render_not_found(outcome.name, outcome.advice, offered.names, outcome.way)
            if not offered.complete:
                response["Cache-Control"] = "no-store"
            return response
        case AliasLoop():
            return pages.render_error(NO_END, name, _describe_loop(outcome))
        case NoAnswer():
            return _report_failure(outcome.name, outcome.answer, outcome.way)


def _describe_loop(loop: AliasLoop) -> Message:
    way = " → ".join(loop.way)
    if loop.repeats:
        return Message("The name is an alias, and its chain of aliases forms a loop: {names}.", names=way)
    return Message(
        "The name is an alias, and its chain of aliases is longer than the {count} that we follow: {names}.",
        count=MAX_HOPS,
        names=way,
    )


def _redirect(url: str, status: int = HTTPStatus.FOUND) -> HttpResponse:
    return HttpResponse(redirect_body(url), HTML, status, headers={"Location": url})


def _report_failure(name: str, failure: Failure, way: Sequence[str] = ()) -> HttpResponse:
    cause = NO_USABLE_ANSWER if isinstance(failure, ProxyError) else NO_ANSWER
    return pages.render_error(cause, name, Message("Couldn't check: {failure}.", failure=failure.reason), way=way)
