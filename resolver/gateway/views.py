"""What doi.org answers, answered from its own cache: records and agencies for programs, redirects for links."""

from collections.abc import Sequence
from datetime import datetime
from itertools import compress

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from resolver import conf
from resolver.domain.addresses import addresses_body, redirect_body
from resolver.domain.aliases import MAX_HOPS
from resolver.domain.encoding import UNSENDABLE
from resolver.domain.negotiation import media_ranges, wants_data
from resolver.domain.outcomes import Addresses, AliasLoop, Failed, NotFound, Outcome, Redirect, Values
from resolver.domain.parameters import Parameters
from resolver.domain.readable.places import Circumstances
from resolver.domain.record import Agency, Missing, ProxyError, Unreachable
from resolver.domain.replies import JsonReply, agencies_reply, error_reply, record_reply
from resolver.domain.spelling import decoded, name_in_path, names_in_list
from resolver.domain.wire import is_callback
from resolver.gateway import pages, target
from resolver.gateway.doors import OPEN_TO_SCRIPTS, TO_ALL, TO_SCRIPTS, dated, door, varying
from resolver.proxy.attempts import Elsewhere, Failure
from resolver.services import records
from resolver.services.asking import Proxy, proxy_from_settings
from resolver.services.candidates import existing
from resolver.services.resolving import country_of, resolved

MOST_NAMES = 200  # of one Which RA request; the proxy behind is asked for fifty at a time
LONGEST_ACCEPT = 1000  # characters of a header that are read

HTML = "text/html;charset=utf-8"
XML = "application/xml;charset=utf-8"


def _data(reply: JsonReply) -> HttpResponse:
    return HttpResponse(reply.body, reply.content_type, reply.status, headers=OPEN_TO_SCRIPTS)


def told_as_data(status: int, message: str, name: str = "") -> HttpResponse:
    """Response code 2 with a sentence (A2)."""
    return _data(error_reply(status, name, message))


def _told_as_page(status: int, message: str, name: str = "") -> HttpResponse:
    return varying(pages.error(status, name, message), "Accept")


@door(told_as_data, allows=TO_SCRIPTS)
def record(request: HttpRequest) -> HttpResponse:
    """`/api/handles/<name>`: the handle's own record, as the proxy behind gives it (A1-A7, P8, P9)."""
    raw = target.path_after(request, "/api/handles/")
    parameters = Parameters.of(target.query(request))
    name = decoded(raw)
    if name is None or name in UNSENDABLE:
        return told_as_data(400, "The handle is missing, or it is no name, or not UTF-8.", raw)
    if parameters.callback is not None and not is_callback(parameters.callback):
        return told_as_data(400, "The callback is not a plain JavaScript name.", name)
    now = timezone.now()
    past = parameters.auth or parameters.cert
    held = records.record(name, proxy=proxy_from_settings(), now=now, fresh=parameters.auth, certified=parameters.cert)
    return dated(_data(record_reply(name, held.answer, parameters)), held.asked_at, now, past=past)


@door(told_as_data, allows=TO_SCRIPTS)
def agencies(request: HttpRequest) -> HttpResponse:
    """`/doiRA/<names>` and `/ra/<names>`: who answers for each, item by item in the order asked (R1-R4)."""
    beginning = next(start for start in ("/doiRA/", "/ra/") if request.path_info.startswith(start))
    raw = target.path_after(request, beginning)
    names = names_in_list(raw)
    if len(names) > MOST_NAMES:
        return told_as_data(400, f"There are {len(names):,} names; at most {MOST_NAMES} are asked for at once.")
    now = timezone.now()
    # What is no UTF-8 stands in `names` as it was written, and that is another name: nobody is asked for it (E15).
    askable = [decoded(part) not in (None, *UNSENDABLE) for part in raw.split(",")]
    said, asked_at = records.said(list(compress(names, askable)), proxy=proxy_from_settings(), now=now)
    answers = iter(said)
    verdicts = [
        next(answers) if can_be else Agency(name, status="Invalid DOI")
        for name, can_be in zip(names, askable, strict=True)
    ]
    return dated(_data(agencies_reply(verdicts)), asked_at, now)


