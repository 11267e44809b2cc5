"""Cells in the shapes of the clients, while the DOI proxy refuses 5% of the requests and lets 2% wait for ever:

    python -m tests.reconcile.cells_under_faults [CELLS]

Half of the cells come from OpenRefine, half from Alma Refine; in each, 9 of 10 are registered. Then registered cells
alone, without faults, to count the requests of a clean cell. Prints what became of them, and ends with 1 if a cell has
a wrong answer or a silently empty one, or if a clean cell takes more requests than MOST.
"""

import os
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from resolver.standin.http_replies import TOO_MANY, HttpReply
from resolver.standin.server import SampleProxyServer
from tests.reconcile.client_shapes import Result, from_alma, from_openrefine

REFUSED, SILENT = 0.05, 0.02  # of the requests
FOR_EVER = 3.0  # seconds, longer than the portal waits
TOLD = {
    "API_DOIS_PER_MINUTE": "0",
    "DOI_PROXY_TIMEOUT": "1",
    "DOI_PROXY_BACKOFF": "0.02",
    "PROXY_CONCURRENCY": "64",
    "PROXY_RATE": "0",
    "PROXY_LONGEST_PAUSE": "0.05",
    "ANSWERS_FRESH_HOURS": "24",
}
SEED = 16
MISSING = 10  # every so many-th cell isn't registered
CLEAN, MOST = 1000, 1.03  # cells without faults, and the requests that each of them may take


class FaultyProxy(SampleProxyServer):
    """The sample proxy with these faults, drawn for each request. `faulty`: whether they happen now."""

    def __init__(self) -> None:
        super().__init__()
        self.faulty = True
        self.faults: Counter[str] = Counter()
        self._draw = random.Random(SEED)
        self._lock = threading.Lock()

    def _choose_refusal(self) -> HttpReply | None:
        with self._lock:
            drawn = self._draw.random() if self.faulty else 1.0
        if drawn < REFUSED:
            self.faults["429"] += 1
            return TOO_MANY
        if drawn < REFUSED + SILENT:
            self.faults["timeout"] += 1
            return HttpReply(200, b"", delay=FOR_EVER, reset=True)
        return None


def make_cells(number: int, label: str, missing: int = MISSING) -> list[str]:
    """Names of which one in `missing` isn't registered; 0: all are."""
    return [
        f"10.5555/{'missing' if missing and place % missing == 3 else 'cell'}.{label}.{place}"
        for place in range(number)
    ]


def judge(cells: Sequence[str], found: Sequence[Result]) -> Counter[str]:
    """Count the cells by what became of them: right, HTTP error, wrong, silently empty."""
    counts: Counter[str] = Counter()
    for cell, answer in zip(cells, found, strict=True):
        registered = "missing" not in cell
        ids = None if answer is None else [one["id"] for one in answer["result"] if one["match"]]
        if ids is None:
            counts["HTTP error"] += 1
        elif registered and not answer["result"]:
            counts["silently empty"] += 1
        else:
            counts["right" if ids == ([cell] if registered else []) else "wrong"] += 1
    return counts


def ask(address: str, number: int, label: str, missing: int = MISSING) -> tuple[Counter[str], Counter[str]]:
    """Return what became of the cells from OpenRefine, and of those from Alma Refine."""
    first, second = (
        make_cells(number // 2, f"{label}o", missing),
        make_cells(number - number // 2, f"{label}a", missing),
    )
    return (
        judge(first, from_openrefine(f"{address}/reconcile", first)),
        judge(second, from_alma(f"{address}/reconcile?ignored=1", second)),
    )


def main(number: int) -> int:
    """Return the exit code."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "doiportal.settings"}
    with tempfile.TemporaryDirectory() as folder, FaultyProxy() as proxy:
        os.environ["DOIPORTAL_DATA_DIR"] = str(Path(folder, "own"))
        import django

        django.setup()
        from django.core.management import call_command

        from tests.gateway_outside.portal import gateway

        call_command("collectstatic", interactive=False, verbosity=0)
        told: dict[str, Any] = dict(TOLD)
        with gateway(Path(folder), proxy.url, **told) as portal:
            openrefine, alma = ask(portal.url, number, "f")
            faults, requests_sent = dict(proxy.faults), proxy.watch.total
            proxy.faulty = False
            proxy.reset()
            clean = sum(ask(portal.url, CLEAN, "c", missing=0), Counter())
            each = proxy.watch.total / CLEAN
    print(f"{number} cells, faults at the proxy {faults} of {requests_sent} requests")
    print(f"OpenRefine {dict(openrefine)}; Alma Refine {dict(alma)}")
    print(f"without faults, all registered: {dict(clean)}, {each:.3f} requests a cell")
    counts = openrefine + alma + clean
    return 1 if counts["wrong"] or counts["silently empty"] or clean["HTTP error"] or each > MOST else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
