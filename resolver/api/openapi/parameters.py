"""The query parameters and headers of the API, each with a sentence and an example."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from doi_reading import CATALOGUE
from resolver.domain.report.outcome import Outcome
from resolver.domain.report.row_task import TASKS
from resolver.domain.report.triage import RowGroup
from resolver.domain.work.evidence import VERDICTS
from resolver.domain.work.found_works import FOUND_BY
from resolver.services.results.row_queries import ADDRESSES, CORRECTIONS

Place = Literal["query", "path", "header"]
TEXT = {"type": "string"}
UUID_TEXT = {"type": "string", "format": "uuid"}


def query(name: str, sentence: str, example: Any, shape: Mapping[str, Any] = TEXT) -> OpenApiParameter:
    """Return a query parameter. `shape` is its JSON Schema."""
    return _build_parameter(name, sentence, example, shape, "query")


def _build_parameter(
    name: str, sentence: str, example: Any, shape: Mapping[str, Any], place: Place, *, answers: Sequence[int] = ()
) -> OpenApiParameter:
    """`answers`: the statuses of answers that have this header; none for a parameter of requests."""
    return OpenApiParameter(
        name,
        dict(shape),
        place,
        description=sentence,
        examples=[OpenApiExample(name, example)],
        required=place == "path",
        response=list(answers) or False,
    )


def _build_word(*words: str) -> dict[str, Any]:
    """Return one of the words; an empty value counts as none."""
    return {"type": "string", "enum": [*words, ""]}


FLAG = _build_word("1", "0", "true", "false")
PK = _build_parameter("id", "The id of the object.", "1b70c640-d26d-4de1-8a5c-f14836c6c08c", UUID_TEXT, "path")
LINE = _build_parameter("line", "The line of the row, counted from 1.", 12, {"type": "integer", "minimum": 0}, "path")
_CURSOR = "The cursor. Take it from `next` or `previous`."
MAX_PAGE_SIZE, MAX_PAGE_SIZE_OF_ROWS = 500, 1000  # results


def _build_page_size(most: int) -> OpenApiParameter:
    shape = {"type": "integer", "minimum": 1, "maximum": most}
    return query("page_size", f"The number of results on a page: at most {most:,}.", 20, shape)


NEWEST_EDGE = "W2ZhbHNlLCAiMjAyNi0xMS0yM1QwNToyMTo0OCswMDowMCIsICIxYjcwYzY0MC1kMjZkLTRkZTEtOGE1Yy1mMTQ4MzZjNmMwOGMiXQ=="
NEWEST_FIRST = (query("cursor", _CURSOR, NEWEST_EDGE), _build_page_size(MAX_PAGE_SIZE))
_EDGE_BY_NUMBER = query("cursor", _CURSOR, "W2ZhbHNlLCAxMDBd")
BY_PLACE = (_EDGE_BY_NUMBER, _build_page_size(MAX_PAGE_SIZE))
IN_LINE_ORDER = (_EDGE_BY_NUMBER, _build_page_size(MAX_PAGE_SIZE_OF_ROWS))
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
    query(
        "duplicates",
        "1: only rows with the DOI of an earlier row; of another reference, if there are.",
        "1",
        FLAG,
    ),
    query("group", "Only rows of this group.", "needs-work", _build_word(*map(str, RowGroup))),
    query("correction", "Only rows with this correction.", "to-review", _build_word(*map(str, CORRECTIONS))),
    query(
        "address",
        "Only rows whose address is of this class. `elsewhere`: on another host, or without an address. "
        "`to-correct`: these, and other pages of the expected host.",
        "other-host",
        _build_word(*map(str, ADDRESSES)),
    ),
    query("work", "Only rows with this verdict about the work.", "different", _build_word(*VERDICTS)),
    query("found_by", "Only rows whose search came to this.", "Crossref", _build_word(*FOUND_BY)),
    query(
        "task",
        "Only rows of this task. " + " ".join(f"`{task}`: {rows.sentence}." for task, rows in TASKS.items()),
        "back",
        _build_word(*map(str, TASKS)),
    ),
    query("host", "Only rows whose first URL value is on this host. Not for quick checks.", "example.org"),
)
LOCATION = _build_parameter(
    "Location",
    "The address of the object.",
    "http://127.0.0.1:8000/api/v1/jobs/1b70c640-d26d-4de1-8a5c-f14836c6c08c",
    {"type": "string", "format": "uri"},
    "header",
    answers=(201, 202),
)


def _build_limits(policy: tuple[str, str], limit: tuple[str, str], *, answers: Sequence[int]) -> list[OpenApiParameter]:
    """Return the headers of a rate limit, each from its sentence and an example."""
    described = {"RateLimit-Policy": policy, "RateLimit": limit}
    return [_build_parameter(name, *said, TEXT, "header", answers=answers) for name, said in described.items()]


RATE_LIMIT = _build_limits(
    ("The DOIs (q) that you may ask about in a window of so many seconds (w).", '"dois";q=6000;w=60'),
    ("The DOIs that are left (r), and the seconds until all are there again (t).", '"dois";r=5999;t=60'),
    answers=(200, 201, 429),
)
DAILY_QUOTAS = _build_limits(
    (
        "If the portal has daily quotas: the lists and rows (q) that your account may check in a day (w, seconds).",
        '"lists";q=50;w=86400, "rows";q=100000;w=86400',
    ),
    (
        "What is left of them today (r), and the seconds until midnight UTC (t).",
        '"lists";r=49;t=43200, "rows";r=88000;t=43200',
    ),
    answers=(202, 429),
)
_TAG = '"5f2b1c0d9e8a7b6c5d4e3f2a1b0c9d8e"'
ETAG = _build_parameter("ETag", "The version of the answer.", _TAG, TEXT, "header", answers=(200,))
IF_NONE_MATCH = _build_parameter(
    "If-None-Match",
    "The ETag of the answer that you have. If it is still the same, the answer is 304.",
    _TAG,
    TEXT,
    "header",
)
IF_MATCH = _build_parameter(
    "If-Match",
    "The ETag of the object as you saw it. If it has changed since, the answer is 412, and nothing is changed.",
    _TAG,
    TEXT,
    "header",
)
REPLAYED = _build_parameter(
    "Idempotent-Replayed",
    "The answer is that of an earlier request with the same Idempotency-Key.",
    "true",
    {"type": "string", "enum": ["true"]},
    "header",
    answers=(200, 201, 202),
)
IDEMPOTENCY_KEY = _build_parameter(
    "Idempotency-Key",
    "A text of your own, at most 255 characters. A repeated request with it gets the first answer, for a day.",
    "4f1c3b0a-nightly-2026-11-23",
    {"type": "string", "minLength": 1, "maxLength": 255},
    "header",
)
