"""What a visitor has stored before the tour: lookups and lists of every kind, made through the REST face.

The faces' forms change; what is asked for here does not.
"""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import APIRequestContext

from tests.journeys.states import Stage

LONG = "10.5555/" + "averylongnamewithoutanyplacetobreak" * 8
SEVERAL = "10.1000/182. 10.5555/" + "another" * 40 + "; 10.5555/missing-b; 10.5555/two; 10.5555/unsafe"
LOOKUPS = {
    "resolved": "10.1000/182",
    "hash": "https://doi.org/10.1000/456#789",
    "suggested": "10.5555/a\u200bb",
    "long": f" see {LONG}\u200b, ",
    "could_not_ask": "10.5555/error-1",
    "nothing": "no name at all",
    "several": SEVERAL,
    "no_url": "10.5555/nourl-1",
    "alias": "10.5555/alias-1",
    "formats": "10.5555/formats-1",
    "missing": "10.5555/missing-1",
}
ENDED = {"finished", "cancelled", "failed"}
PATIENCE = 60  # seconds


class Scene:
    """The addresses by name. `asks` sends with the cookies of the visitor whose all of this is; `folder` has the
    portal's database."""

    def __init__(self, asks: APIRequestContext, folder: Path) -> None:
        self._asks, self._folder = asks, folder
        self.places: dict[str, str] = {"name": LONG}

    def enter(self, stage: Stage) -> None:
        """Store what a stage has more than the one before."""
        if stage is Stage.FULL:
            self._fill()
        if stage is Stage.RUNNING:
            self._running = self.list("running", "running.csv", _slow("r"), until="checking")

    def leave(self) -> None:
        """Stop what still runs: the portal serves others too."""
        self._asks.delete(f"/api/v1/jobs/{self._running}")

    def _fill(self) -> None:
        for key, text in LOOKUPS.items():
            self.places[key] = self._page("/api/v1/lookups", data={"input": text})
        rows = [f"1,{'cell' * 60},{LONG}", "2,,10.1000/456#789", f"3,,{SEVERAL}", f"4,,{LONG}", "5,,10.5555/error-1"]
        rows += [f"{n},,10.5555/n{n}" for n in range(6, 140)]
        table = "\n".join([f"id,{'column' * 30},DOI", *rows])
        self.list("finished", "long" * 30 + ".csv", table, name="name" * 50, note="note" * 500)
        self.list("plain", "spring.csv", "DOI\n10.1000/182\n10.1000/456#789\n10.5555/missing-2\n10.1000/182\n")
        self._fail(self.list("failed", "broken.csv", "DOI\n10.1000/182\n"))
        cancelled = self.list("cancelled", "cancelled.csv", _slow("c"), until="checking")
        self._asks.post(f"/api/v1/jobs/{cancelled}/cancel")

    def list(self, key: str, filename: str, content: str, *, until: str = "finished", **form: str) -> str:
        """Upload, and wait until the list is in that state; its id."""
        file = {"name": filename, "mimeType": "text/csv", "buffer": content.encode()}
        self.places[key] = self._page("/api/v1/jobs", multipart={"file": file, **form})
        pk = self.places[key].rpartition("/")[2]
        end = time.monotonic() + PATIENCE
        while (state := self._asks.get(f"/api/v1/jobs/{pk}").json()["state"]) != until and state not in ENDED:
            assert time.monotonic() < end, f"{filename} is still {state}"
            time.sleep(0.1)
        assert state == until, f"{filename}: {state}"
        return pk

    def _fail(self, pk: str) -> None:
        """What no upload brings about on purpose: files are looked through before they are taken."""
        database = sqlite3.connect(self._folder / "doiportal.sqlite3", timeout=PATIENCE)
        with closing(database), database:
            failed = ("failed", "Line 4: a quote is never closed.", pk.replace("-", ""))
            database.execute("UPDATE resolver_job SET state = ?, error = ? WHERE id = ?", failed)

    def _page(self, address: str, **sent: Any) -> str:
        answer = self._asks.post(address, **sent)
        assert answer.ok, answer.text()
        return urlsplit(answer.json()["page"]).path


def _slow(word: str) -> str:
    """A list that keeps the sample proxy busy for minutes."""
    return "DOI\n" + "".join(f"10.5555/slow-{word}-{number}\n" for number in range(3000))
