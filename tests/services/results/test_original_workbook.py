"""The uploaded workbook with the accepted DOIs in its cells, and every other part as it was."""

import io
import zipfile

import openpyxl
import pytest

from resolver.models import Job
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.no_original_file import NoOriginalFile
from resolver.services.results.original_file import build_left_out_download, iterate_original
from resolver.services.reviews.decisions import Decider, decide_row
from resolver.sheets.workbook.typed_cell import decode_row_texts
from tests.services.conftest import NOW, make_job, run
from tests.sheets.made_workbooks import ods, ods_cell, ods_row

pytestmark = pytest.mark.django_db(transaction=True)
SHEET = "xl/worksheets/sheet1.xml"


def build_workbook(
    *rows: tuple[object, ...], link: tuple[str, str] = ("B2", "https://www.example.org/full-text"), signed: bool = False
) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (("id", "DOI"), *rows):
        book.active.append(row)
    book.active[link[0]].hyperlink = link[1]
    book.create_sheet("Notes").append(["to be kept"])
    book.save(file)
    if signed:
        with zipfile.ZipFile(file, "a") as archive:
            archive.writestr("_xmlsignatures/sig1.xml", "<Signature/>")
    return file.getvalue()


ROWS = ((1, "10.1000/182."), (2, "doi:10.1000/182"), (3, "10.5555/alias-1"), (4, "10.5555/two"))


def check(proxy: DoiProxy, file: bytes, **options: object) -> Job:
    return run(make_job(file, proxy, filename="vendor.xlsx", **options), proxy)


def write(job: Job, accept: str = "accepted", *, columns: bool = False) -> bytes:
    return b"".join(iterate_original(job, accept, columns=columns))


def list_cells(file: bytes) -> list[tuple[object, ...]]:
    return list(openpyxl.load_workbook(io.BytesIO(file)).worksheets[0].iter_rows(values_only=True))


def list_parts(file: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_without_a_decision_the_bytes_are_those_of_the_upload(proxy: DoiProxy) -> None:
    file = build_workbook(*ROWS)
    assert write(check(proxy, file)) == file


def test_only_the_part_of_the_sheet_differs_and_in_it_only_the_accepted_cells(proxy: DoiProxy) -> None:
    file = build_workbook(*ROWS)
    new = write(check(proxy, file), "suggested")
    before, after = list_parts(file), list_parts(new)
    assert [name for name in before if after[name] != before[name]] == [SHEET]
    assert list(after) == list(before)
    assert list_cells(new) == [
        ("id", "DOI"), (1, "10.1000/182"), (2, "10.1000/182"), (3, "10.5555/alias-1"), (4, "10.5555/two"),
    ]  # fmt: skip
    link = openpyxl.load_workbook(io.BytesIO(new)).worksheets[0]["B2"].hyperlink
    assert link.target == "https://www.example.org/full-text"


def test_a_decision_is_written_in_its_cell_alone(proxy: DoiProxy) -> None:
    job = check(proxy, build_workbook(*ROWS))
    decide_row(job, 1, "accepted", by=Decider("ada", NOW))
    assert [row[1] for row in list_cells(write(job))[1:3]] == ["10.1000/182", "doi:10.1000/182"]


def test_two_columns_stand_after_the_last_used_one(proxy: DoiProxy) -> None:
    job = check(proxy, build_workbook(*ROWS))
    assert [row[2:] for row in list_cells(write(job, columns=True))] == [
        ("corrected_doi", "correction"),
        ("10.1000/182", "suggested"),
        ("10.1000/182", "cleaned"),
        (job.rows.get(line=3).alias_of, "main-doi"),
        ("10.5555/two", "unchanged"),
    ]


def test_of_a_split_cell_only_the_accepted_dois_change(proxy: DoiProxy) -> None:
    job = check(proxy, build_workbook((1, "10.1000/182. | 10.5555/two"), (2, "10.5555/three")), split=True)
    assert job.total == 3
    assert list_cells(write(job, "suggested"))[1:] == [(1, "10.1000/182 | 10.5555/two"), (2, "10.5555/three")]


def test_a_cell_with_a_formula_is_left_and_listed_with_its_reason(proxy: DoiProxy) -> None:
    file = build_workbook((1, "10.5555/two"), (2, "10.1000/182."))
    with_result = b"<f>A2&amp;D2</f><v>10.1000/182.</v>"
    parts = list_parts(file)
    begin, _, rest = parts[SHEET].partition(b'<c r="B3"')
    parts[SHEET] = begin + b'<c r="B3" t="str">' + with_result + b"</c>" + rest.partition(b"</c>")[2]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    job = check(proxy, made.getvalue())
    assert write(job, "suggested") == made.getvalue()
    _, line = b"".join(build_left_out_download(job, "suggested", ",")).decode("utf-8-sig").splitlines()
    assert line == "3,,DOI,10.1000/182.,10.1000/182,The cell has a formula. Change it by hand."


def test_that_a_signature_breaks_is_said_beside_what_is_left_to_do(proxy: DoiProxy) -> None:
    job = check(proxy, build_workbook(*ROWS, signed=True))
    _, line = b"".join(build_left_out_download(job, "suggested", ",")).decode("utf-8-sig").splitlines()
    assert line == ",,,,,The workbook has a digital signature. A corrected file breaks it."


def test_a_workbook_that_could_not_be_read_to_its_end_has_no_file(proxy: DoiProxy) -> None:
    job = check(proxy, build_workbook(*ROWS))
    Job.objects.filter(pk=job.pk).update(state="failed", error="Row 5: the XML is damaged.")
    with pytest.raises(NoOriginalFile, match="couldn't read the whole file"):
        iterate_original(Job.objects.get(pk=job.pk), "suggested")


def build_ods(*texts: str) -> bytes:
    return ods("".join(ods_row(ods_cell(f"<text:p>{text}</text:p>")) for text in texts))


def test_of_an_opendocument_sheet_only_the_accepted_cells_change(proxy: DoiProxy) -> None:
    file = build_ods("DOI", "10.1000/182.", "10.5555/two")
    job = run(make_job(file, proxy, filename="vendor.ods"), proxy)
    assert write(job) == file
    before, after = list_parts(file), list_parts(write(job, "suggested"))
    assert before.pop("content.xml").replace(b"10.1000/182.", b"10.1000/182") == after.pop("content.xml")
    assert before == after


def test_two_columns_stand_in_an_opendocument_sheet_too(proxy: DoiProxy) -> None:
    job = run(make_job(build_ods("DOI", "10.1000/182.", "10.5555/two"), proxy, filename="vendor.ods"), proxy)
    again = run(make_job(write(job, columns=True), proxy, filename="vendor-corrected.ods"), proxy)
    assert again.header == ["DOI", "corrected_doi", "correction"]
    assert [decode_row_texts(row.cells)[1:] for row in again.rows.order_by("line")] == [
        ["10.1000/182", "suggested"],
        ["10.5555/two", "unchanged"],
    ]


def test_a_workbook_of_ours_is_read_with_the_hyperlinks_of_the_column_that_was_read_before(proxy: DoiProxy) -> None:
    file = build_workbook((1, "10.5555/one"), (2, "doi:10.5555/two"), link=("B3", "https://doi.org/10.5555/three"))
    ours = write(check(proxy, file), columns=True)
    assert list_cells(ours)[2][2:] == (None, "review")
    again = check(proxy, ours)
    assert again.rows.get(line=2).correction == "review"
    assert write(again, "suggested") == ours
