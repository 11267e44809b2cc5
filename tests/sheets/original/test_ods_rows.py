"""Rows and cells of an OpenDocument sheet that stand for several, or are not there."""

import pytest

from resolver.sheets.original.cell_edits import RowEdit
from tests.sheets.made_workbooks import ods, ods_cell, ods_row
from tests.sheets.original.written_ods import OdsRewriter, cut_rows, edit, read_rows

NEW = "10.1000/182"
CELL = f'<table:table-cell office:value-type="string"><text:p>{NEW}</text:p></table:table-cell>'
EMPTY = "<table:table-cell/>"
ROW = "<table:table-row>{}</table:table-row>".format
HEADER = ("corrected_doi", "correction")


def fill(count: int) -> str:
    """An empty cell that stands for several."""
    return f'<table:table-cell table:style-name="c" table:number-columns-repeated="{count}"/>'


def styled(content: str = "") -> str:
    if not content:
        return '<table:table-cell table:style-name="c"/>'
    return CELL.replace("table-cell ", 'table-cell table:style-name="c" ', 1).replace(NEW, content)


@pytest.mark.parametrize(
    ("before", "column", "after"),
    [
        ("<table:table-row/>", 0, ROW(CELL)),
        ('<table:table-row a="1"/>', 1, f'<table:table-row a="1">{EMPTY}{CELL}</table:table-row>'),
        ("<table:table-row></table:table-row>", 0, ROW(CELL)),
        ("<table:table-row><!-- x --></table:table-row>", 0, ROW(f"<!-- x -->{CELL}")),
        (ROW(EMPTY), 0, ROW(CELL)),
        (ROW(EMPTY), 1, ROW(EMPTY + CELL)),
        (ROW(EMPTY), 3, ROW(f'{EMPTY}<table:table-cell table:number-columns-repeated="2"/>{CELL}')),
        (ROW(styled()), 0, ROW(styled(NEW))),
        (ROW(fill(1024)), 0, ROW(styled(NEW) + fill(1023))),
        (ROW(fill(1024)), 5, ROW(fill(5) + styled(NEW) + fill(1018))),
        (ROW(fill(3)), 2, ROW(fill(2) + styled(NEW))),
        (ROW(fill(3)), 1, ROW(styled() + styled(NEW) + styled())),
        (ROW("<table:table-cell></table:table-cell>"), 0, ROW(CELL)),
        (
            ROW(f"<table:table-cell><draw:frame/></table:table-cell >\n{EMPTY}"),
            0,
            ROW(CELL.replace("<text:p>", "<draw:frame/><text:p>") + "\n" + EMPTY).replace("cell>\n", "cell >\n"),
        ),
        (ROW("<table:table-cell>\n</table:table-cell>"), 0, ROW(CELL.replace("<text:p>", "\n<text:p>"))),
    ],
)
def test_an_empty_cell_that_a_person_decided_is_filled(
    rewriter: OdsRewriter, before: str, column: int, after: str
) -> None:
    assert rewriter.rewrite_rows(before, edit(1, "", NEW), column=column, sheet_chosen=0) == after


@pytest.mark.parametrize("column", [0, 1, 2])
def test_of_repeated_cells_only_the_wanted_one_changes(rewriter: OdsRewriter, column: int) -> None:
    rows = ods_row("a", ods_cell("<text:p>10.1000/181</text:p>", number_columns_repeated=3), "z")
    rewriter.path.write_bytes(rewriter(ods(rows), [edit(1, "10.1000/181", NEW)], column=column + 1))
    expected = ["a", *["10.1000/181"] * 3, "z"]
    expected[column + 1] = NEW
    assert read_rows(rewriter.path) == {1: expected}


