"""Each encoding problem of section E is found in the rows of a list, from the upload to each kind of answer (B2)."""

import csv
import io
import json
from typing import Any

import openpyxl
import pytest
from django.test import Client

from tests.api.conftest import Post, run

pytestmark = pytest.mark.django_db(transaction=True)

# What is uploaded, the name that is read, and the problem that must stand in its row.
ROWS = (
    ("https://doi.org/10.5555/456#789", "10.5555/456", "unescaped-hash"),
    ("https://doi.org/10.5555/a?b", "10.5555/a", "unescaped-question-mark"),
    ("https://doi.org/10.5555/50%off", "10.5555/50%off", "unescaped-percent"),
    ('https://doi.org/10.5555/a"b', '10.5555/a"b', "unescaped-quote"),
    ("https://doi.org/10.5555/a b-2", "10.5555/a", "unescaped-space"),
    ("https://doi.org/10.5555/a<b>", "10.5555/a<b>", "unescaped-recommended"),
    ("https://doi.org/10.5555/Á", "10.5555/Á", "unescaped-non-ascii"),
    ("https://doi.org/doiRA/10.5555/a,b", "10.5555/a", "unescaped-comma"),
    ("https://doi.org/10.5555/a/../b", "10.5555/a/../b", "dot-segment"),
    ("https://doi.org/10.5555/a%252Fb", "10.5555/a%2Fb", "double-encoded"),
    ("https://doi.org/10.5555/a%E9b", "", "broken-utf8"),
    ("10.5555/a%2Fb", "10.5555/a/b", "percent-in-name"),
    ("doi:10.5555/a/b", "10.5555/a/b", "unescaped-slash"),
    ("10.5555/a\x07b", "", "control-character"),
)


def cells_of(content: bytes) -> list[list[str]]:
    sheet = openpyxl.load_workbook(io.BytesIO(content), read_only=True).worksheets[0]
    return [[str(cell or "") for cell in row] for row in sheet.iter_rows(values_only=True)]


@pytest.mark.clause("B2", "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E10", "E11", "E12", "E15", "E18")
def test_every_encoding_problem_of_a_list_is_in_its_rows_and_in_each_of_its_files(upload: Post, api: Client) -> None:
    quoted = ('"' + text.replace('"', '""') + '"' for text, _, _ in ROWS)
    job = upload("doi\n" + "\n".join(quoted) + "\n").json()
    assert run(job["id"]).state == "finished"
    files = {kind: downloaded(api, job["id"], kind) for kind in ("csv", "xlsx", "jsonl")}
    given = {
        "rest": [(row["doi"] or "", row["problems"]) for row in rows_of(api, job["id"])],
        "jsonl": [(row["doi"] or "", row["problems"]) for row in map(json.loads, files["jsonl"].splitlines())],
        "csv": in_columns(list(csv.reader(io.StringIO(files["csv"].decode("utf-8-sig"))))),
        "xlsx": in_columns(cells_of(files["xlsx"])),
    }
    for kind, rows in given.items():
        for (text, name, code), (doi, codes) in zip(ROWS, rows, strict=True):
            assert (doi, code in codes) == (name, True), (kind, text, doi, codes)


def in_columns(table: list[list[str]]) -> list[tuple[str, list[str]]]:
    doi, problems = table[0].index("doi_2"), table[0].index("problems")
    return [(row[doi], row[problems].split()) for row in table[1:]]


def downloaded(api: Client, job: str, kind: str) -> bytes:
    return b"".join(api.get(f"/api/v1/jobs/{job}/results.{kind}"))


def rows_of(api: Client, job: str) -> list[dict[str, Any]]:
    return list(api.get(f"/api/v1/jobs/{job}/rows").json()["results"])


@pytest.mark.clause("B2")
def test_the_rows_of_a_list_by_rest_know_what_lookups_know(upload: Post, post: Post, api: Client) -> None:
    job = upload("doi\n10.5555/missing-rest\n10.5555/there\n").json()
    run(job["id"])
    missing, there = rows_of(api, job["id"])
    assert (missing["ra"], missing["ra_status"]) == (None, "DOI does not exist")
    assert (there["ra"], there["ra_status"], there["cached"]) == ("Crossref", None, False)
    assert there["answered_at"] <= there["checked_at"]
    lines = list(map(json.loads, downloaded(api, job["id"], "jsonl?corrected=1").splitlines()))
    numbers = [(line.pop("cells"), line.pop("row")) for line in lines]
    assert numbers == [({"doi": "10.5555/missing-rest"}, 2), ({"doi": "10.5555/there"}, 3)]
    assert lines == [{name: value for name, value in row.items() if name != "row"} for row in (missing, there)]
    found = post("lookups", {"input": "10.5555/there"}).json()
    assert (found["answered_at"], found["cached"]) == (there["answered_at"], True)
