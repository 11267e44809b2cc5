"""`python -m benchmarks.faults`: every fault made for real in the middle of a list, and a table of what came of it.

On SQLite with a broker of files, and on PostgreSQL with Redis; web, worker, scheduler, proxy, PostgreSQL and Redis are
processes of their own. Takes some twenty minutes. `--only PATTERN` makes the faults whose names match.
"""

import argparse
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import astuple, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks import fault_people as people
from benchmarks import fault_scenes as scenes
from benchmarks.fault_scenes import FaultScene, FaultStory
from tests.faults import lists
from tests.faults.failing_proxy import FailingProxyProcess
from tests.faults.portal import Json, KillablePortal

ROWS = 4000
TITLES = (
    "what was done", "rows done before / after", "rows with exactly one outcome", "names answered twice",
    "what the page says, then and at the end", "verdict",
)  # fmt: skip


@contextmanager
def portal(database: str, proxy: FailingProxyProcess, *, on_small_disk: bool = False) -> Iterator[KillablePortal]:
    folder = Path(tempfile.mkdtemp(prefix="df-"))  # short: PostgreSQL's socket lies in it
    folder.chmod(0o711)
    try:
        disk = people.small_disk(folder / "var") if on_small_disk else nullcontext()
        with disk, KillablePortal(folder, proxy, database=database) as started:
            yield started
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def labels() -> Iterator[str]:
    """Words of letters alone, all of one length: the reader sees the same in each."""
    for number in count():
        yield "list" + "".join(chr(ord("a") + number // 26**place % 26) for place in (1, 0))


def tell(name: str, scene: FaultScene, course: people.Course) -> FaultStory:
    """What fails is a line of the table too."""
    began = time.monotonic()
    try:
        story = course(scene)
    except (AssertionError, TimeoutError, OSError, RuntimeError, KeyError) as error:  # requests' errors are OSErrors
        print(repr(error), scene.portal.said(), sep="\n", file=sys.stderr)
        return FaultStory(name, "", "", "", " → ".join(scene.said), f"FAILED: {str(error)[:300]}")
    return replace(story, verdict=f"{story.verdict} ({time.monotonic() - began:.0f} s)")


def in_the_middle(name: str, act: scenes.Act, scene: FaultScene) -> FaultStory:
    before, verdict = scenes.in_the_middle(act, scene, again=name in scenes.PROXY)
    words = "; ".join(verdict.faults)
    less = f"; {verdict.incomplete:,} rows tell less (no agency or suggestion)" if verdict.incomplete else ""
    return FaultStory(
        name,
        f"{before:,} / {verdict.with_outcome:,} of {len(scene.expected):,}",
        f"{verdict.with_outcome:,} of {verdict.rows:,}",
        f"{verdict.repeated:,}",
        " → ".join(scene.said),
        f"FAILED: {words}" if words else f"holds{less}",
    )


def undisturbed(portal: KillablePortal, label: str, rows: int) -> list[Json]:
    with portal.visitor() as visitor:
        job_id = visitor.upload(lists.lines(label, rows))
        visitor.wait_for_the_end(job_id)
        return lists.results(visitor, job_id, label)


def stories(database: str, rows: int, only: str) -> Iterator[FaultStory]:
    label = labels()
    kinds = scenes.PROCESSES | (scenes.REDIS | scenes.POSTGRES if database == "postgres" else {}) | scenes.PROXY
    courses = {name: partial(in_the_middle, name, act) for name, act in kinds.items()} | people.COURSES
    killed = "everything killed with -9, and `make run` again"

    def made(running: KillablePortal, chosen: Mapping[str, people.Course]) -> Iterator[FaultStory]:
        for name, course in chosen.items():
            if re.search(only, name):
                with running.visitor() as visitor:
                    yield tell(name, FaultScene(running, visitor, next(label), expected), course)

    with FailingProxyProcess() as proxy:
        with portal(database, proxy) as running:
            expected = undisturbed(running, next(label), rows)
            yield from made(running, courses)
            running.kill("web", "worker", "beat")
            if re.search(only, killed):
                running.start("supervisor")
            yield from made(running, {killed: partial(in_the_middle, killed, scenes.everything_killed)})
        if any(re.search(only, name) for name in people.SMALL_DISK):
            with portal(database, proxy, on_small_disk=True) as running:
                yield from made(running, people.SMALL_DISK)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=("sqlite", "postgres"))
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the table there too")
    options = parser.parse_args()
    machine = f"Python {platform.python_version()} on {os.cpu_count()} cores, {datetime.now(UTC):%d %B %Y}"
    table = [f"{machine}, lists of {options.rows:,} rows, two worker processes, 20 ms an answer"]
    for database in [options.database] if options.database else ["sqlite", "postgres"]:
        table += [f"\n### {database}\n", "| " + " | ".join(TITLES) + " |", "|---" * len(TITLES) + "|"]
        print("\n".join(table[-4:]), flush=True)
        for story in stories(database, options.rows, options.only):
            cells = [text.replace("|", "\\|").replace("\n", " ") for text in astuple(story)]
            table.append(f"| {' | '.join(cells)} |")
            print(table[-1], flush=True)
    if options.markdown:
        options.markdown.write_text("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
