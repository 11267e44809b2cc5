"""GET /<name>: the redirecting proxy (section P)."""

import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from html import escape
from urllib.parse import quote

from resolver.standin import pages, replies
from resolver.standin.answers import SLOW, Answers, Found
from resolver.standin.api import decoded, parameters, selected
from resolver.standin.replies import Reply

HOPS = 5

_SPELLING = re.compile(r"(?:doi:|info:doi/|urn:doi:)", re.IGNORECASE)
_URN = re.compile(r"(10(?:\.[0-9]+)+):")
_REDIRECTABLE = re.compile(r"(?:https?|ftp)://", re.IGNORECASE)
_LOCATION = re.compile(r"<location\s[^>]*>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def spelled(text: str) -> str:
    """The name in a path that may begin with doi:, info:doi/ or urn:doi: (N1, N3)."""
    match = _SPELLING.match(text)
    if not match:
        return text
    name = text[match.end() :]
    return _URN.sub(r"\1/", name, count=1) if match.group().lower() == "urn:doi:" else name


def locations(xml: str) -> list[dict[str, str]]:
    """The attributes of each location. The XML is our own: a short look is enough here (L1)."""
    return [dict(_ATTRIBUTE.findall(tag)) for tag in _LOCATION.findall(xml)]


def _weight(location: dict[str, str]) -> float:
    try:
        return float(location.get("weight", "1"))
    except ValueError:
        return 1.0


def _by_location(found: Found, locatt: str) -> str | None:
    """The address that 10320/loc chooses: locatt, else the first of positive weight (P3, L2, L3, L5)."""
    choices = [item for item in locations(found.text("10320/loc") or "") if "href" in item]
    key, _, wanted = locatt.partition(":")
    kept = [item for item in choices if key and item.get(key) == wanted]
    kept = kept or [item for item in choices if _weight(item) > 0]
    return kept[0]["href"] if kept else None


def redirect(answers: Answers, target: str, query: str) -> Reply:
    """Resolve the name and redirect, or show a page (P1 to P7, P9 to P11)."""
    given = parameters(query) if query else []
    options = dict(given)
    text = decoded(target)
    if text is None:
        return replies.page(400, pages.error(target, "The name is not UTF-8."))
    if not text:
        return replies.page(200, pages.front())
    found = answers.find(spelled(text))
    if found.values is None and "/" not in text:
        short = answers.find("10/" + text)  # https://doi.org/abcde is the short DOI 10/abcde
        found = short if short.values is not None else found
    if found.fault in replies.FAULTY:
        return replies.FAULTY[found.fault]
    if found.fault == "error":
        return replies.page(500, pages.error(found.name, "Internal error."))
    reply = _answer(answers, found, given, options)
    return Reply(reply.status, reply.body, reply.headers, SLOW) if found.fault == "slow" else reply


def _answer(answers: Answers, found: Found, given: list[tuple[str, str]], options: dict[str, str]) -> Reply:
    name = found.name
    if "ignore_aliases" not in options and "noredirect" not in options:
        for _ in range(HOPS):
            alias = found.text("hs_alias")
            if alias is None:
                break
            found = answers.find(alias)
        else:
            return replies.page(500, pages.error(name, "The name is an alias in a loop of aliases."))
    if found.values is None:
        return replies.page(404, pages.not_found(name))
    if options.get("action") == "showurls":
        return _show_urls(found)
    kept = Found(found.name, selected(found, given))
    url = _by_location(kept, options.get("locatt", "")) or kept.text("url")
    if "noredirect" in options or url is None or not _REDIRECTABLE.match(url.strip()):
        return replies.page(200, pages.values(name, kept.values or ()))
    return _redirect(url.strip() + options.get("urlappend", ""))


def _show_urls(found: Found) -> Reply:
    """P11; the real service's element names were not found, so these are our own."""
    urls = [item["href"] for item in locations(found.text("10320/loc") or "") if "href" in item]
    urls = urls or [url for url in (found.text("url"),) if url]
    items = "".join(f'<location href="{escape(url)}"/>' for url in urls)
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<locations>{items}</locations>'
    return Reply(200, body.encode(), {"Content-Type": replies.XML})


def _redirect(url: str) -> Reply:
    safe = quote(url, safe="%/:?#[]@!$&'()*+,;=-._~")
    expires = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    return replies.page(302, pages.handle_redirect(safe), {"Location": safe, "Vary": "Accept", "Expires": expires})
