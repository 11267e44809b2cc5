"""A handle record as the rows of a table. Pure, and ready for a record that is not what it should be (A9)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST = 200  # values shown; a record with more is shown in part, and says so


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One handle value in words (A3)."""

    index: str
    type: str
    format: str
    data: str
    ttl: str
    timestamp: str


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def value_rows(record: Mapping[str, Any] | None) -> list[ValueRow]:
    """The values of a record (A1) in the order in which they came."""
    values = (record or {}).get("values")
    rows = []
    for value in values[:MOST] if isinstance(values, list) else ():
        if not isinstance(value, Mapping):
            continue
        data = value.get("data")
        known: Mapping[str, Any] = data if isinstance(data, Mapping) else {"value": data}
        rows.append(
            ValueRow(
                index=_text(value.get("index")),
                type=_text(value.get("type")),
                format=_text(known.get("format")),
                data=_text(known.get("value")),
                ttl=_text(value.get("ttl")),
                timestamp=_text(value.get("timestamp")),
            )
        )
    return rows
