"""The codes of each version of the library. A published line never changes: add the codes of a new version below."""

import re
import tomllib
from pathlib import Path

from doi_reading import CATALOGUE
from doi_reading.command.outcomes import OUTCOMES

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/doi-reading.md"
_OF_0_1_0 = """
    no-doi error S1
    empty info S1
    too-long error S7
    not-read error B1
    unreadable-record error B1
    directory-code error S3
    registrant-code error S4
    missing-suffix error S5
    reserved-suffix warning S6
    control-character error S2
    non-graphic error S2
    unescaped-hash error E1
    unescaped-question-mark error E1
    unescaped-percent error E12
    unescaped-quote error E1
    unescaped-space error E1
    inner-space warning E18
    unescaped-recommended warning E2
    unescaped-non-ascii warning E4
    unescaped-slash info U2
    unescaped-comma warning E6
    dot-segment warning E5
    double-encoded error E10
    broken-utf8 error E15
    percent-in-name info E11
    proxy-parameter info E8
    tracking-parameter info E8
    html-entity warning E14
    look-alike warning S11
    not-normalized info S8
    trailing-slash warning S10
    trailing-punctuation warning S15
    cut-short error S15
    leftover warning S11
    surrounding-text info B2
    template error B2
    test-prefix warning B2
    several-dois warning B1
    other-not-registered error B1
    glued-dois warning B1
    repeated-prefix warning U7
    old-resolver info P14
    damaged-resolver warning B2
    fake-resolver error B2
    link-differs error B2
    broken-link warning B2
    link-suggests info B2
    from-link info B2
    wrapped info B2
    publisher-url warning B2
    short-doi warning S12
    deleted warning A8
    alias info P7
    alias-loop error P7
    unsafe-url warning A9
    leads-to-itself error P2
    leads-to-missing error P2
    private-address error P2
    unusable-address error P2
    placeholder-address error P2
    several-homes info P2
    wrong-character warning B2
    check-digit warning S15
    other-work error B2
    compare-work warning B2
    found-by-title info B2
    found-by-identifier info B2
    unproven-suggestion warning B2
    retracted error B2
    concern warning B2
    corrected-later info B2
    reinstated info B2
"""
NEW_CODES = {"0.1.0": _OF_0_1_0, "0.2.0": ""}
"""For each version its new codes, a line each: the code, its severity and the clause of the specification."""
CODES_OF_THE_COMMAND = [
    ("prefix-in-field", "warning", "0.2.0"),
    ("not-found", "error", "0.2.0"),
    ("could-not-ask", "warning", "0.2.0"),
]
"""The codes that `doi-read` adds, with their severity and the version that has them first."""


def test_every_code_keeps_its_severity_and_its_clause_and_belongs_to_a_version() -> None:
    published = [tuple(line.split()) for lines in NEW_CODES.values() for line in lines.strip().splitlines()]
    assert [(code, str(entry.severity), entry.clause) for code, entry in CATALOGUE.items()] == published


def test_the_version_of_the_library_is_the_last_one_that_is_listed() -> None:
    project = tomllib.loads((ROOT / "doi_reading/pyproject.toml").read_text())["project"]
    assert list(NEW_CODES)[-1] == project["version"]


def test_the_page_lists_the_codes_of_each_version() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## Problem codes by version")[2]
    listed = {
        version: re.findall(r"`([a-z0-9-]+)`", codes)
        for version, codes in re.findall(r"(?m)^\| ([0-9.]+) \| (.*) \|$", table)
    }
    assert listed == {
        version: [line.split()[0] for line in lines.strip().splitlines()] for version, lines in NEW_CODES.items()
    }


def test_the_codes_of_the_command_are_listed_and_none_is_that_of_a_problem() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("### Codes of the command")[2]
    assert re.findall(r"(?m)^\| `([a-z-]+)` \| (\w+) \| ([0-9.]+) \| ", table) == CODES_OF_THE_COMMAND
    assert [(entry.code, entry.severity) for entry in OUTCOMES.values()] == [one[:2] for one in CODES_OF_THE_COMMAND]
    assert not OUTCOMES.keys() & CATALOGUE.keys()
