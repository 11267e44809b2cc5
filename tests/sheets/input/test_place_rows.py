"""The rows of a bibliographic file, and the works that they describe, also in lists stored by earlier versions."""

import dataclasses
from pathlib import Path

import pytest

from resolver.domain.work.row_work import RowWork
from resolver.sheets.input.layout_detection import detect_table_layout
from resolver.sheets.input.place_rows import HEADER, describe_row_work, shorten_work
from tests.sheets.reader import SheetReader, read_table

RIS = """TY  - JOUR
TI  - On Ice
AU  - Doe, Jane
AU  - Roe, Richard
PY  - 2001
T2  - Journal of Ice
VL  - 7
SP  - 12
DO  - 10.1000/182
ER  -\x20
"""
OLD_HEADER = HEADER[:8]
ROW = ["1", "DO", "10.1000/182", "On Ice", "Doe, Jane; Roe, Richard", "2001", "yes", "", "Journal of Ice", "7", "12"]


def test_a_row_has_all_authors_and_where_the_work_was_published(reader: SheetReader) -> None:
    found = reader(RIS)
    assert found.layout.header == HEADER
    assert found.rows == [ROW]
    assert describe_row_work(found.rows[0]) == RowWork(
        "On Ice", ("Doe, Jane", "Roe, Richard"), "2001", "Journal of Ice", "7", "12"
    )


def test_the_first_columns_are_those_of_earlier_versions() -> None:
    assert OLD_HEADER == ("record", "field", "value", "title", "author", "year", "writable", "reason")


def test_a_list_of_an_earlier_version_keeps_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "old.ris"
    path.write_text(RIS + "AU  - outside\n")
    layout = dataclasses.replace(detect_table_layout(path), header=OLD_HEADER, complete=False)
    assert next(read_table(path, layout)) == ROW[:8]


def test_a_row_of_an_earlier_version_describes_its_work() -> None:
    row = ["1", "DO", "10.1000/182", "On Ice", "Doe, Jane", "2001", "yes", ""]
    assert describe_row_work(row) == RowWork("On Ice", ("Doe, Jane",), "2001")
    assert describe_row_work(["2", "", "", "", "", "", "no", "Byte 7: damaged"]) == RowWork()


@pytest.mark.parametrize(
    ("field", "work"),
    [
        ("773$o", RowWork("Journal of Ice")),
        ("787$u", RowWork()),
        ("856$u", RowWork("On Ice", ("Doe, Jane", "Roe, Richard"), "2001", "Journal of Ice", "7", "12")),
    ],
)
def test_the_doi_of_another_work_is_not_that_of_the_record(field: str, work: RowWork) -> None:
    assert describe_row_work(["1", field, *ROW[2:]]) == work


def test_many_authors_become_the_first_where_there_is_no_room() -> None:
    assert shorten_work(ROW) == ROW
    many = [*ROW[:4], "; ".join(["Doe, Jane"] * 20), *ROW[5:]]
    assert shorten_work(many) == [*ROW[:4], "Doe, Jane et al.", *ROW[5:]]
    one = [*ROW[:4], "A name as long as a sentence " * 10, *ROW[5:]]
    assert shorten_work(one) == one
