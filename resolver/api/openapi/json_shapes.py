"""The JSON Schemas of what is stored as JSON: addresses, records, counts, other DOIs."""

from collections.abc import Mapping
from typing import Any

from resolver.domain.report.outcome import Outcome

Shape = Mapping[str, Any]


def _build_object(description: str, members: Mapping[str, Shape]) -> Shape:
    return {
        "type": "object",
        "description": description,
        "properties": {name: dict(shape) for name, shape in members.items()},
        "required": list(members),
    }


def _build_numbers(description: str, example: Mapping[str, int]) -> Shape:
    """Return an object of numbers of rows, by words that are not known beforehand."""
    rows = {"type": "integer", "minimum": 0}
    return {"type": "object", "description": description, "additionalProperties": rows, "examples": [dict(example)]}


def _build_rows(description: str, example: int) -> Shape:
    return {"type": "integer", "minimum": 0, "description": description, "examples": [example]}


TEXTS: Shape = {"type": "array", "items": {"type": "string"}}

RECORD: Shape = {
    "type": ["object", "null"],
    "properties": {
        "responseCode": {"type": "integer", "description": "The code of the DOI proxy; 1 is success.", "examples": [1]},
        "handle": {"type": "string", "description": "The name of the record.", "examples": ["10.1000/182"]},
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

_COUNTED: Shape = _build_object(
    "Numbers of checked rows.",
    {
        "outcome": _build_numbers("Rows by their outcome.", {"resolved": 90, "not-found": 10}),
        "problem": _build_numbers("Rows by problem code. A row with two codes counts for both.", {"unescaped-hash": 3}),
        "ra": _build_numbers("Rows by their Registration Agency.", {"Crossref": 88}),
    },
)

COUNTS: Shape = {
    **_COUNTED,
    "properties": {
        **_COUNTED["properties"],
        "address": _build_numbers(
            "Rows by the class of their address. Only if a row has one.", {"same": 80, "other-host": 8}
        ),
        "host": _build_numbers(
            "In a job with expected addresses, after its end: rows by the host of their first URL value, for the 20 "
            "hosts with the most rows. An empty name stands for all other hosts.",
            {"example.org": 80, "": 8},
        ),
    },
}

SURVEY: Shape = {
    **_build_object(
        "What Which RA says about the list.",
        {
            "rows": _build_rows("The rows that Which RA has answered so far.", 100),
            "exist": _build_rows("The rows of these whose DOI is registered.", 90),
            "missing": _build_rows("The rows of these whose DOI isn't registered.", 6),
            "unknown": _build_rows("The rows for which Which RA couldn't tell or couldn't be reached.", 1),
            "no_name": _build_rows("The rows whose text has no DOI name.", 3),
            "ra": _build_numbers("The registered rows by agency.", {"Crossref": 88, "DataCite": 2}),
        },
    ),
    "type": ["object", "null"],
}

OTHERS: Shape = {
    "type": "array",
    "items": _build_object(
        "Another DOI in the same text.",
        {
            "doi": {"type": "string", "description": "The DOI name.", "examples": ["10.1093/nar/gkaa1100"]},
            "outcome": {
                "type": "string",
                "enum": [*map(str, Outcome), ""],
                "description": "Its outcome; empty if it wasn't checked.",
                "examples": ["resolved"],
            },
            "ra": {"type": ["string", "null"], "description": "Its agency, if known.", "examples": ["Crossref"]},
            "urls": {**TEXTS, "description": "Its URL values.", "examples": [["https://example.org/article"]]},
        },
    ),
}

READ_AS: Shape = {
    "type": ["object", "null"],
    "description": "How the file was read; a member is null where it does not apply.",
    "properties": {
        "kind": {"type": "string", "description": "As `kind` of the job.", "examples": ["table"]},
        "sheet": {"type": ["string", "null"], "description": "The sheet of a workbook.", "examples": [None]},
        "header_row": {
            "type": ["integer", "null"],
            "minimum": 0,
            "description": "The number of the row with the column names, as a spreadsheet shows it; 0 for none.",
            "examples": [1],
        },
        "delimiter": {
            "type": ["string", "null"],
            "description": "The column separator of a text; null for a plain list.",
            "examples": [","],
        },
        "encoding": {"type": ["string", "null"], "description": "The encoding of a text.", "examples": ["utf-8"]},
        "encoding_assumed": {
            "type": ["boolean", "null"],
            "description": "Whether nothing says the encoding of the text, so that it may be another.",
            "examples": [False],
        },
    },
    "required": ["kind", "sheet", "header_row", "delimiter", "encoding", "encoding_assumed"],
}

NOTES: Shape = {
    "type": "array",
    "items": _build_object(
        "Something about the whole list that a person should know.",
        {
            "code": {
                "type": "string",
                "enum": ["encoding-assumed", "lines-in-cell", "records-without-doi", "second-doi-column"],
                "description": "A word for programs.",
                "examples": ["second-doi-column"],
            },
            "message": {
                "type": "string",
                "description": "A sentence for people.",
                "examples": ["The column “Related” has other DOIs. They are not checked."],
            },
        },
    ),
}
