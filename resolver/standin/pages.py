"""The HTML pages of the sample proxy. Everything that came from outside is escaped."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

_LEGAL = "/:;()!$&'*,=@~-._"


def path_of(name: str) -> str:
    """The name as the path of a link."""
    return "/" + quote(name, safe=_LEGAL)


def _document(title: str, body: str) -> str:
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return f"{head}\n<body>\n{body}\n<p><small>Sample data: this is not doi.org.</small></p>\n</body></html>\n"


def handle_redirect(url: str) -> str:
    """The body that goes with a redirect."""
    shown = escape(url)
    return f'<html><head><title>Handle Redirect</title></head>\n<body><a href="{shown}">{shown}</a></body></html>'


def not_found(name: str) -> str:
    """The page for a name that cannot be found (P4), with the advice of P5."""
    advice = "".join(f"<li>{line}</li>\n" for line in _advice(name))
    return _document(
        "Error: DOI Name Not Found",
        f"<h1>DOI Name Not Found</h1>\n<h2>{escape(name)}</h2>\n"
        "<p>The sample proxy has no record of this DOI name. It may be mistyped, cut off, or not registered yet.</p>\n"
        + (f"<ul>\n{advice}</ul>" if advice else ""),
    )


def _advice(name: str) -> list[str]:
    lines = []
    if name.endswith("/") and name.strip("/").count("/"):
        bare = name.rstrip("/")
        link = f'<a href="{escape(path_of(bare))}">{escape(bare)}</a>'
        lines.append(f"The name ends in a slash. Perhaps the name without it was meant: {link}")
    if not name.rstrip("/").count("/"):
        lines.append("This is a prefix alone: a DOI name has a suffix after the slash.")
    if "//" in name:
        lines.append("The name holds two slashes in a row.")
    return lines


def values(name: str, shown: Sequence[Mapping[str, Any]]) -> str:
    """The values of a record as a table (P6)."""
    rows = "".join(
        "<tr>"
        + "".join(f"<td>{escape(str(item.get(key, '')))}</td>" for key in ("index", "type", "timestamp"))
        + f"<td>{escape(_text(item))}</td></tr>\n"
        for item in shown
    )
    heads = "<tr><th>Index</th><th>Type</th><th>Timestamp</th><th>Data</th></tr>\n"
    table = f"<table>\n{heads}{rows}</table>" if rows else "<p>The record has no values.</p>"
    return _document(f"Handle values for {name}", f"<h1>Handle values for {escape(name)}</h1>\n{table}")


def _text(item: Mapping[str, Any]) -> str:
    data = item.get("data", {}).get("value", "")
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def error(name: str, message: str) -> str:
    """A page that says what went wrong."""
    return _document("Error", f"<h1>Error</h1>\n<h2>{escape(name)}</h2>\n<p>{escape(message)}</p>")


def front() -> str:
    """What stands at the root."""
    return _document("Sample DOI proxy", "<h1>Sample DOI proxy</h1>\n<p>It answers like doi.org, from sample data.</p>")
