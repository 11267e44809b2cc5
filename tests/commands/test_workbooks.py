"""A workbook through the commands: hyperlinks are read, and numbers and dates come back as such."""

import datetime

import openpyxl
import pytest

from tests.commands.shell import Shell, table
from tests.sheets.binary_workbook.made import Sheet, xls, xlsb


@pytest.mark.parametrize("command", ["checkdois", "inspectdois"])
def test_hyperlinks_are_read_and_numbers_and_dates_come_back(asking: Shell, command: str):
    day = datetime.datetime(2020, 1, 2)  # noqa: DTZ001  (spreadsheets know no time zones)
    book = openpyxl.Workbook()
    book.active.append(["year", "day", "isbn", "link"])
    for place, (text, link) in enumerate([("Full text", "10.5555/first"), ("10.5555/first", "10.5555/Two")], 2):
        book.active.append([2020, day, "0097831614841", text])
        book.active.cell(place, 4).hyperlink = f"https://doi.org/{link}"
        book.active.cell(place, 4).value = text
    book.save(asking.folder / "book.xlsx")
    done = asking.run(command, "book.xlsx", "--column", "link", "--output", "out.xlsx")
    assert done.returncode == 0, done.stderr
    head, *rows = openpyxl.load_workbook(asking.folder / "out.xlsx")["Results"].iter_rows(values_only=True)
    assert [row[:6] for row in rows] == [
        (2020, day, "0097831614841", "Full text", 2, "10.5555/first"),
        (2020, day, "0097831614841", "10.5555/first", 3, "10.5555/first"),
    ]
    assert [row[head.index("problems")] for row in rows] == ["from-link", "link-differs"]
    as_text = table(asking.run(command, "book.xlsx", "--column", "link").stdout)
    assert [(row["year"], row["day"]) for row in as_text] == [("2020", "2020-01-02")] * 2


@pytest.mark.parametrize("command", ["checkdois", "inspectdois"])
@pytest.mark.parametrize("name", ["book.xls", "book.xlsb", "-"])
def test_binary_workbooks_are_read_and_nothing_is_left_beside_them(asking: Shell, command: str, name: str):
    book = (xlsb if name == "book.xlsb" else xls)(Sheet("One", [["doi", "year"], ["10.5555/first", 2020]]))
    (asking.folder / "book.xlsb").write_bytes(book)
    (asking.folder / "book.xls").write_bytes(book)
    done = asking.run(command, name, "--sheet", "one", stdin=book)
    assert done.returncode == 0, done.stderr
    assert [(row["doi"], row["year"]) for row in table(done.stdout)] == [("10.5555/first", "2020")]
    assert sorted(path.name for path in asking.folder.iterdir() if path.is_file()) == ["book.xls", "book.xlsb"]
    assert asking.leftovers() == []
