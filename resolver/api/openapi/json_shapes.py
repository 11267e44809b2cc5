"""The JSON Schemas of what is stored as JSON: addresses, records, counts, other DOIs."""

from collections.abc import Mapping, Sequence
from typing import Any

from resolver.domain.report.outcome import Outcome
from resolver.domain.report.row_task import TASKS
from resolver.domain.work.events import EventKind
from resolver.domain.work.evidence import VERDICTS, FieldStatus, WorkReason
from resolver.sheets.input.work_columns import WORK_FIELDS

Shape = Mapping[str, Any]


def _build_object(description: str, members: Mapping[str, Shape], kind: str | Sequence[str] = "object") -> Shape:
    return {
        "type": kind,
        "description": description,
        "properties": {name: dict(shape) for name, shape in members.items()},
        "required": list(members),
    }


def _build_member(kind: str | Sequence[str], description: str, example: Any, **bounds: Any) -> Shape:
    return {"type": kind, **bounds, "description": description, "examples": [example]}


def _build_numbers(description: str, example: Mapping[str, int]) -> Shape:
    """Return an object of numbers of rows, by words that are not known in advance."""
    rows = {"type": "integer", "minimum": 0}
    return {"type": "object", "description": description, "additionalProperties": rows, "examples": [dict(example)]}


def _build_rows(description: str, example: int) -> Shape:
    return _build_member("integer", description, example, minimum=0)


_OR_NULL = ["object", "null"]
TEXTS: Shape = {"type": "array", "items": {"type": "string"}}

RECORD: Shape = {
    "type": _OR_NULL,
    "properties": {
        "responseCode": _build_member("integer", "The code of the DOI proxy; 1 is success.", 1),
        "handle": _build_member("string", "The name of the record.", "10.1000/182"),
        "values": {
            "type": "array",
            "description": "The handle values, with all members that the proxy sent.",
            "items": {"type": "object"},
            "examples": [
                [
                    {
                        "index": 1,
                        "type": "URL",
                        "data": {"format": "string", "value": "http://www.doi.org/hb.html"},
                        "ttl": 86400,
                        "timestamp": "2004-01-21T14:14:17Z",
                    }
                ]
            ],
        },
    },
}

COUNTS: Shape = {
    **_build_object(
        "Numbers of checked rows.",
        {
            "outcome": _build_numbers("Rows by their outcome.", {"resolved": 90, "not-found": 10}),
            "problem": _build_numbers(
                "Rows by problem code. A row with two codes counts for both.", {"unescaped-hash": 3}
            ),
            "ra": _build_numbers("Rows by their Registration Agency.", {"Crossref": 88}),
            "address": _build_numbers(
                "Rows by the class of their address. Only if a row has one.", {"same": 80, "other-host": 8}
            ),
            "work": _build_numbers(
                "Rows by the verdict about their work. Only if the job compares works.", {"same": 85, "different": 3}
            ),
            "found_by": _build_numbers(
                "Rows by what the search for their work came to. Only if the job searches.", {"Crossref": 12, "none": 5}
            ),
            "host": _build_numbers(
                "In a job with expected addresses, after its end: rows by the host of their first URL value, for the "
                "20 hosts with the most rows. An empty name stands for all other hosts.",
                {"example.org": 80, "": 8},
            ),
        },
    ),
    "required": ["outcome", "problem", "ra"],
}

SURVEY: Shape = _build_object(
    "What Which RA says about the list.",
    {
        "rows": _build_rows("The rows that Which RA has answered so far.", 100),
        "exist": _build_rows("The rows of these whose DOI is registered.", 90),
        "missing": _build_rows("The rows of these whose DOI isn't registered.", 6),
        "unknown": _build_rows("The rows for which Which RA couldn't tell or couldn't be reached.", 1),
        "no_name": _build_rows("The rows whose text has no DOI name.", 3),
        "ra": _build_numbers("The registered rows by agency.", {"Crossref": 88, "DataCite": 2}),
    },
    _OR_NULL,
)

REFERENCES: Shape = _build_object(
    "The references of a bibliographic file.",
    {
        "total": _build_rows("The records with a row: with a field that is read, or that can't be read.", 300),
        "need": _build_rows("Those of which a row needs attention or cleaning up.", 16),
    },
    _OR_NULL,
)

_NAME_OF_COLUMN = _build_member(["string", "null"], "The name of the column; null if there is none.", "Title")
WORK_COLUMNS: Shape = _build_object(
    "The columns that say what work a row is about.", dict.fromkeys(WORK_FIELDS, _NAME_OF_COLUMN), _OR_NULL
)

_EVIDENCE: Mapping[str, Shape] = {
    "reasons": {
        "type": "array",
        "items": {"type": "string", "enum": [str(reason) for reason in WorkReason]},
        "description": "Why, the most telling first.",
        "examples": [["title-differs"]],
    },
    "fields": {
        "type": "array",
        "description": "The evidence.",
        "examples": [
            [
                {
                    "name": "title",
                    "row": "On the heath",
                    "registered": "On a heath",
                    "status": "differs",
                }
            ]
        ],
        "items": _build_object(
            "One field, with both values.",
            {
                "name": _build_member("string", "`title`, `authors`, `year`, `container` and so on.", "title"),
                "row": _build_member("string", "The value of your row, or an empty text.", "On the heath"),
                "registered": _build_member("string", "The value of the record.", "On the heath"),
                "status": {
                    "type": "string",
                    "enum": [str(status) for status in FieldStatus],
                    "description": "How they compare.",
                    "examples": ["differs"],
                },
            },
        ),
    },
}

