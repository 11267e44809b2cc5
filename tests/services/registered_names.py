"""A sample proxy at which just some names are registered."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from doi_reading.name import is_short_doi
from resolver.standin.generated_names import build_handle_value
from resolver.standin.server import SampleProxyServer


def behind(short_doi: str) -> str:
    """The DOI that a short DOI stands for: a made-up name, which the sample proxy always has."""
    return f"10.5555/behind-{short_doi.partition('/')[2]}"


def records(names: Iterable[str]) -> dict[str, Any]:
    """A records file for the sample proxy in which each of the names has a URL, or stands for another."""
    made = []
    for name in sorted(set(names)):
        short = is_short_doi(name)
        kind, text = ("HS_ALIAS", behind(name)) if short else ("URL", "https://example.org/landing")
        made.append({"doi": name, "ra": None if short else "Crossref", "values": [build_handle_value(1, kind, text)]})
    return {"prefixes": {item["doi"].partition("/")[0]: "Crossref" for item in made}, "records": made}


@contextmanager
def sample_proxy_where(names: Iterable[str]) -> Iterator[SampleProxyServer]:
    """A sample proxy in which just these names exist."""
    with TemporaryDirectory() as folder:
        known = Path(folder, "records.json")
        known.write_text(json.dumps(records(names)), encoding="utf-8")
        with SampleProxyServer(known) as server:
            yield server
