"""The figures as a Markdown file: for each part a table with every run and the run in the middle."""

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

FILE = Path(__file__).with_name("results.md")
_TITLE = """# Measurements

Written by `make bench`; nothing here is typed by hand. Each part says when and on what it was measured.
"""
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")

Run = dict[str, str]  # what was measured → the figure, in words


def median(figures: Sequence[str]) -> str:
    """The figure in the middle; of an even number the lower one. Figures without a number keep their order."""
    return sorted(figures, key=_value)[(len(figures) - 1) // 2]


def table(runs: Sequence[Run]) -> str:
    """A row for everything that was measured; with several runs, each of them too."""
    several = len(runs) > 1
    head = ["measured", "median" if several else "figure", *(f"run {n}" for n in range(1, len(runs) + 1) if several)]
    lines = [head, ["---"] * len(head)]
    for label in dict.fromkeys(label for run in runs for label in run):
        figures = [run[label] for run in runs if label in run]
        every = [run.get(label, "–") for run in runs]
        lines.append([label, median(figures), *(every if several else ())])
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def write(name: str, text: str, file: Path = FILE) -> None:
    """Put a part in place of what the file has under that name, or behind all others."""
    old = file.read_text(encoding="utf-8") if file.exists() else _TITLE
    first, *parts = re.split(r"(?m)^(?=## )", old)
    kept = {part.split("\n", 1)[0].removeprefix("## "): part for part in parts}
    kept[name] = f"## {name}\n\n{text}"
    file.write_text("\n\n".join(part.rstrip("\n") for part in (first, *kept.values())) + "\n", encoding="utf-8")


def circumstances() -> str:
    """When, of which commit and on what is measured; to be asked before."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    changed = _git("status", "--porcelain", "--", ".", f":!{FILE}")
    commit = (_git("rev-parse", "--short", "HEAD") or "unknown") + (" with changes" if changed else "")
    return (
        f"{now}, commit {commit}; {_processor()}, {os.cpu_count()} cores, {_memory()}; {platform.system()} "
        f"{platform.machine()}, Python {platform.python_version()}; load before {os.getloadavg()[0]:.1f}."
    )


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _processor() -> str:
    try:
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found[1] if found else platform.processor() or "unknown processor"


def _memory() -> str:
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / (1 << 30):.0f} GiB"


def _value(figure: str) -> float:
    number = _NUMBER.search(figure)
    return float(number[0].replace(",", "")) if number else 0.0