@pytest.mark.parametrize(
    ("numbers", "repetitions"),
    [
        ([2], [1, 1, 8]),
        ([10], [1, 8, 1]),
        ([5], [1, 3, 1, 5]),
        ([2, 3], [1, 1, 1, 7]),
        ([3, 6, 10], [1, 1, 1, 2, 1, 3, 1]),
        (list(range(2, 11)), [1] * 10),
    ],
)
def test_of_repeated_rows_only_the_wanted_ones_change(
    rewriter: OdsRewriter, numbers: list[int], repetitions: list[int]
) -> None:
    rows = ods_row("doi") + ods_row("10.1000/181", times=9) + ods_row("end")
    new = rewriter(ods(rows), [edit(number, "10.1000/181", NEW) for number in numbers])
    rewriter.path.write_bytes(new)
    expected = {number: [NEW if number in numbers else "10.1000/181"] for number in range(2, 11)}
    assert read_rows(rewriter.path) == {1: ["doi"], **expected, 11: ["end"]}
    assert cut_rows(new).count("<table:table-row") == len(repetitions) + 1


def test_a_repeated_empty_row_gets_a_cell_in_one_of_its_rows(rewriter: OdsRewriter) -> None:
    repeated = '<table:table-row table:style-name="ro1" table:number-rows-repeated="{}"/>'.format
    after = rewriter.rewrite_rows(ods_row("doi") + repeated(1_000_000), edit(500, "", NEW))
    changed = f'<table:table-row table:style-name="ro1">{CELL}</table:table-row>'
    assert after == ods_row("doi") + repeated(498) + changed + repeated(999_501)


def test_a_repeated_row_is_not_split_beyond_the_bound(rewriter: OdsRewriter) -> None:
    note = f"<office:annotation><text:p>{'x' * 10_000}</text:p></office:annotation>"
    rows = ods_row("doi") + ods_row(ods_cell(f"{note}<text:p>10.1000/181</text:p>"), times=1_000)
    edits = [edit(number, "10.1000/181", NEW) for number in range(2, 1_002)]
    new = rewriter(ods(rows), edits, max_expanded=100_000)
    assert len(cut_rows(new)) < 130_000
    assert cut_rows(new).count(NEW) + len(rewriter.left) == 1_000
    assert len(rewriter.left) > 900
    rewriter.path.write_bytes(new)
    assert len(read_rows(rewriter.path)) == 1_001


def test_a_row_of_many_megabytes_is_left_as_it_is(rewriter: OdsRewriter) -> None:
    note = f"<office:annotation>{'<text:p>a note</text:p>' * 200_000}</office:annotation>"
    content = ods(ods_row("doi") + ods_row(ods_cell(f"{note}<text:p>10.1000/181</text:p>")))
    assert rewriter(content, [edit(2, "10.1000/181", NEW)], max_expanded=100_000_000) == content
    assert ["too long" in reason for reason in rewriter.reasons] == [True]


@pytest.mark.parametrize(
    "groups",
    ["<table:table-header-rows>{}</table:table-header-rows>{}", "<table:table-row-group>{}</table:table-row-group>{}"],
)
def test_rows_in_groups_are_counted_and_changed(rewriter: OdsRewriter, groups: str) -> None:
    head, row = ods_row("doi"), ods_row("10.1000/181")
    after = rewriter.rewrite_rows(groups.format(head, row), edit(2, "10.1000/181", NEW))
    assert after == groups.format(head, row.replace("181", "182"))


def test_the_sheet_that_was_read_changes_and_no_other(rewriter: OdsRewriter) -> None:
    table = '<table:table table:name="{}">{}</table:table>'.format
    rows = ods_row("doi") + ods_row("10.1000/181")
    empty = table("Empty", '<table:table-row table:number-rows-repeated="9"/>')
    hidden = (
        '<office:automatic-styles xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><style:style '
        'style:name="h"><style:table-properties table:display="false"/></style:style></office:automatic-styles>'
        f'<table:table table:name="Hidden" table:style-name="h">{rows}</table:table>'
    )
    content = ods(rows, before=hidden + empty, after=table("Two", rows))
    first = rewriter(content, [edit(2, "10.1000/181", NEW)])
    assert cut_rows(first) == rows.replace("181", "182")
    second = rewriter(content, [edit(2, "10.1000/181", NEW)], sheet_chosen=2)
    assert cut_rows(second) == rows
    rewriter.path.write_bytes(second)
    assert [read_rows(rewriter.path, chosen).get(2) for chosen in (0, 1, 2)] == [None, ["10.1000/181"], [NEW]]


