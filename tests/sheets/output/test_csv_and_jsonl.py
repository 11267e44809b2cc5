"""Files out: the original columns unchanged, ours beside them, nothing that a spreadsheet would run."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta, timezone

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolver.services.result_files.columns import RESULT_COLUMNS
from resolver.services.result_files.result_row import ResultRow
from resolver.sheets.output.csv_and_jsonl import escape_formula, format_csv_line, generate_csv, generate_jsonl
from resolver.sheets.output.result_table import build_result_header
from resolver.sheets.output.xlsx import generate_xlsx
from tests.sheets.result_tables import make_table, read_cells

ROW = ResultRow(
    cells=["1", 'a "b"\r\nc, d', "=1+1"],
    line=1,
    input="10.1000/1.",
    doi="10.1000/1",
    url="https://doi.org/10.1000/1",
    outcome="resolved",
    ra="Crossref",
    urls=("https://example.org/a", "https://example.org/b"),
    problem_codes=("trailing-punctuation", "old-resolver"),
    messages="One. Two.",
    suggestion="10.1000/2",
    checked_at=datetime(2026, 1, 2, 4, 4, 5, 678, tzinfo=timezone(timedelta(hours=1))),
    proxy="https://doi.org",
)
OURS = [column.name for column in RESULT_COLUMNS]
HEADER = ["id", "note", "formula"]


def read_csv(blocks: list[bytes], delimiter: str = ",") -> list[list[str]]:
    text = b"".join(blocks).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def test_csv_has_the_original_columns_and_then_those_of_the_contract():
    header, row = read_csv(list(generate_csv(make_table(HEADER, [ROW]))))
    assert header == [
        "id", "note", "formula", "doi", "doi_url", "outcome", "registration_agency", "url_values", "problems",
        "suggested_doi", "checked_at", "messages", "proxy", "incomplete",
    ]  # fmt: skip
    assert row == [
        "1", 'a "b"\r\nc, d', "'=1+1", "10.1000/1", "https://doi.org/10.1000/1", "resolved", "Crossref",
        "https://example.org/a | https://example.org/b", "trailing-punctuation old-resolver", "10.1000/2",
        "2026-01-02T03:04:05Z", "One. Two.", "https://doi.org", "",
    ]  # fmt: skip


@pytest.mark.clause("B2")
def test_every_problem_of_a_row_is_in_its_cell_in_order():
    problems = tuple(f"code-{number}" for number in (5, 1, 4, 2, 3))
    _, cells = read_csv(list(generate_csv(make_table(["a"], [ResultRow(["x"], problem_codes=problems)]))))
    assert cells[1 + OURS.index("problems")] == " ".join(problems)


def test_a_row_of_which_a_part_could_not_be_checked_says_1():
    assert read_csv(list(generate_csv(make_table(HEADER, [ROW._replace(incomplete=True)]))))[1][-1] == "1"


def test_csv_has_a_byte_order_mark_and_crlf_line_ends():
    whole = b"".join(generate_csv(make_table(["a"], [ResultRow(["x"])])))
    assert whole.startswith(b"\xef\xbb\xbfa,doi,")
    assert whole.endswith(b"\r\nx,,,,,,,,,,,\r\n")


def test_csv_takes_another_delimiter():
    header, row = read_csv(list(generate_csv(make_table(["a;b"], [ResultRow(["1;2"])]), delimiter=";")), ";")
    assert (header[0], row[0]) == ("a;b", "1;2")


def test_csv_is_given_in_blocks():
    rows = (ResultRow(["x" * 1000]) for _ in range(1000))
    blocks = list(generate_csv(make_table(["a"], rows)))
    assert len(blocks) > 20
    assert max(map(len, blocks)) < 100_000


def test_a_short_row_does_not_shift_the_results():
    assert read_csv(list(generate_csv(make_table(HEADER, [ResultRow(["1"], doi="10.1000/1")]))))[1][3] == "10.1000/1"


@pytest.mark.parametrize(
    ("taken", "given"),
    [
        (["doi"], "doi_2"),
        (["DOI"], "doi"),
        (["doi", "doi_2"], "doi_3"),
        (["doi_2"], "doi"),
    ],
)
def test_a_taken_name_gets_a_number(taken: list[str], given: str):
    assert build_result_header(taken, RESULT_COLUMNS)[: len(taken) + 1] == [*taken, given]


def test_original_names_stay_even_when_two_are_the_same():
    assert build_result_header(["a", "a", ""], RESULT_COLUMNS) == ["a", "a", "", *OURS]


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "|=1",
        *(f"{sign}1" for sign in "＝＋－＠"),
        "+1+1",
        "-1+1",
        "-",
        "+",
        "--",
        "-2+3+cmd|' /C calc'!A0",
        "+49 30 1234",
        "-1\n",
        "-1.2.3",
        "+\uff11",
        pytest.param("-" + "1" * 100_000 + "x", id="many digits"),
        pytest.param("-1" + ",111" * 50_000 + "x", id="many groups"),
    ],
)
def test_what_a_spreadsheet_would_run_is_made_harmless(cell: str):
    assert escape_formula(cell) == "'" + cell


@pytest.mark.parametrize(
    "cell", ["", "-1", "+1", "-1.5", "-1,5", "+1e5", "-1,000.50", "-12,34,567.00", "a=1", "10.1000/1", "'=1", " -"]
)
def test_everything_else_stays_as_it_is(cell: str):
    assert escape_formula(cell) == cell


@pytest.mark.parametrize("sign", "=@\t\r\n|+-＝＋－＠")
def test_no_table_of_results_has_a_cell_that_begins_with_such_a_sign(sign: str):
    rows = [ResultRow([f"{sign}cmd"])]
    for delimiter in ",;\t":
        assert (
            read_csv(list(generate_csv(make_table(["a"], rows), delimiter=delimiter)), delimiter)[1][0] == f"'{sign}cmd"
        )
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(generate_xlsx(make_table(["a"], rows)))))["Results"]
    assert str(sheet["A2"].value)[0] == "'"
    (line,) = generate_jsonl(make_table(["a"], rows))
    assert json.loads(line)["cells"] == {"a": f"{sign}cmd"}


def test_column_names_and_results_are_made_harmless_too():
    row = ResultRow(["x"], doi="10.1/x", urls=("=HYPERLINK(1)",))
    header, cells = read_csv(list(generate_csv(make_table(["=evil"], [row]))))
    assert (header[0], cells[5]) == ("'=evil", "'=HYPERLINK(1)")
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(generate_xlsx(make_table(["=evil"], [row])))))["Results"]
    assert (sheet["A1"].value, sheet["F2"].value) == ("'=evil", "'=HYPERLINK(1)")


@given(st.lists(st.text('a",;\t\r\n =+-@|＝é\x00\x85', max_size=5), min_size=2), st.sampled_from(",;\t|"))
def test_a_line_is_what_the_standard_library_writes_of_harmless_cells(cells: list[str], delimiter: str):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n").writerow([escape_formula(cell) for cell in cells])
    assert format_csv_line(cells, delimiter) == buffer.getvalue()


@given(st.lists(st.text(), min_size=2, max_size=2))
def test_csv_gives_back_every_cell(cells: list[str]):
    row = read_csv(list(generate_csv(make_table(["a", "b"], [ResultRow(cells)]))))[1]
    assert row[:2] == [escape_formula(cell) for cell in cells]


@given(st.text(st.characters()))
def test_json_lines_give_back_every_cell_raw(cell: str):
    (line,) = generate_jsonl(make_table(["a"], [ResultRow([cell], input=cell)]))
    assert line.count(b"\n") == 1
    assert json.loads(line)["cells"] == {"a": cell}


def test_a_lone_surrogate_stands_in_a_json_line_as_its_escape():
    lines = generate_jsonl(make_table(["a"], [ResultRow(["x\ud800y"]), ResultRow(["é"])]))
    first, second = b"".join(lines).splitlines()
    assert b"x\\ud800y" in first
    assert json.loads(first)["cells"] == {"a": "x\ud800y"}
    assert json.loads(second)["cells"] == {"a": "é"}


def test_a_json_line_is_the_row_of_the_interface_with_the_original_cells():
    (line,) = generate_jsonl(make_table(HEADER, [ROW]))
    value = json.loads(line)
    assert list(value) == [
        "line", "row", "part", "input", "doi", "url", "outcome", "ra", "urls", "problems", "messages",
        "suggestion", "alias_of",
        "prefix_ra", "ra_status", "checked_at", "answered_at", "cached", "incomplete", "proxy", "cells",
    ]  # fmt: skip
    assert value["cells"] == {"id": "1", "note": 'a "b"\r\nc, d', "formula": "=1+1"}
    assert (value["doi"], value["alias_of"]) == ("10.1000/1", None)


def test_json_lines_lose_no_cell_of_a_repeated_or_empty_name():
    (line,) = generate_jsonl(make_table(["a", "", "a", "a_2"], [ResultRow(["1", "2", "3", "4"])]))
    assert json.loads(line)["cells"] == {"a": "1", "column 2": "2", "a_3": "3", "a_2": "4"}


def test_what_utf8_cannot_hold_is_a_replacement_character_in_csv():
    assert read_csv(list(generate_csv(make_table(["a"], [ResultRow(["x\ud800y"])]))))[1][0] == "x\ufffdy"


def test_the_moment_is_utc_whatever_zone_it_came_in():
    assert (
        read_cells(ResultRow([], checked_at=datetime(2026, 1, 1, tzinfo=UTC)))["checked_at"] == "2026-01-01T00:00:00Z"
    )
