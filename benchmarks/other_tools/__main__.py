"""Install the other tools, put the corpus to them, count, and write docs/comparison.md.

A text with a name is understood when a tool gives that name (S8); a text without one, when the tool gives none.
"""

import datetime
import json
import os
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from benchmarks.other_tools.pinned_tools import PYTHON, TOOLS, Tool
from doi_reading import read
from tests.doi_reading.corpus import AS_IT_IS, DAMAGED, NO_DOI, by_class, cases, offered

ROOT = Path(__file__).parents[2]
INSTALLED = ROOT / "var" / "compare"
PAGE = ROOT / "docs" / "comparison.md"
SECONDS = 300  # for all texts; the slowest tool takes a tenth of it
FEWEST_TEXTS, MOST_TOOLS = 20, 5  # what the table by class shows

OURS = {
    "doi-reading": "`read(text)`, offline: the name, the short DOI and all candidates",
    "doi-reading, no repair": "`read(text).doi` or `.short_doi` alone",
}


@dataclass(frozen=True, slots=True)
class Score:
    """What a tool makes of the corpus: texts understood and all texts, of each group and class of damage."""

    groups: dict[str, tuple[int, int]]
    classes: dict[str, tuple[int, int]]
    names: float
    """How many names it offers for a damaged text, on average."""

    def __str__(self) -> str:
        shares = (f"{good / total:.1%}" for good, total in self.groups.values())
        return " | ".join([*shares, f"{self.names:.2f}"])


def score(answers: list[list[str]]) -> Score:
    """Count the answers, one for each case of the corpus."""
    pairs = list(zip(cases(), answers, strict=True))
    met = [(case, case.is_met_by(names)) for case, names in pairs]
    groups = {}
    for group in (DAMAGED, AS_IT_IS, NO_DOI):
        good = [is_met for case, is_met in met if case.group == group]
        groups[group] = (sum(good), len(good))
    damaged = [len(names) for case, names in pairs if case.group == DAMAGED]
    classes = by_class((case, is_met) for case, is_met in met if case.group == DAMAGED)
    return Score(groups, classes, sum(damaged) / len(damaged))


def ours() -> dict[str, Score]:
    """What our reader makes of the corpus now: all that it offers, and what it reads without a repair."""
    everything = [offered(case.input) for case in cases()]
    readings = [read(case.input) for case in cases()]
    plain = [[str(one.doi or one.short_doi)] if one.doi or one.short_doi else [] for one in readings]
    return dict(zip(OURS, map(score, (everything, plain)), strict=True))


def install(tool: Tool) -> Path:
    """Install the packages of a tool into a folder of their own, unless they are there; return the folder."""
    folder = INSTALLED / tool.packages.replace("/", "_").replace(" ", "+")
    if tool.packages and not (folder / "complete").exists():
        if tool.language == PYTHON:
            command = [sys.executable, "-m", "pip", "install", "-q", "--upgrade", "--target", str(folder)]
        else:
            command = ["npm", "install", "--silent", "--no-package-lock", "--ignore-scripts", "--prefix", str(folder)]
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([*command, *tool.packages.split()], check=True)
        (folder / "complete").touch()
    return folder


def answers(tool: Tool) -> list[list[str]]:
    """Put all texts to a tool in a process of its own; subprocess.TimeoutExpired after SECONDS."""
    folder = install(tool)
    if tool.language == PYTHON:
        command = [sys.executable, "-S", "-m", "benchmarks.other_tools.python_calls", tool.name]
    else:
        command = ["node", str(Path(__file__).parent / "javascript_calls.js"), tool.name]
    paths = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "NODE_PATH": str(folder / "node_modules")}
    texts = json.dumps([case.input for case in cases()])
    done = subprocess.run(
        command, input=texts, capture_output=True, text=True, timeout=SECONDS, env=os.environ | paths, cwd=ROOT
    )
    if done.returncode:
        sys.exit(f"{tool.name}: {done.stderr}")
    found: list[list[str]] = json.loads(done.stdout)
    return found