def test_two_columns_stand_after_the_last_used_one(rewriter: OdsRewriter) -> None:
    rows = (
        ods_row("A title over all columns")
        + ROW(
            "".join(
                f'<table:table-cell office:value-type="string"><text:p>{t}</text:p></table:table-cell>'
                for t in ("doi", "n", "x")
            )
            + fill(1021)
        )
        + ods_row("10.1000/181", times=3)
        + ROW(styled("10.1000/9") + fill(1023))
        + ods_row("a remark below")
    )
    edits = [RowEdit(number, (), (f"10.1000/{number}", "accepted")) for number in (3, 4, 5)]
    edits.append(RowEdit(6, (("10.1000/9", NEW),), ("", "review")))
    new = rewriter(ods(rows), edits, header=HEADER, has_header=True, first_row=2)
    rewriter.path.write_bytes(new)
    assert read_rows(rewriter.path) == {
        1: ["A title over all columns"],
        2: ["doi", "n", "x", *HEADER],
        **{number: ["10.1000/181", "", "", f"10.1000/{number}", "accepted"] for number in (3, 4, 5)},
        6: [NEW, "", "", "", "review"],
        7: ["a remark below"],
    }
    assert fill(1019) in cut_rows(new)
    assert rewriter.left == []


def test_the_columns_stand_behind_a_note_and_a_merged_cell(rewriter: OdsRewriter) -> None:
    note = "<table:table-cell><office:annotation><text:p>n</text:p></office:annotation></table:table-cell>"
    rows = ods_row("doi", "x", "<table:covered-table-cell/>", note) + ods_row("10.1000/181")
    rewriter.path.write_bytes(rewriter(ods(rows), [RowEdit(2, (), ("a", "b"))], header=HEADER, has_header=True))
    assert read_rows(rewriter.path) == {1: ["doi", "x", "", "", *HEADER], 2: ["10.1000/181", "", "", "", "a", "b"]}


def test_without_a_header_row_only_the_rows_of_the_list_get_them(rewriter: OdsRewriter) -> None:
    rewriter.path.write_bytes(rewriter(ods(ods_row("10.1000/181")), [RowEdit(1, (), ("a", "b"))], header=HEADER))
    assert read_rows(rewriter.path) == {1: ["10.1000/181", "a", "b"]}


def test_the_cell_that_was_read_instead_of_an_empty_one_changes(rewriter: OdsRewriter) -> None:
    rows = (
        ods_row("doi", "corrected_doi") + ods_row("10.1000/181", "") + ods_row("10.1000/5", "10.1000/6") + ods_row("")
    )
    edits = [edit(2, "10.1000/181", NEW), edit(3, "10.1000/6", "10.1000/66"), edit(4, "", "10.1000/77")]
    rewriter.path.write_bytes(rewriter(ods(rows), edits, column=1, instead=0))
    found = read_rows(rewriter.path)
    assert [found[number] for number in (2, 3, 4)] == [[NEW], ["10.1000/5", "10.1000/66"], ["", "10.1000/77"]]


def test_each_doi_of_a_split_cell_changes_alone(rewriter: OdsRewriter) -> None:
    before = "<text:span text:style-name='a'>10.1000/181</text:span>; <b>10.1000/5</b>;<text:s/><i>10.1000/6</i>"
    names = (("10.1000/181", NEW), ("10.1000/6", "10.1000/66"))
    after = rewriter.rewrite_rows(
        ods_row(before.join(["<text:p>", "</text:p>"]).join(["<table:table-cell>", "</table:table-cell>"])),
        RowEdit(1, names),
        split=True,
    )
    assert before.replace("181", "182").replace("1000/6<", "1000/66<") in after
    assert rewriter.left == []
