"""The report in each form."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from doi_reading import CATALOGUE
from doi_reading.command.command_line import main
from doi_reading.command.outcomes import OUTCOMES
from tests.doi_reading.command.sample_files import FILES, write_files

CODES = sorted(code for one in FILES for code in one.codes)
PAGES = "https://portal.example/help/problems"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample files, in which the command runs."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DOIPORTAL_URL", raising=False)
    return tmp_path


def run(form: str, *arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    main(["--format", form, *arguments])
    return capsys.readouterr().out


def test_text_has_a_line_for_each_finding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run("text", ".", capsys=capsys).splitlines()
    assert sorted(line.split(": ")[1].split()[1] for line in lines) == CODES
    assert "bib/labels.bib:2:10: warning prefix-in-field: " in "\n".join(lines)


def test_json_has_the_place_of_each_finding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run("json", ".", capsys=capsys))
    assert sorted(one["code"] for one in found) == CODES
    for one in found:
        text = (folder / one["file"]).read_bytes()
        if text.isascii():
            lines = text.decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")
            place = sum(len(line) + 1 for line in lines[: one["line"] - 1]) + one["column"] - 1
            assert "\n".join(lines)[place : place + 3] == text.decode()[one["start"] : one["start"] + 3]
    assert json.loads(run("json", "bib/clean.bib", capsys=capsys)) == []


def test_csv_has_a_row_for_each_finding_and_no_formula(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "=1+1.txt").write_text("10.1000/182/")
    rows = list(csv.DictReader(io.StringIO(run("csv", ".", capsys=capsys), newline="")))
    assert sorted(row["code"] for row in rows) == sorted([*CODES, "trailing-slash"])
    assert "'=1+1.txt" in {row["file"] for row in rows}


def test_github_has_commands_of_one_line_whose_signs_are_escaped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "a,b:c%\n.txt").write_text("10.1000/182/")
    lines = run("github", ".", capsys=capsys).splitlines()
    assert all(line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in lines)
    assert len(lines) == len(CODES) + 1
    assert any(
        "file=a%2Cb%3Ac%25%0A.txt,line=1,endLine=1,endColumn=13,col=12,title=trailing-slash::" in line for line in lines
    )
    assert any("::Write < as %253C" in line for line in lines)


def test_sarif_has_the_members_that_the_standard_requires(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log: dict[str, Any] = json.loads(run("sarif", ".", "--pages", PAGES, capsys=capsys))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    driver, results = log["runs"][0]["tool"]["driver"], log["runs"][0]["results"]
    assert driver["name"] == "doi-read"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(set(rules)) == len(rules)
    assert set(rules) <= {*CATALOGUE, *OUTCOMES}
    for rule in driver["rules"]:
        assert rule.get("helpUri") == (f"{PAGES}/{rule['id']}" if rule["id"] in CATALOGUE else None)
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    assert sorted(one["ruleId"] for one in results) == CODES
    for one in results:
        assert rules[one["ruleIndex"]] == one["ruleId"]
        assert one["message"]["text"]
        assert one["level"] in ("error", "warning", "note")
        (location,) = one["locations"]
        region = location["physicalLocation"]["region"]
        assert min(region["startLine"], region["startColumn"], region["endLine"], region["endColumn"]) >= 1
        assert (folder / location["physicalLocation"]["artifactLocation"]["uri"]).is_file()


def test_the_fixes_of_sarif_are_the_corrections(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = json.loads(run("sarif", "html/entities.html", capsys=capsys))
    (result,) = log["runs"][0]["results"]
    text = (folder / "html/entities.html").read_text()
    for one in reversed(result["fixes"][0]["artifactChanges"][0]["replacements"]):
        start = one["deletedRegion"]["charOffset"]
        text = text[:start] + one["insertedContent"]["text"] + text[start + one["deletedRegion"]["charLength"] :]
    assert text.encode() == next(one.after for one in FILES if one.name == "html/entities.html")
    assert "helpUri" not in log["runs"][0]["tool"]["driver"]["rules"][0]


def test_a_name_that_is_no_address_is_escaped_in_sarif(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a b#ü.txt").write_text("10.1000/182/")
    log = json.loads(run("sarif", "a b#ü.txt", capsys=capsys))
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b%23%C3%BC.txt"


def test_a_terminal_is_shown_no_control_characters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "evil.txt").write_text("https://doi.org/10.1000/a\x1b[31mb\n")
    assert "\x1b" not in run("text", "evil.txt", capsys=capsys)