def page(scores: dict[str, Score], day: str) -> str:
    """Return docs/comparison.md."""
    version = tomllib.loads((ROOT / "doi_reading" / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    versions = dict.fromkeys(OURS, version) | {tool.name: tool.version for tool in TOOLS}
    best = sorted(scores, key=lambda name: (name not in OURS, -scores[name].groups[DAMAGED][0]))
    of_all = (f"| {name} | {versions[name]} | {scores[name]} |" for name in best)
    called = [
        *(f"| {name} | {call} | this repository, MIT |" for name, call in OURS.items()),
        *(f"| {one.name} | {_called(one)} | {one.source} |" for one in TOOLS),
    ]
    columns = [*OURS, *best[len(OURS) : len(OURS) + MOST_TOOLS]]
    by_size = sorted(scores["doi-reading"].classes.items(), key=lambda item: -item[1][1])
    shown = [(kind, total) for kind, (_, total) in by_size if total >= FEWEST_TEXTS]
    of_class = (
        f"| {kind} | {total} | {' | '.join(str(scores[name].classes[kind][0]) for name in columns)} |"
        for kind, total in shown
    )
    sizes = {group: total for group, (_, total) in scores["doi-reading"].groups.items()}
    return HEAD.format(
        day=day,
        **{group.replace(" ", "_").replace("-", "_"): f"{total:,}" for group, total in sizes.items()},
        all=f"{sum(sizes.values()):,}",
        scores="\n".join(of_all),
        calls="\n".join(called),
        most=MOST_TOOLS,
        fewest=FEWEST_TEXTS,
        rest=len(by_size) - len(shown),
        columns=" | ".join(columns),
        rule=" | ".join(["---:"] * len(columns)),
        classes="\n".join(of_class),
    )


def _called(tool: Tool) -> str:
    return tool.call if tool.packages else f"**Pattern only:** {tool.call}"


HEAD = """# Other tools on the same texts

Don't edit this page. `make compare` installs the tools, runs them and writes it.

Many programs read DOIs. This page shows what they make of the {all} texts with which we test our own reader,
[the corpus](../tests/doi_reading/corpus/README.md). Measured on {day}.

## Results

- **Damaged**: {damaged} texts with a damaged DOI, or a DOI among other things. The tool gives the right one.
- **Odd names**: {as_it_is} registered DOIs that look damaged. The tool gives them as they are.
- **No DOI**: {no_doi} texts without a DOI. The tool gives none.
- **Names**: how many names the tool gives for a damaged text, on average. If it gives several, it is enough that one is
  right. Then a person or a lookup must choose, as the portal does.

| tool | version | damaged | odd names | no DOI | names |
| --- | --- | ---: | ---: | ---: | ---: |
{scores}

## What this comparison hides

- **The corpus is ours.** Its texts are from public sources, but we searched for damage and chose its kinds. They don't
  occur this often in a catalogue.
- **Our reader was developed on it.** The other tools were not, though some texts are from their own tests. Two of its
  files were scored before the rules were changed for them: 90.6% of 585 and 97.2% of 325 damaged texts were found. A
  proxy with sample data said which names exist. [The corpus](../tests/doi_reading/corpus/README.md#what-is-asked) has
  the details.
- **Most of our lead is candidates.** These are guesses, and a lookup must confirm them. The row *no repair* is our
  reader without them.
- **Other tools have other aims.** idutils and Crossref's first pattern validate: they should refuse a damaged name.
  doi2bib3, url2bib, commonmeta and citation-js fetch metadata. python-doi, pdf2doi and GROBID search documents.
- **No lookups.** Some tools ask doi.org whether a name exists. Here they couldn't, unless the table below says so.
- **A pattern isn't the whole program.** GROBID, Zotero and OpenAlex do more with a text.

## How each tool was called

Each tool got each text as it is, in a process and with packages of its own, without a network. An error of the tool
counts as no DOI. Names that differ in the case of A to Z are equal. A tool has a second row if a careful caller gets
more out of it. If pip and npm can't install a tool, its published pattern was used. The calls are in
`benchmarks/other_tools/`.

| tool | called | from |
| --- | --- | --- |
{calls}

## By kind of damage

How many texts our reader and the {most} best others understand. {rest} kinds with fewer than {fewest} texts are left
out.

| kind | texts | {columns} |
| --- | ---: | {rule} |
{classes}
"""


def main() -> None:
    """Measure all tools and write the page."""
    scores = ours()
    for tool in TOOLS:
        scores[tool.name] = score(answers(tool))
        print(f"{tool.name:<26}{scores[tool.name]}", flush=True)
    PAGE.write_text(page(scores, datetime.datetime.now(datetime.UTC).date().isoformat()), encoding="utf-8")


if __name__ == "__main__":
    main()
