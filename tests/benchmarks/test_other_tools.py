"""docs/comparison.md says what is measured now: `make compare` writes it."""

import re
from pathlib import Path

import pytest

from benchmarks.other_tools import pinned_tools
from benchmarks.other_tools.__main__ import OURS, PAGE, Score, answers, ours, score
from benchmarks.other_tools.pinned_tools import PYTHON, TOOLS, Tool
from benchmarks.other_tools.published_patterns import CALLS as PATTERNS
from benchmarks.other_tools.python_calls import CALLS

LINES = PAGE.read_text(encoding="utf-8").splitlines()
JAVASCRIPT = Path(pinned_tools.__file__).with_name("javascript_calls.js")
TRIED = """idutils oc-ds-converter doi2bib3 identifiers-doi ref-verify GROBID Crossref commonmeta python-doi
    doi-regex pdf2doi citation-js url2bib Zotero OpenAlex""".split()


def figures(name: str, version: str = "[^|]+") -> list[str]:
    """What the page says of a tool: its cells after name and version, of each line about it."""
    row = re.compile(rf"\| {re.escape(name)} \| {version} \| ((?:[\d.]+% \| ){{3}}[\d.]+) \|")
    return [match[1] for match in map(row.fullmatch, LINES) if match]


@pytest.fixture(scope="module")
def scores() -> dict[str, Score]:
    return ours()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_each_tool_stands_on_the_page_as_it_is_pinned_and_called(tool: Tool) -> None:
    calls = [line for line in LINES if line.endswith(f"{tool.call} | {tool.source} |")]
    assert any(line.startswith(f"| {tool.name} | ") for line in calls), "run `make compare`"
    assert len(figures(tool.name, re.escape(tool.version))) == 1, "run `make compare`"
    assert {re.split("==|(?<=.)@", package)[1] for package in tool.packages.split()} <= {tool.version}


@pytest.mark.parametrize("name", TRIED)
def test_the_tools_tried_on_version_0_2_0_are_compared(name: str) -> None:
    assert any(tool.name.startswith(name) for tool in TOOLS)


def test_our_own_figures_are_those_of_now(scores: dict[str, Score]) -> None:
    assert {name: figures(name) for name in OURS} == {name: [str(one)] for name, one in scores.items()}


def test_the_kinds_of_damage_are_counted_as_now(scores: dict[str, Score]) -> None:
    for kind, (good, total) in scores["doi-reading"].classes.items():
        plain = scores["doi-reading, no repair"].classes[kind][0]
        shown = [line for line in LINES if line.startswith(f"| {kind} | ")]
        assert all(line.startswith(f"| {kind} | {total} | {good} | {plain} | ") for line in shown), "run `make compare`"


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_asked_in_a_process_of_its_own_scores_as_on_the_page(name: str) -> None:
    tool = next(tool for tool in TOOLS if tool.name == name)
    assert [str(score(answers(tool)))] == figures(name)


def test_each_tool_has_a_call() -> None:
    of_javascript = re.findall(r'^  "?([^"\n/]+?)"?: \(\) =>', JAVASCRIPT.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(CALLS) == {tool.name for tool in TOOLS if tool.language == PYTHON}
    assert set(of_javascript) == {tool.name for tool in TOOLS if tool.language != PYTHON}
