"""The ways of reading of checkdois and inspectdois; what cannot be is an error with exit status 2."""

import openpyxl
import pytest

from tests.commands.shell import Shell, column, one_line, table

TITLED = "Report of the library\nid;DOI\n1;10.1000/ä,b\n"


@pytest.mark.parametrize("command", ["checkdois", "inspectdois"])
def test_a_file_is_read_as_the_options_say(asking: Shell, command: str):
    path = asking.folder / "list.csv"
    path.write_bytes(TITLED.encode("cp850"))
    done = asking.run(command, str(path), "--encoding", "cp850", "--delimiter", ";", "--header-row", "2")
    assert (done.returncode, column(done.stdout, "doi")) == (0, ["10.1000/ä,b"])
    assert list(table(done.stdout)[0])[:2] == ["id", "DOI"]


def test_a_sheet_is_chosen_and_one_that_is_not_there_is_told(shell: Shell):
    book = openpyxl.Workbook()
    book.active.append(["10.1000/first"])
    book.create_sheet("Second").append(["10.1000/second"])
    book.save(shell.folder / "book.xlsx")
    done = shell.run("inspectdois", "book.xlsx", "--sheet", "Second")
    assert column(done.stdout, "doi") == ["10.1000/second"]
    done = shell.run("inspectdois", "book.xlsx", "--sheet", "Third")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "--sheet: The workbook doesn't have this sheet. Choose one of these: “Sheet”, “Second”." in one_line(
        done.stderr
    )


@pytest.mark.parametrize("command", ["checkdois", "inspectdois"])
def test_a_value_that_cannot_be_is_refused_with_those_there_are(shell: Shell, command: str):
    done = shell.run(command, str(shell.file("list.csv", TITLED)), "--header-row", "x")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "--header-row: Enter a row number" in one_line(done.stderr)
    assert shell.leftovers() == []
