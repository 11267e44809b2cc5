"""The bodies of a redirect (HTML) and of `action=showurls` (XML), as doi.org writes them (P1, P11)."""

import re
from collections.abc import Iterable, Mapping
from html import escape

_SPACE = re.compile(r"[\t\n\r]")
_MADE_ANEW = frozenset({"href", "href_template", "xmlns"})


def redirect_body(url: str) -> bytes:
    """Return the HTML body of a redirect, as doi.org writes it."""
    shown = escape(url)
    page = f'<html><head><title>Handle Redirect</title></head>\n<body><a href="{shown}">{shown}</a></body></html>'
    return page.encode("utf-8")


def build_showurls_body(addresses: Iterable[tuple[str, Mapping[str, str]]]) -> bytes:
    """Return the XML list for `action=showurls` (P11), in UTF-8: each address with its other attributes.

    The names of the elements at doi.org are not documented, so these are named as in a 10320/loc value and have the
    attributes of the location there. Attributes with a namespace are left out, because nothing declares it here.
    """
    items = "".join(f"\n  <location {_write_attributes(url, others)}/>" for url, others in addresses)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<locations>{items}\n</locations>\n'.encode()


def _write_attributes(url: str, others: Mapping[str, str]) -> str:
    kept = {"href": url} | {name: value for name, value in others.items() if name not in _MADE_ANEW and ":" not in name}
    # A parser would turn a tab or a line end into a space, but not a reference to it.
    texts = ((name, _SPACE.sub(lambda found: f"&#{ord(found[0])};", escape(value))) for name, value in kept.items())
    return " ".join(f'{name}="{text}"' for name, text in texts)
