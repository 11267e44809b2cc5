"""GET /<name>: the redirecting proxy (section P)."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from urllib.parse import quote

from resolver.domain.handle.parameters import Parameters
from resolver.domain.handle.record import Answer
from resolver.domain.name.url_path import name_in_path
from resolver.domain.redirect.content_negotiation import wants_data
from resolver.domain.redirect.locations import Location, choose_by_weight
from resolver.domain.redirect.resolve import Resolving, drive, resolve
from resolver.domain.redirect.result import AddressList, AliasLoop, Failed, NotFound, Outcome, Redirect, Values
from resolver.domain.redirect.safe_url import addresses_body, redirect_body
from resolver.standin import http_replies, pages
from resolver.standin.http_replies import HttpReply
from resolver.standin.lookup import SLOW, SampleAnswers

COUNTRY = "CF-IPCountry"
"""The header in which Cloudflare, in front of doi.org, tells the requester's country."""

_CHANCE = random.SystemRandom()
# Where doi.org sent those who asked for metadata, as recorded in 2023; other agencies have no such service.
_METADATA = {
    "Crossref": "https://api.crossref.org/v1/works/{}/transform",
    "DataCite": "https://data.crosscite.org/{}",
    "OP": "https://ra.publications.europa.eu/data/{}",
}


def redirect(answers: SampleAnswers, target: str, query: str, headers: Mapping[str, str]) -> HttpReply:
    """Resolve the name and redirect, or show a page (P1 to P7, P9 to P11); `headers` are those of the request."""
    name = name_in_path(target)
    if name is None:
        return http_replies.page(400, pages.error(target, "The name is not UTF-8."))
    if not name:
        return http_replies.page(200, pages.front())
    asking = resolve(name, Parameters.of(query), country=headers.get(COUNTRY, ""), pick=_pick)
    try:
        outcome, delay = _outcome(answers, asking)
    except _OutOfOrder as fault:
        return fault.reply
    if isinstance(outcome, Redirect) and wants_data(headers.get("Accept", "")):
        outcome = replace(outcome, url=_metadata(answers, outcome.name) or outcome.url)
    return replace(_reply(name, outcome), delay=delay)


def _pick(among: Sequence[Location]) -> Location:
    return choose_by_weight(among, _CHANCE.random())


class _OutOfOrder(Exception):
    """A name on the way is out of order; its reply."""

    def __init__(self, reply: HttpReply) -> None:
        super().__init__()
        self.reply = reply


def _outcome(answers: SampleAnswers, asking: Resolving) -> tuple[Outcome, float]:
    """Give the resolution the records that it asks for: its outcome, and the seconds that it shall take."""
    delay = 0.0

    def ask(handle: str) -> Answer:
        nonlocal delay
        found = answers.find(handle)
        if found.fault in http_replies.FAULTY:
            raise _OutOfOrder(http_replies.FAULTY[found.fault])
        if found.fault == "slow":
            delay += SLOW
        return found.answer

    outcome = drive(asking, ask)
    return outcome, delay


def _reply(name: str, outcome: Outcome) -> HttpReply:
    match outcome:
        case Redirect(url=url, varies=varies):
            return _redirected(url, varies=varies)
        case Values():
            return http_replies.page(200, pages.values(outcome))
        case AddressList(listed=listed):
            body = addresses_body((one.url, one.attributes) for one in listed)
            return HttpReply(200, body, {"Content-Type": http_replies.XML})
        case NotFound():
            return http_replies.page(404, pages.not_found(outcome))
        case AliasLoop(way=way):
            return http_replies.page(500, pages.error(name, f"The name is in a loop of aliases: {' → '.join(way)}"))
        case Failed():
            return http_replies.page(500, pages.error(name, "Internal error."))


def _redirected(url: str, *, varies: bool) -> HttpReply:
    """Nobody keeps as the only one what chance or the country chose (P16)."""
    expires = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    kept = {"Cache-Control": "private, no-store"} if varies else {"Expires": expires}
    return HttpReply(
        302, redirect_body(url), {"Content-Type": http_replies.HTML, "Location": url, "Vary": "Accept", **kept}
    )


def _metadata(answers: SampleAnswers, name: str) -> str | None:
    """Where the name's agency has its metadata, None where it is not known to have any."""
    template = _METADATA.get(answers.agency(name).ra or "")
    return template.format(quote(name, safe="()!*'~", errors="replace")) if template else None