@door(_told_as_page, allows=TO_ALL)
def redirect(request: HttpRequest) -> HttpResponse:
    """`/<name>`: to where the name leads (P1-P14, L1-L6); who asks for data goes where the proxy behind sends them."""
    raw = target.path_after(request, "/")
    parameters = Parameters.of(target.query(request))
    name = name_in_path(raw)
    if name is None or name in UNSENDABLE:
        return _told_as_page(400, "The name is missing, or it is no name, or not UTF-8.", raw)
    return _followed(request, name, parameters)


@door(_told_as_page, allows=TO_ALL)
def redirect_short(request: HttpRequest) -> HttpResponse:
    """`/abcde` is the short DOI 10/abcde (S12), as on doi.org. Where there is none, somebody has mistyped the address
    of a page: Http404, for the portal's own page."""
    name = f"10/{request.path_info.removeprefix('/')}"
    parameters = Parameters.of(target.query(request))
    now, fresh, certified = timezone.now(), parameters.auth, parameters.cert
    match records.record(name, proxy=proxy_from_settings(), now=now, fresh=fresh, certified=certified).answer:
        case Missing():
            raise Http404
        case ProxyError() | Unreachable() as failure:
            return _failed(name, failure)
    return _followed(request, name, parameters)


def _followed(request: HttpRequest, name: str, parameters: Parameters) -> HttpResponse:
    now, proxy = timezone.now(), proxy_from_settings()
    accept = request.META.get("HTTP_ACCEPT", "")[:LONGEST_ACCEPT]
    if (
        not parameters.noredirect
        and not parameters.action
        and wants_data(accept)
        and (passed_on := media_ranges(accept))
    ):
        sent = _negotiated(name, parameters.query(), passed_on, proxy)
        if sent is not None:
            return varying(dated(sent, now, now, past=True), "Accept")
    country = country_of(request.headers)
    found = resolved(name, parameters, country=country, proxy=proxy, now=now)
    circumstances = Circumstances(found.outcome.name, parameters.locatt, country)
    response = _shown(name, found.outcome, circumstances, proxy, now)
    dated(response, found.asked_at, now, past=parameters.auth or parameters.cert)
    return varying(response, "Accept", conf.country_header())


def _negotiated(name: str, query: str, accept: str, proxy: Proxy) -> HttpResponse | None:
    """None where the proxy behind has nothing of the kind either: then the name leads where it always does. Nothing of
    it is stored: whose data these are, and in what form, is between the agency and the program."""
    match records.elsewhere(name, accept, query, proxy=proxy):
        case Elsewhere(url):
            return _redirect(url)
        case Missing():
            return pages.not_found(name)
        case ProxyError() | Unreachable() as failure:
            return _failed(name, failure)
    return None


def _shown(name: str, outcome: Outcome, circumstances: Circumstances, proxy: Proxy, now: datetime) -> HttpResponse:
    match outcome:
        case Redirect():
            return _redirect(outcome.url)
        case Values():
            return pages.values(
                outcome.name,
                outcome.values,
                why=outcome.why,
                advice=outcome.advice,
                circumstances=circumstances,
                way=outcome.way,
            )
        case Addresses():
            return HttpResponse(addresses_body(outcome.urls), XML)
        case NotFound():
            meant = [advice.name for advice in outcome.advice if advice.name]
            offered = existing(outcome.name, proxy=proxy, now=now, others=meant)
            response = pages.not_found(outcome.name, outcome.advice, offered.names, outcome.way)
            if not offered.complete:
                response["Cache-Control"] = "no-store"
            return response
        case AliasLoop():
            return pages.error(500, name, _without_end(outcome))
        case Failed():
            return _failed(outcome.name, outcome.answer, outcome.way)


def _without_end(loop: AliasLoop) -> str:
    way = " → ".join(loop.way)
    if loop.repeats:
        return f"The name is an alias, and the chain of aliases comes back to a name on its way: {way}."
    return f"The name is an alias, and the chain of aliases is longer than the {MAX_HOPS} followed here: {way}."


def _redirect(url: str) -> HttpResponse:
    return HttpResponse(redirect_body(url), HTML, 302, headers={"Location": url})


def _failed(name: str, failure: Failure, way: Sequence[str] = ()) -> HttpResponse:
    status = 502 if isinstance(failure, ProxyError) else 504
    return pages.error(status, name, f"Could not ask: {failure.reason}.", way=way)
