"""The gateway's pages for people, shown if there is no redirect (P4-P7).

Every page is made without the request: it reads no session, sets no cookie, needs no login, and is the same for
everyone. Names may hold any character; the templates make each visible. `way` is that of an outcome: the page names the
aliases that led to the name.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse

from doi_reading import Message, encode
from doi_reading.name import is_doi, is_short_doi
from resolver.domain.display.handle_values import describe_values
from resolver.domain.display.location_table import LocationCriteria
from resolver.domain.handle.record import HandleValue
from resolver.domain.redirect.resolve_results import NotFoundHint
from resolver.gateway.errors import NO_LOGIN, UNREADABLE, ErrorCause

LONGEST_LINKED_CHARACTERS = 2000  # a longer name is shown in part and without a link


def render_not_found(
    name: str, advice: Sequence[NotFoundHint] = (), candidates: Sequence[str] = (), way: Sequence[str] = ()
) -> HttpResponse:
    """Return the page for a name that doesn't exist, HTTP 404 (P4), with the advice of P5. `candidates` are other names
    that are registered. The page offers them and never redirects to them by itself."""
    context = {
        "advice": [(one.sentence, one.name, _build_path(one.name)) for one in advice],
        "candidates": [(one, _build_path(one)) for one in candidates],
    }
    return _render_page("not_found", 404, name, context, way)


def render_values(
    name: str,
    shown: Sequence[HandleValue],
    *,
    why: str = "",
    advice: Sequence[NotFoundHint] = (),
    circumstances: LocationCriteria | None = None,
    way: Sequence[str] = (),
) -> HttpResponse:
    """Return the page with the values of a record, HTTP 200: for `noredirect` (P6), or if there is no address (A8).

    `shown`: the requested values (P9). `why`: a sentence that says why there is no redirect, or why there are no
    values. `advice`: hints about a name that exists, such as a prefix (P5).
    """
    table = describe_values([value.raw for value in shown], circumstances or LocationCriteria(name))
    return _render_page("values", 200, name, {"table": table, "why": why, "odd": advice}, way)


def render_error(cause: ErrorCause, name: str, message: Message, *, way: Sequence[str] = ()) -> HttpResponse:
    """Return the page that says why the name can't be resolved: not UTF-8 (E15), a loop of aliases (P7), no answer.
    `name` may be the raw path, or '' if no name was read. `message` is one or more whole sentences."""
    context = {
        "heading": cause.heading,
        "message": message,
        "next": cause.next,
        "log_in": cause is NO_LOGIN,
        "nothing_learned": bool(name) and cause.nothing_learned,
        "unreadable": cause is UNREADABLE,
    }
    return _render_page("error", cause.status, name, context, way)


def _render_page(template: str, status: int, name: str, context: dict[str, Any], way: Sequence[str]) -> HttpResponse:
    linked = 0 < len(name) <= LONGEST_LINKED_CHARACTERS and not context.get("unreadable")
    known = {
        "name": name,
        "aliases": way[:-1],
        "left_out": max(0, len(name) - LONGEST_LINKED_CHARACTERS),
        "look_up": _build_portal_address("home", "text", name) if linked else "",
        # The gateway resolves every handle; the portal's pages are about DOIs (S12).
        "record": _build_portal_address("records", "name", name)
        if linked and (is_doi(name) or is_short_doi(name))
        else "",
        "sample_data": settings.DOIPORTAL_SAMPLE_DATA,
    }
    return HttpResponse(render_to_string(f"gateway/{template}.html", known | context), status=status)


def _build_portal_address(view: str, field: str, name: str) -> str:
    """Return the address of a portal page about the name. Its text reads as exactly this name (E9, E11)."""
    return f"{reverse(view)}?{urlencode({field: encode(name)})}"


def _build_path(name: str | None) -> str:
    """Return the gateway's address for the name; '' without a name, or if it is too long."""
    return f"{reverse('home')}{encode(name, 'path')}" if name and len(name) <= LONGEST_LINKED_CHARACTERS else ""
