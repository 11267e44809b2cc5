"""Our own results, uploaded again: `corrected_doi` is checked, else the column that was checked before."""

import pytest

from resolver.services.result_files.columns import RESULT_COLUMNS, list_columns
from resolver.services.result_files.result_row import ResultRow
from resolver.sheets.output.csv_and_jsonl import generate_csv
from resolver.sheets.output.xlsx import generate_xlsx
from tests.sheets.reader import SheetReader
from tests.sheets.result_tables import make_table

CORRECTED_COLUMNS = list_columns(corrected=True)[1:]
HEADER = ["id", "ref", "DOI", "link"]
ROWS = [
    ResultRow(["1", "10.1000/9", "doi:10.1000/1", "x"], input="doi:10.1000/1", doi="10.1000/1"),
    ResultRow(["2", "10.1000/9", "10.1000%2F2 x", "x"], input="10.1000%2F2 x", doi="10.1000/2"),
    ResultRow(["3", "10.1000/9", "none", "x"], input="none"),
]


def exported(rows: list[ResultRow], header: list[str] = HEADER) -> bytes:
    columns = CORRECTED_COLUMNS if rows[0].correction else RESULT_COLUMNS
    return b"".join(generate_csv(make_table(header, rows, columns)))


def corrected(rows: list[ResultRow]) -> list[ResultRow]:
    second = {"10.1000/2": {"suggestion": "10.1000/22", "correction": "suggested"}}
    return [row._replace(**second.get(row.doi, {"correction": "review"})) for row in rows]


def checked_again(reader: SheetReader, *, corrections: bool = False) -> bytes:
    """The results of a list that was itself one of results with corrections."""
    first = reader(exported(corrected(ROWS)))
    rows = [
        ResultRow(cells, input=first.layout.get_cell(cells), doi=doi)
        for cells, doi in zip(first.rows, ["10.1000/1", "10.1000/22", ""], strict=True)
    ]
    return exported(corrected(rows) if corrections else rows, first.layout.header)


def test_the_column_that_was_checked_is_checked_again(reader: SheetReader):
    found = reader(exported(ROWS))
    assert (found.layout.column_name, found.layout.instead) == ("DOI", None)


def test_of_two_columns_with_dois_the_one_whose_dois_stand_in_our_column(reader: SheetReader):
    renamed = exported(ROWS, ["id", "doi", "other", "link"])
    assert reader(renamed).layout.column_name == "other"


def test_corrected_dois_are_checked_and_where_there_is_none_the_column_that_was_checked(reader: SheetReader):
    found = reader(exported(corrected(ROWS)))
    assert (found.layout.column_name, found.layout.header[found.layout.instead or 0]) == ("corrected_doi", "DOI")
    assert found.dois == ["doi:10.1000/1", "10.1000/22", "none"]


def test_a_workbook_of_ours_is_recognised_too(reader: SheetReader):
    found = reader(b"".join(generate_xlsx(make_table(HEADER, corrected(ROWS), CORRECTED_COLUMNS))))
    assert found.dois == ["doi:10.1000/1", "10.1000/22", "none"]


def test_of_results_of_results_the_newest_columns_count(reader: SheetReader):
    found = reader(checked_again(reader, corrections=True))
    assert found.layout.column_name == "corrected_doi_2"
    assert found.layout.instead is not None
    assert found.layout.header[found.layout.instead] == "DOI"


def test_results_of_a_list_that_was_checked_in_its_corrections_are_checked_there_again(reader: SheetReader):
    found = reader(checked_again(reader))
    assert found.layout.column_name == "corrected_doi"
    assert found.dois == ["doi:10.1000/1", "10.1000/22", "none"]


def test_corrections_are_checked_where_our_other_columns_were_deleted(reader: SheetReader):
    rows = ["1,10.1000/\u20131,10.1000/-1,suggested", "2,10.1000/9,,review", "3,10.1000/2,10.1000/2,unchanged"]
    found = reader("\n".join(["id,DOI,corrected_doi,correction", *rows, ""]))
    assert found.layout.column_name == "corrected_doi"
    assert found.dois == ["10.1000/-1", "10.1000/9", "10.1000/2"]


def test_results_whose_own_columns_were_deleted_are_checked_in_our_column(reader: SheetReader):
    found = reader("doi,doi_url,outcome,registration_agency\n10.1000/1,x,resolved,y\n")
    assert found.layout.column_name == "doi"


@pytest.mark.parametrize("column", ["ref", "link"])
def test_a_column_that_a_person_names_is_read_alone(reader: SheetReader, column: str):
    found = reader(exported(corrected(ROWS)), column)
    assert (found.layout.column_name, found.layout.instead) == (column, None)


def test_names_like_ours_in_another_order_are_the_columns_of_another_program(reader: SheetReader):
    found = reader("outcome,doi,corrected_doi,doi_url\nx,10.1000/1,10.1000/2,x\n")
    assert (found.layout.column_name, found.layout.instead) == ("doi", None)
