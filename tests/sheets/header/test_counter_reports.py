"""Usage reports by COUNTER: a dozen lines above the header, as text with tabs, as CSV and as workbooks."""

import csv
import io
from pathlib import Path

import pytest
import xlsxwriter

from tests.sheets.reader import SheetReader

R4 = [
    ["Journal Report 1 (R4)", "Number of Successful Full-Text Article Requests by Month and Journal"],
    ["Sample University"],
    [],
    ["Period covered by Report:"],
    ["2016-01-01 to 2016-12-31"],
    ["Date run:"],
    ["2017-02-01"],
    ["Journal", "Publisher", "Platform", "Journal DOI", "Proprietary Identifier", "Print ISSN", "Online ISSN", "Total"],
    ["Total for all journals", "Pub", "Plat", "", "", "", "", "55"],
    *(["J", "Pub", "Plat", f"10.60055/c.{n}", "P:0", "1234-5671", "1234-5672", "5"] for n in range(6)),
]
R5 = [
    ["Report_Name", "Title Master Report"],
    ["Report_ID", "TR"],
    ["Release", "5"],
    ["Institution_Name", "Sample University"],
    ["Institution_ID", "ISNI:1234"],
    ["Metric_Types", "Total_Item_Requests; Unique_Item_Requests"],
    ["Report_Filters", "Data_Type=Book"],
    ["Report_Attributes", ""],
    ["Exceptions", ""],
    ["Reporting_Period", "Begin_Date=2022-01-01; End_Date=2022-12-31"],
    ["Created", "2023-02-15T09:11:12Z"],
    ["Created_By", "Publisher"],
    [],
    ["Title", "Publisher", "Platform", "DOI", "Proprietary_ID", "ISBN", "URI", "Metric_Type", "Jan-2022"],
    *(
        [f"Book, {n}", "Pub", "Plat", f"10.60055/c.{n}", "P:0", "979-8", f"https://pub.example.org/{n}", "Total", "5"]
        for n in range(6)
    ),
]
R5_1 = [*R5[:10], ["Created", "2025-02-15"], ["Created_By", "P"], ["Registry_Record", "https://registry"], *R5[12:]]
REPORTS = {"R4": R4, "R5": R5, "R5.1": R5_1}


def _write(folder: Path, kind: str, rows: list[list[str]]) -> bytes:
    if kind == "xlsx":
        with xlsxwriter.Workbook(folder / "made.xlsx") as book:
            for number, row in enumerate(rows):
                (book.get_worksheet_by_name("Report") or book.add_worksheet("Report")).write_row(number, 0, row)
        return (folder / "made.xlsx").read_bytes()
    width = len(rows[-1]) if "padded" in kind else 0
    written = io.StringIO()
    csv.writer(written, delimiter="\t" if "tab" in kind else ",").writerows(
        row + [""] * (width - len(row)) for row in rows
    )
    return written.getvalue().encode()


@pytest.mark.parametrize("release", REPORTS)
@pytest.mark.parametrize("kind", ["tab", "tab padded", "comma", "comma padded", "xlsx"])
@pytest.mark.parametrize("is_named", [False, True])
def test_the_column_of_dois_is_found_below_the_head_of_a_report(
    reader: SheetReader, tmp_path: Path, release: str, kind: str, is_named: bool
):
    rows = REPORTS[release]
    name = "Journal DOI" if release == "R4" else "DOI"
    found = reader(_write(tmp_path, kind, rows), name if is_named else None)
    assert (found.layout.column_name, found.layout.total) == (name, 7 if release == "R4" else 6)
    assert found.layout.header_row == next(place for place, row in enumerate(rows, 1) if name in row)
    assert found.dois[-6:] == [f"10.60055/c.{n}" for n in range(6)]
