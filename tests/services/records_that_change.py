"""What a proxy knew, and what it knows later: one name of each kind of change."""

import json
from pathlib import Path
from typing import Any

Known = dict[str, tuple[str, str]]  # name: agency, address

LIST = "doi\n10.77/breaks\n10.77/mended\n10.77/moves\n10.77/sold\n10.77/stays\n10.77/never\nnothing\n"
BEFORE: Known = {
    "10.77/breaks": ("Crossref", "https://old.example/1"),
    "10.77/moves": ("Crossref", "https://old.example/3"),
    "10.77/sold": ("Crossref", "https://old.example/4"),
    "10.77/stays": ("Crossref", "https://old.example/5"),
}
AFTER: Known = {
    "10.77/mended": ("Crossref", "https://new.example/2"),
    "10.77/moves": ("Crossref", "https://new.example/3"),
    "10.77/sold": ("DataCite", "https://old.example/4"),
    "10.77/stays": ("Crossref", "https://old.example/5"),
}


def records(folder: Path, known: Known) -> Path:
    """A file of records that the stand-in reads."""
    made = [{"doi": name, "ra": ra, "values": [_url(address)]} for name, (ra, address) in known.items()]
    path = folder / "records.json"
    path.write_text(json.dumps({"prefixes": {"10.77": "Crossref"}, "records": made}))
    return path


def _url(address: str) -> dict[str, Any]:
    data = {"format": "string", "value": address}
    return {"index": 1, "type": "URL", "data": data, "ttl": 86400, "timestamp": "2026-01-01T00:00:00Z"}
