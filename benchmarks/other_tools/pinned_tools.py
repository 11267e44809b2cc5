"""The other tools, from pinned_tools.tsv: a line for each way to call one."""

import csv
from dataclasses import dataclass
from pathlib import Path

PYTHON, JAVASCRIPT = "python", "javascript"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool, called in one way; `name` is also the key of its call."""

    name: str
    language: str
    """What it is called from: PYTHON or JAVASCRIPT."""
    packages: str
    """What pip or npm installs for it, pinned, with spaces between; '' where only a pattern is published."""
    version: str
    """That of the packages; of a pattern, the day when it was published, its release or its commit."""
    call: str
    """What is called, as Markdown."""
    source: str
    """Where the tool or the pattern is from, and its licence, as Markdown."""


with Path(__file__).with_suffix(".tsv").open(encoding="utf-8", newline="") as _file:
    TOOLS = [Tool(**row) for row in csv.DictReader(_file, dialect="excel-tab", quoting=csv.QUOTE_NONE)]
