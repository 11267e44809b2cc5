"""What OpenRefine and Alma Refine really send, and what they make of the answers."""

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import requests

Result = dict[str, Any] | None
"""The answer to one cell; None if its batch ended with an HTTP error."""
TRIES, PATIENCE = 4, 60  # of OpenRefine: one attempt and three more; seconds for each
AT_ONCE, OF_ALMA = 5, 10  # requests of Alma Refine; cells in each


def chunk(cells: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(cells), size):
        yield cells[start : start + size]


def from_openrefine(address: str, cells: Sequence[str], batch_size: int = 50) -> list[Result]:
    """One batch after the other as a form, of min(max(rows / 10, 10), batchSize) cells; a batch that fails is repeated
    after its Retry-After, three times."""
    size = int(min(max(len(cells) / 10, 10), batch_size))
    found: list[Result] = []
    with requests.Session() as session:
        session.trust_env = False
        for batch in chunk(cells, size):
            queries = {f"q{n}": {"query": text, "type": "doi", "type_strict": "should"} for n, text in enumerate(batch)}
            found += _repeated(session, address, queries)
    return found


def _repeated(session: requests.Session, address: str, queries: dict[str, Any]) -> list[Result]:
    for attempt in range(TRIES):
        response = session.post(address, data={"queries": json.dumps(queries)}, timeout=PATIENCE)
        if response.status_code == 200:
            answers = response.json()
            return [answers[key] for key in queries]
        if attempt < TRIES - 1:
            time.sleep(min(float(response.headers.get("Retry-After", 1)), 10))
    return [None] * len(queries)


def from_alma(address: str, cells: Sequence[str]) -> list[Result]:
    """Ten cells in each GET, five at once, nothing repeated; the query of the service's address is dropped."""
    address = address.partition("?")[0]

    def ask(batch: Sequence[str]) -> list[Result]:
        queries = {str(n): {"query": text} for n, text in enumerate(batch)}
        with requests.Session() as session:
            session.trust_env = False
            response = session.get(address, params={"queries": json.dumps(queries)}, timeout=PATIENCE)
        if response.status_code != 200:
            return [None] * len(batch)
        answers = response.json()
        assert all("result" in answers[key] for key in queries), "it would stop here"
        return [answers[key] for key in queries]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [one for found in pool.map(ask, chunk(cells, OF_ALMA)) for one in found]