WORK_OF_ROW: Shape = _build_object(
    "The comparison of the row with the record of its DOI.",
    {
        "verdict": {
            "type": "string",
            "enum": list(VERDICTS),
            "description": "`same`; `different`; `look`: a person has to look; `cannot-tell`; `could-not-ask`: the "
            "agency gave no answer, which says nothing about the work.",
            "examples": ["look"],
        },
        **_EVIDENCE,
        "agency": _build_member("string", "The Registration Agency that was asked; empty if none was.", "Crossref"),
        "received_at": _build_member(
            ["string", "null"], "When it answered, UTC; null without an answer.", "2026-10-01T08:00:00Z"
        ),
    },
    _OR_NULL,
)

SEARCH_OF_ROW: Shape = _build_object(
    "The search for the work of the row.",
    {
        "services": {**TEXTS, "description": "The services that answered.", "examples": [["Crossref", "DataCite"]]},
        "asked_at": _build_member(
            ["string", "null"], "When the oldest answer came, UTC; null if none was asked.", "2026-11-01T08:00:00Z"
        ),
        "works": {
            "type": "array",
            "description": "The works that may be the right one, the best first.",
            "items": _build_object(
                "A work that was found.",
                {
                    "doi": _build_member("string", "Its DOI name.", "10.1000/xyz"),
                    "found_by": _build_member("string", "The service that lists it, or `identifier`.", "Crossref"),
                    "reason": _build_member(
                        ["string", "null"], "What in the row names it, if it isn't a service that lists it.", None
                    ),
                    "verdict": _build_member(
                        ["string", "null"], "How the row compares with it: `same` or `look`; null if unknown.", "same"
                    ),
                    **_EVIDENCE,
                },
            ),
            "examples": [[]],
        },
        "sentence": _build_member(
            ["string", "null"], "Why nothing was found, or what couldn't be searched; null if something was.", None
        ),
    },
    _OR_NULL,
)

OTHERS: Shape = {
    "type": "array",
    "items": _build_object(
        "Another DOI in the same text.",
        {
            "doi": _build_member("string", "The DOI name.", "10.1093/nar/gkaa1100"),
            "outcome": _build_member(
                "string", "Its outcome; empty if it wasn't checked.", "resolved", enum=[*map(str, Outcome), ""]
            ),
            "ra": _build_member(["string", "null"], "Its agency, if known.", "Crossref"),
            "urls": {**TEXTS, "description": "Its URL values.", "examples": [["https://example.org/article"]]},
        },
    ),
}

EVENTS: Shape = {
    "type": "array",
    "items": _build_object(
        "What happened to a work after its publication.",
        {
            "doi": _build_member("string", "The DOI of the work, as the list names it.", "10.5555/retracted-1"),
            "kind": _build_member("string", "What happened.", "retraction", enum=[*map(str, EventKind)]),
            "date": _build_member(["string", "null"], "The day; null if the list names none.", "2021-03-04"),
            "reasons": {**TEXTS, "description": "The reasons.", "examples": [["Unreliable Results"]]},
            "notice": _build_member(["string", "null"], "The DOI of the notice.", "10.5555/notice-1"),
            "source": _build_member("string", "Who lists it.", "Retraction Watch"),
            "listed_on": _build_member(["string", "null"], "The day of that list.", "2026-11-01"),
        },
    ),
}

READ_AS: Shape = _build_object(
    "How the file was read; a member is null where it does not apply.",
    {
        "kind": _build_member("string", "As `kind` of the job.", "table"),
        "sheet": _build_member(["string", "null"], "The sheet of a workbook.", None),
        "header_row": _build_member(
            ["integer", "null"],
            "The number of the row with the column names, as a spreadsheet shows it; 0 for none.",
            1,
            minimum=0,
        ),
        "delimiter": _build_member(["string", "null"], "The column separator of a text; null for a plain list.", ","),
        "encoding": _build_member(["string", "null"], "The encoding of a text.", "utf-8"),
        "encoding_assumed": _build_member(
            ["boolean", "null"], "Whether nothing says the encoding of the text, so that it may be another.", False
        ),
    },
    _OR_NULL,
)

NOTES: Shape = {
    "type": "array",
    "items": _build_object(
        "Something about the whole list that a person should know.",
        {
            "code": _build_member(
                "string",
                "A word for programs.",
                "second-doi-column",
                enum=[
                    "encoding-assumed",
                    "lines-in-cell",
                    "records-without-doi",
                    "no-title-column",
                    "second-doi-column",
                    "signed",
                    "values-read-one-by-one",
                ],
            ),
            "message": _build_member(
                "string", "A sentence for people.", "The column “Related” has other DOIs. They are not checked."
            ),
        },
    ),
}

TASKS_OF_JOB: Shape = {
    "type": "array",
    "items": _build_object(
        "A task, and its rows.",
        {
            "code": _build_member("string", "The code, as in the filter `task`.", "back", enum=[*map(str, TASKS)]),
            "rows": _build_rows("The number of its rows. A row may belong to several tasks.", 14),
            "href": _build_member(
                "string",
                "The address of its rows.",
                "http://127.0.0.1:8000/api/v1/jobs/1b70c640-d26d-4de1-8a5c-f14836c6c08c/rows?task=back",
                format="uri",
            ),
        },
    ),
}
