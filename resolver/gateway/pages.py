"""What a person sees who follows a link through the gateway, where there is no redirect (P4-P7).

Every page is made without the request: it touches no session, sets no cookie, needs no login, and is the same for
everybody. Names may hold any character; the templates make each visible. `way` is that of an outcome: where aliases led
to the name, the page says so.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse

from resolver import conf
from resolver.domain.display.handle_values import rows
from resolver.domain.display.location_table import Circumstances
from resolver.domain.handle.record import HandleValue
from resolver.domain.message import Message
from resolver.domain.name.doi import is_doi, is_short_doi
from resolver.domain.name.encoding import to_url, url_path
from resolver.domain.redirect.not_found import NotFoundHint
from resolver.gateway.errors import NO_LOGIN, UNREADABLE, Cause

LONGEST_LINKED = 2000  # code points; a longer name is shown in part, and no link is made of it


def not_found(
    name: str, advice: Sequence[NotFoundHint] = (), candidates: Sequence[str] = (), way: Sequence[str] = ()
) -> HttpResponse:
    """The page for a name that does not exist, HTTP 404 (P4), with the advice of P5.

    `candidates` are other names that were asked for and exist: the page offers them, and goes to none by itself.
    """
    context = {
        "advice": [(one.sentence, one.name, _path(one.name)) for one in advice],
        "candidates": [(one, _path(one)) for one in candidates],
    }
    return _page("not_found", 404, name, context, way)


def values(
    name: str,
    shown: Sequence[HandleValue],
    *,
    why: str = "",
    advice: Sequence[NotFoundHint] = (),
    circumstances: Circumstances | None = None,
    way: Sequence[str] = (),
) -> HttpResponse:
    """The values of a record, HTTP 200: for `noredirect` (P6), and where a record leads nowhere (A8).

    `shown` are the values that were asked for (P9), `why` is the sentence that says why nobody is sent on, or why there
    are none; `advice` is what is odd about a name that is there, as a prefix can be (P5).
    """
    told = rows([value.raw for value in shown], circumstances or Circumstances(name))
    return _page("values", 200, name, {"told": told, "why": why, "odd": advice}, way)


def error(cause: Cause, name: str, message: Message, *, way: Sequence[str] = ()) -> HttpResponse:
    """A page that says why the name cannot be resolved: no UTF-8 (E15), a loop of aliases (P7), no answer to be had.

    `name` may be the path as it was sent, or '' where none was read. `message` is one or more whole sentences.
    """
    context = {
        "heading": cause.heading,
        "message": message,
        "next": cause.next,
        "log_in": cause is NO_LOGIN,
        "nothing_learned": bool(name) and cause.nothing_learned,
        "unreadable": cause is UNREADABLE,
    }
    return _page("error", cause.status, name, context, way)


def _page(template: str, status: int, name: str, context: dict[str, Any], way: Sequence[str]) -> HttpResponse:
    linked = 0 < len(name) <= LONGEST_LINKED and not context.get("unreadable")
    known = {
        "name": name,
        "aliases": way[:-1],
        "left_out": max(0, len(name) - LONGEST_LINKED),
        "look_up": _in_portal("home", "text", name) if linked else "",
        # The gateway resolves every handle, the portal is about DOIs (S12).
        "record": _in_portal("records", "name", name) if linked and (is_doi(name) or is_short_doi(name)) else "",
        "sample_data": conf.sample_data(),
    }
    return HttpResponse(render_to_string(f"gateway/{template}.html", known | context), status=status)


def _in_portal(view: str, field: str, name: str) -> str:
    """A page of the portal about the name. Its link is what reads as exactly this name there (E9, E11)."""
    return f"{reverse(view)}?{urlencode({field: to_url(name)})}"


def _path(name: str | None) -> str:
    """Where this gateway resolves the name; '' where there is none to link."""
    return f"{reverse('home')}{url_path(name)}" if name and len(name) <= LONGEST_LINKED else ""
