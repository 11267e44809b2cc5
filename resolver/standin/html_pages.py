"""The HTML pages of the sample proxy. All foreign text is escaped."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from doi_reading import encode
from resolver.domain.redirect.resolve_results import NameNotFound, NotFoundHint, ShownValues


def _build_document(title: str, body: str) -> str:
    head = f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title></head>'
    return f"{head}\n<body>\n{body}\n<p><small>Sample data: this is not doi.org.</small></p>\n</body></html>\n"


def build_not_found_page(outcome: NameNotFound) -> str:
    """Return the page for a name that can't be found (P4), with the advice of P5."""
    return _build_document(
        "Error: DOI Name Not Found",
        f"<h1>DOI Name Not Found</h1>\n<h2>{escape(outcome.name)}</h2>\n{_describe_aliases(outcome.way)}"
        "<p>The sample proxy has no record of this DOI name. It may be mistyped, cut off, or not registered yet.</p>\n"
        + _list_advice(outcome.advice),
    )


def _describe_aliases(way: Sequence[str]) -> str:
    """Return the aliases that led to the name, if any (P7)."""
    return f"<p>By alias: {escape(' → '.join(way))}</p>\n" if len(way) > 1 else ""


def _list_advice(advice: Sequence[NotFoundHint]) -> str:
    lines = [
        escape(hint.sentence)
        + (f' <a href="/{escape(encode(hint.name, "path"))}">{escape(hint.name)}</a>' if hint.name is not None else "")
        for hint in advice
    ]
    return "<ul>\n" + "".join(f"<li>{line}</li>\n" for line in lines) + "</ul>\n" if lines else ""


def build_values_page(outcome: ShownValues) -> str:
    """Return the values of a record as a table (P6), and why they are shown, or why there are none."""
    rows = "".join(
        "<tr>"
        + "".join(f"<td>{escape(str(item.get(key, '')))}</td>" for key in ("index", "type", "timestamp"))
        + f"<td>{escape(_format_value(item))}</td></tr>\n"
        for item in (value.raw for value in outcome.values)
    )
    heads = "<tr><th>Index</th><th>Type</th><th>Timestamp</th><th>Data</th></tr>\n"
    table = f"<table>\n{heads}{rows}</table>" if rows else ""
    reasons = f"{_describe_aliases(outcome.way)}<p>{escape(outcome.why)}</p>\n{_list_advice(outcome.advice)}"
    title = f"Handle values for {outcome.name}"
    return _build_document(title, f"<h1>{escape(title)}</h1>\n{reasons}{table}")


def _format_value(item: Mapping[str, Any]) -> str:
    data = item.get("data")
    data = data.get("value", "") if isinstance(data, dict) else data
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)


def build_error_page(name: str, message: str) -> str:
    """Return a page that says what went wrong."""
    return _build_document("Error", f"<h1>Error</h1>\n<h2>{escape(name)}</h2>\n<p>{escape(message)}</p>")


FRONT_PAGE = _build_document(
    "Sample DOI proxy", "<h1>Sample DOI proxy</h1>\n<p>It answers like doi.org, from sample data.</p>"
)
