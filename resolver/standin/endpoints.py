"""What the sample proxy answers: records (section A), Which RA (section R), redirects and pages (section P); and in
place of the agencies, metadata (`work_services.py`) and searches (`work_searches.py`)."""

import random
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from urllib.parse import quote

from resolver.domain.handle.answers import Answer
from resolver.domain.handle.json_responses import build_agencies_reply, build_error_reply, record_reply
from resolver.domain.handle.names_in_path import decode_path, find_name_in_path, parse_which_ra_list
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.redirect.content_negotiation import find_header_attributes, wants_data
from resolver.domain.redirect.locations import choose_by_weight
from resolver.domain.redirect.resolve import find_main_path, resolve, run_resolve
from resolver.domain.redirect.resolve_results import (
    AddressList,
    AliasLoop,
    NameNotFound,
    Redirect,
    ResolveResult,
    ShownValues,
    build_showurls_body,
    redirect_body,
)
from resolver.standin import html_pages, http_replies
from resolver.standin.http_replies import HttpReply
from resolver.standin.sample_answers import SLOW_ANSWER_SECONDS, SampleAnswers
from resolver.standin.work_searches import answer_search
from resolver.standin.work_services import CSL_JSON, describe_work, list_works

COUNTRY = "CF-IPCountry"
"""The header in which Cloudflare, in front of doi.org, sends the requester's country."""

_CHANCE = random.SystemRandom()
_AUTHORITY = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}\Z")
_METADATA = "/metadata/"
_HANDLES = re.compile("/+api/handles/")
# Where doi.org sent requests for metadata, as recorded in 2023. Other agencies have no such service here.
_AGENCIES = {
    "Crossref": "https://api.crossref.org/v1/works/{}/transform",
    "DataCite": "https://data.crosscite.org/{}",
    "OP": "https://ra.publications.europa.eu/data/{}",
}


def answer_request(answers: SampleAnswers, target: str, headers: Mapping[str, str]) -> HttpReply:
    """Return the reply to a raw request target, before anything has decoded it, and the request's headers."""
    if target.startswith(("http://", "https://")):  # from a client that uses this server as its HTTP proxy
        target = "/" + target.split("://", 1)[1].partition("/")[2]
    path, _, query = target.partition("?")
    if len(path) > 8192:  # as usual for a web server
        return http_replies.build_page_reply(414, "<!DOCTYPE html><title>URI Too Long</title>")
    if path.startswith(_METADATA):
        return describe_work(decode_path(path[len(_METADATA) :]) or "", answers, headers.get("Accept", ""))
    if (searched := answer_search(path, query)) is not None:
        return searched
    if path.split("/")[1] in ("works", "dois"):
        return list_works(path, query, answers)
    if handles := _HANDLES.match(path):
        return _record(answers, path[handles.end() :], query)
    for start in ("/doiRA/", "/ra/"):  # R1 to R4, E6
        if path.startswith(start):
            names = parse_which_ra_list(path[len(start) :])
            return http_replies.build_data_reply(build_agencies_reply([answers.agency(name) for name in names]))
    return _redirect(answers, path[1:], query, headers)


def _record(answers: SampleAnswers, target: str, query: str) -> HttpReply:
    """GET /api/handles/<name>: A1 to A3, A6, A7."""
    name, parameters = decode_path(target), ProxyParameters.of(query)
    if not name:
        error = build_error_reply(name or "", "The handle is empty or not UTF-8", callback=parameters.callback)
        return http_replies.build_data_reply(error)
    found, fault = answers.find(name)
    if fault in http_replies.FAULTY:
        return http_replies.FAULTY[fault]
    shown_name = name + ".other" if fault == "wrongname" else name
    reply = http_replies.build_data_reply(record_reply(shown_name, found, parameters))
    return replace(reply, delay=SLOW_ANSWER_SECONDS) if fault == "slow" else reply


class _Fault(Exception):
    """Another name in a chain of aliases has a fault; `reply` is its answer."""

    def __init__(self, reply: HttpReply) -> None:
        super().__init__()
        self.reply = reply


def _redirect(answers: SampleAnswers, target: str, query: str, headers: Mapping[str, str]) -> HttpReply:
    """GET /<name>: redirect, or show a page (P1 to P7, P9 to P11)."""
    name = find_name_in_path(target)
    if name is None:
        return http_replies.build_page_reply(400, html_pages.build_error_page(target, "The name is not UTF-8."))
    if not name:
        return http_replies.build_page_reply(200, html_pages.FRONT_PAGE)
    delay = 0.0

    def ask(handle: str) -> Answer:
        nonlocal delay
        found, fault = answers.find(handle)
        if fault in http_replies.FAULTY:
            raise _Fault(http_replies.FAULTY[fault])
        delay += SLOW_ANSWER_SECONDS if fault == "slow" else 0
        return found

    parameters = ProxyParameters.of(query)
    wanted = find_header_attributes(*(headers.get(name, "") for name in ("Accept", "User-Agent", "Accept-Language")))
    steps = resolve(
        name,
        parameters.asking_for(wanted),
        country=headers.get(COUNTRY, ""),
        pick=lambda among: choose_by_weight(among, _CHANCE.random()),
    )
    try:
        outcome = run_resolve(steps, ask)
    except _Fault as fault:
        return fault.reply
    if path := find_main_path(outcome, parameters):
        return replace(_build_redirect(f"/{path}{'?' if query else ''}{query}", 301), delay=delay)
    if isinstance(outcome, Redirect) and wants_data(headers.get("Accept", "")):
        template = _AGENCIES.get(answers.agency(outcome.name).ra or "")
        if template and CSL_JSON in headers.get("Accept", "") and _AUTHORITY.match(headers.get("Host", "")):
            # Only this proxy has metadata of made-up names.
            template = f"http://{headers['Host']}{_METADATA}{{}}"
        if template:
            outcome = replace(outcome, url=template.format(quote(outcome.name, safe="()!*'~", errors="replace")))
    return replace(_build_reply(name, outcome), delay=delay)


def _build_reply(name: str, outcome: ResolveResult) -> HttpReply:
    match outcome:
        case Redirect(url=url, status=status, varies=varies):
            return _build_redirect(url, status, varies=varies)
        case ShownValues():
            return http_replies.build_page_reply(200, html_pages.build_values_page(outcome))
        case AddressList(listed=listed):
            body = build_showurls_body((one.url, one.attributes) for one in listed)
            return HttpReply(200, body, {"Content-Type": http_replies.XML})
        case NameNotFound():
            return http_replies.build_page_reply(404, html_pages.build_not_found_page(outcome))
        case AliasLoop(way=way):
            return http_replies.build_page_reply(
                500, html_pages.build_error_page(name, f"The name is in a loop of aliases: {' → '.join(way)}")
            )
        case _:
            return http_replies.build_page_reply(500, html_pages.build_error_page(name, "Internal error."))


def _build_redirect(url: str, status: int, *, varies: bool = False) -> HttpReply:
    """Return a redirect. A target chosen by chance or by country must not be cached (P16)."""
    expires = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    kept = {"Cache-Control": "private, no-store"} if varies else {"Expires": expires}
    return HttpReply(
        status, redirect_body(url), {"Content-Type": http_replies.HTML, "Location": url, "Vary": "Accept", **kept}
    )
