"""The script that a user would write in place of the portal: requests in threads, two requests a name, a CSV file.

`python -m benchmarks.script PROXY LIST RESULTS` prints the seconds that it took, and those of a processor, without the
start of Python. It is as fast as such a script gets: without `trust_env = False`, requests looks for a proxy and a
password before each request, which takes a quarter of the script's time.
"""

import csv
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import requests

THREADS = 32


@dataclass(frozen=True)
class ScriptRun:
    """What the script took: its rows a second, and microseconds of a processor for a row."""

    rate: float
    processor: float


def run_script(proxy: str, names: Sequence[str]) -> ScriptRun:
    """Run the script in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "list.csv")
        source.write_text("doi\n" + "".join(f"{name}\n" for name in names), encoding="utf-8")
        command = [sys.executable, "-m", __name__, proxy, source, Path(folder, "results.csv")]
        printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return ScriptRun(len(names) / float(printed[0]), float(printed[1]) / len(names) * 1e6)


def check(proxy: str, source: Path, target: Path) -> None:
    """Write a row for each DOI of the column "doi": its name, response code, agency and web addresses."""
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", requests.adapters.HTTPAdapter(pool_maxsize=THREADS))

    def look_up(name: str) -> tuple[str, int, str, str]:
        path = quote(name, safe="/:;()")
        record = session.get(f"{proxy}/api/handles/{path}", timeout=30).json()
        agency = session.get(f"{proxy}/doiRA/{path}", timeout=30).json()[0]
        addresses = [value["data"]["value"] for value in record.get("values", ()) if value["type"] == "URL"]
        return name, record["responseCode"], agency.get("RA") or agency["status"], " ".join(addresses)

    with source.open(encoding="utf-8", newline="") as file:
        names = [row["doi"] for row in csv.DictReader(file)]
    with target.open("w", encoding="utf-8", newline="") as file, ThreadPoolExecutor(THREADS) as pool:
        rows = csv.writer(file)
        rows.writerow(("doi", "code", "agency", "addresses"))
        rows.writerows(pool.map(look_up, names))


if __name__ == "__main__":
    began, used = time.perf_counter(), time.process_time()
    check(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
    print(time.perf_counter() - began, time.process_time() - used)
