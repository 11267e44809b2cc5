"""The records that the sample proxy knows, read from a JSON file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from doi_reading import fold
from resolver.domain.handle.proxy_json import WireError, build_answer
from resolver.domain.handle.record import Record

BUNDLED = Path(__file__).with_name("records.json")


class UnreadableRecords(ValueError):
    """The file is no collection of records; the message says why."""


@dataclass(frozen=True, slots=True)
class SampleEntry:
    """One name's record, and the agency that Which RA names."""

    ra: str | None
    record: Record


@dataclass(frozen=True, slots=True)
class SampleRecords:
    """All records by folded name (S8), also of handles that are no DOI names; the agencies of prefixes; and made-up
    names that must not exist."""

    entries: Mapping[str, SampleEntry] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()


def build_sample_entry(name: str, values: list[Mapping[str, Any]], ra: str | None) -> SampleEntry:
    """Return an entry whose values were read once, so that they are known to be a record."""
    record = build_answer({"responseCode": 1, "handle": name, "values": values})
    if not isinstance(record, Record):  # pragma: no cover - response code 1 is always a record
        raise UnreadableRecords(f"{name} has no record")
    return SampleEntry(ra, record)


def load_sample_records(path: Path | None = None) -> SampleRecords:
    """Read the records file. Raises UnreadableRecords if it is missing, no JSON, or not of the right shape."""
    path = path or BUNDLED
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        prefixes = {str(prefix): str(ra) for prefix, ra in raw.get("prefixes", {}).items()}
        entries = {
            fold(item["doi"]): build_sample_entry(
                item["doi"], item["values"], item.get("ra") or prefixes.get(item["doi"].partition("/")[0])
            )
            for item in raw["records"]
        }
        others = {
            fold(item["handle"]): build_sample_entry(item["handle"], item["values"], None)
            for item in raw.get("handles", [])
        }
        return SampleRecords(entries | others, prefixes, frozenset(fold(name) for name in raw.get("absent", [])))
    except OSError as error:
        raise UnreadableRecords(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        wrong = "holds a value that is no handle value" if isinstance(error, WireError) else "is not JSON in UTF-8"
        raise UnreadableRecords(f"{path} {wrong}: {error}") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise UnreadableRecords(
            f'{path} is no records file: it needs "records", a list of objects with "doi" and "values", '
            'and may have "handles", a list of objects with "handle" and "values"'
        ) from error
