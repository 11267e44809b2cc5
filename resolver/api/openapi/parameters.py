"""The query parameters and headers of the API, each with a sentence and an example."""

from collections.abc import Mapping
from typing import Any, Literal

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from doi_reading import CATALOGUE
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.triage import RowGroup
from resolver.services.results.row_queries import ADDRESSES, CORRECTIONS

Place = Literal["query", "path", "header"]
TEXT = {"type": "string"}
UUID_TEXT = {"type": "string", "format": "uuid"}


def query(name: str, sentence: str, example: Any, shape: Mapping[str, Any] = TEXT) -> OpenApiParameter:
    """Return a query parameter. `shape` is its JSON Schema."""
    return _build_parameter(name, sentence, example, shape, "query")


def header(name: str, sentence: str, example: str, shape: Mapping[str, Any] = TEXT) -> OpenApiParameter:
    """Return a header of requests."""
    return _build_parameter(name, sentence, example, shape, "header")


def _build_parameter(
    name: str, sentence: str, example: Any, shape: Mapping[str, Any], place: Place
) -> OpenApiParameter:
    return OpenApiParameter(
        name,
        dict(shape),
        place,
        description=sentence,
        examples=[OpenApiExample(name, example)],
        required=place == "path",
    )


def _build_word(*words: str) -> dict[str, Any]:
    """Return one of the words; an empty value counts as none."""
    return {"type": "string", "enum": [*words, ""]}


FLAG = _build_word("1", "0", "true", "false")
PK = _build_parameter(
    "id",
    "The id of the object.",
    "1b70c640-d26d-4de1-8a5c-f14836c6c08c",
    UUID_TEXT,
    "path",
)
LINE = _build_parameter("line", "The line of the row, counted from 1.", 12, {"type": "integer", "minimum": 0}, "path")
_CURSOR = "The edge of the page. Take it from `next` or `previous`."
LONGEST_PAGE, LONGEST_PAGE_OF_ROWS = 500, 1000  # results


def _build_page_size(most: int) -> OpenApiParameter:
    shape = {"type": "integer", "minimum": 1, "maximum": most}
    return query("page_size", f"The number of results on a page: at most {most:,}.", 20, shape)


NEWEST_EDGE = "W2ZhbHNlLCAiMjAyNi0xMS0yM1QwNToyMTo0OCswMDowMCIsICIxYjcwYzY0MC1kMjZkLTRkZTEtOGE1Yy1mMTQ4MzZjNmMwOGMiXQ=="
NEWEST_FIRST = (
    query("cursor", _CURSOR, NEWEST_EDGE),
    _build_page_size(LONGEST_PAGE),
)
_EDGE_BY_NUMBER = query("cursor", _CURSOR, "W2ZhbHNlLCAxMDBd")
BY_PLACE = (_EDGE_BY_NUMBER, _build_page_size(LONGEST_PAGE))
IN_LINE_ORDER = (_EDGE_BY_NUMBER, _build_page_size(LONGEST_PAGE_OF_ROWS))
DELIMITER = query(
    "delimiter", "The column separator: a comma, a semicolon or a tab.", ";", _build_word(",", ";", "\t", "tab")
)
FACETS = (
    query("outcome", "Only results with this outcome.", "not-found", _build_word(*map(str, Outcome))),
    query("problem", "Only results with this problem code.", "unescaped-hash", _build_word(*sorted(CATALOGUE))),
    query("ra", "Only results of this Registration Agency.", "Crossref"),
)
ROW_FILTERS = (
    query("q", "Only rows with this text in a cell, the input or the DOI.", "spring"),
    *FACETS,
    query("duplicates", "1: only rows with the DOI of an earlier row.", "1", FLAG),
    query("group", "Only rows of this group.", "needs-work", _build_word(*map(str, RowGroup))),
    query("correction", "Only rows with this correction.", "to-review", _build_word(*map(str, CORRECTIONS))),
    query(
        "address",
        "Only rows whose address is of this class. `elsewhere`: on another host, or without an address. "
        "`to-correct`: these, and other pages of the expected host.",
        "other-host",
        _build_word(*map(str, ADDRESSES)),
    ),
    query("host", "Only rows whose first URL value is on this host. Not for quick checks.", "example.org"),
)
LOCATION = OpenApiParameter(
    "Location",
    {"type": "string", "format": "uri"},
    OpenApiParameter.HEADER,
    description="The address of the object.",
    examples=[OpenApiExample("Location", "http://127.0.0.1:8000/api/v1/jobs/1b70c640-d26d-4de1-8a5c-f14836c6c08c")],
    response=[201, 202],
)
RATE_LIMIT = tuple(
    OpenApiParameter(
        name,
        TEXT,
        OpenApiParameter.HEADER,
        description=sentence,
        examples=[OpenApiExample(name, example)],
        response=[200, 201, 429],
    )
    for name, sentence, example in (
        (
            "RateLimit-Policy",
            "The DOIs (q) that you may ask about in a window of so many seconds (w).",
            '"dois";q=6000;w=60',
        ),
        (
            "RateLimit",
            "The DOIs that are left (r), and the seconds until all are there again (t).",
            '"dois";r=5999;t=60',
        ),
    )
)
DAILY_QUOTAS = tuple(
    OpenApiParameter(
        name,
        TEXT,
        OpenApiParameter.HEADER,
        description=sentence,
        examples=[OpenApiExample(name, example)],
        response=[202, 429],
    )
    for name, sentence, example in (
        (
            "RateLimit-Policy",
            "If the portal has daily quotas: the lists and rows (q) that your account may check in a day (w, seconds).",
            '"lists";q=50;w=86400, "rows";q=100000;w=86400',
        ),
        (
            "RateLimit",
            "What is left of them today (r), and the seconds until midnight UTC (t).",
            '"lists";r=49;t=43200, "rows";r=88000;t=43200',
        ),
    )
)
ETAG = OpenApiParameter(
    "ETag",
    TEXT,
    OpenApiParameter.HEADER,
    description="The version of the answer.",
    examples=[OpenApiExample("ETag", '"5f2b1c0d9e8a7b6c5d4e3f2a1b0c9d8e"')],
    response=[200],
)
IF_NONE_MATCH = header(
    "If-None-Match",
    "The ETag of the answer that you have. If it is still the same, the answer is 304.",
    '"5f2b1c0d9e8a7b6c5d4e3f2a1b0c9d8e"',
)
IF_MATCH = header(
    "If-Match",
    "The ETag of the object as you saw it. If it has changed since, the answer is 412, and nothing is changed.",
    '"5f2b1c0d9e8a7b6c5d4e3f2a1b0c9d8e"',
)
REPLAYED = OpenApiParameter(
    "Idempotent-Replayed",
    {"type": "string", "enum": ["true"]},
    OpenApiParameter.HEADER,
    description="The answer is that of an earlier request with the same Idempotency-Key.",
    examples=[OpenApiExample("Idempotent-Replayed", "true")],
    response=[200, 201, 202],
)
IDEMPOTENCY_KEY = header(
    "Idempotency-Key",
    "A text of your own, at most 255 characters. A repeated request with it gets the first answer, for a day.",
    "4f1c3b0a-nightly-2026-11-23",
    {"type": "string", "minLength": 1, "maxLength": 255},
)
