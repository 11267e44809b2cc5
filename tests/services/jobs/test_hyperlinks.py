"""A workbook whose cells have hyperlinks, from the upload to the results: rows, messages, files, the draft before."""

import io
import json

import openpyxl
import pytest
from django.core.files.base import ContentFile

from resolver.domain.report.correction import find_row_proposal
from resolver.models import Draft, Job, Row, no_precheck
from resolver.services.jobs import drafts, import_rows
from resolver.services.lookups.stored_results import list_row_choices
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.services.turns.precheck import precheck_chunks
from resolver.sheets.output.csv_and_jsonl import generate_csv, generate_jsonl
from resolver.sheets.output.xlsx import generate_xlsx
from tests.services.conftest import NOW, make_job, run
from tests.sheets.result_tables import make_table

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = [
    ("Full text", "https://doi.org/10.5555/first"),
    ("10.5555/first", "https://doi.org/10.5555/Two"),
    ("10.5555/missing-b", "https://doi.org/10.5555/first"),
    ("10.5555/first", "https://doi.org/10.5555/FIRST"),
    ("Full text", None),
]


def book() -> bytes:
    made = openpyxl.Workbook()
    made.active.append(["year", "link", "price"])
    for number, (text, link) in enumerate(ROWS, 2):
        made.active.append([2000 + number, text, 1.5])
        if link:
            made.active.cell(number, 2).hyperlink = link
            made.active.cell(number, 2).value = text
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def checked(proxy: DoiProxy, **options: object) -> tuple[Job, list[Row]]:
    job = run(make_job(book(), proxy, **options), proxy)
    return job, list(Row.objects.filter(job=job).order_by("line"))


def test_a_link_is_read_where_the_text_holds_no_doi_and_the_row_says_so(proxy: DoiProxy) -> None:
    job, rows = checked(proxy, column="link")
    assert (rows[0].input, rows[0].doi, rows[0].outcome) == (ROWS[0][1], "10.5555/first", "resolved")
    assert rows[0].problem_codes == ("from-link",)
    assert "we read this one from its hyperlink" in rows[0].messages
    assert (rows[4].input, rows[4].outcome, rows[4].problem_codes) == ("Full text", "invalid", ("no-doi",))
    assert job.counts["problem"]["from-link"] == 1


@pytest.mark.clause("B2")
def test_where_both_hold_different_dois_both_are_asked_for_and_shown(proxy: DoiProxy) -> None:
    _, rows = checked(proxy, column="link")
    row = rows[1]
    assert (row.input, row.doi, row.outcome, row.needs_review) == ("10.5555/first", "10.5555/first", "resolved", True)
    assert row.problem_codes == ("link-differs",)
    assert [(other["doi"], other["outcome"]) for other in row.others] == [("10.5555/Two", "resolved")]
    assert "another one (10.5555/Two)" in row.messages
    assert "Also here: 10.5555/Two: resolved." in row.messages
    assert (rows[3].problem_codes, rows[3].others) == ((), [])


def test_the_doi_of_the_link_is_the_suggestion_where_the_one_that_is_shown_is_not_registered(proxy: DoiProxy) -> None:
    _, rows = checked(proxy, column="link")
    assert (rows[2].outcome, rows[2].suggestion, rows[2].others) == ("not-found", "10.5555/first", [])
    assert (rows[2].problem_codes, rows[2].correction) == (("link-suggests",), "review")


def test_where_two_registered_dois_differ_both_can_be_chosen(proxy: DoiProxy) -> None:
    _, rows = checked(proxy, column="link")
    assert (rows[1].correction, find_row_proposal(rows[1])) == ("review", "10.5555/first")
    assert list_row_choices(rows[1]) == ["10.5555/Two"]
    assert list_row_choices(rows[0]) == list_row_choices(rows[2]) == list_row_choices(rows[4]) == []


def test_the_files_of_results_have_the_original_columns_unchanged_and_numbers_as_numbers(proxy: DoiProxy) -> None:
    job, _ = checked(proxy, column="link")
    lines = b"".join(generate_csv(make_table(job.header, iterate_results(job)))).decode("utf-8-sig").splitlines()
    assert [line.split(",")[:3] for line in lines] == [
        ["year", "link", "price"], *([str(2000 + n), text, "1.5"] for n, (text, _) in enumerate(ROWS, 2))
    ]  # fmt: skip
    objects = [
        json.loads(line) for line in b"".join(generate_jsonl(make_table(job.header, iterate_results(job)))).splitlines()
    ]
    assert [one["input"] for one in objects[:2]] == ["https://doi.org/10.5555/first", "10.5555/first"]
    assert objects[0]["cells"] == {"year": "2002", "link": "Full text", "price": "1.5"}
    workbook = io.BytesIO(b"".join(generate_xlsx(make_table(job.header, iterate_results(job, as_cells=True)))))
    first = next(openpyxl.load_workbook(workbook)["Results"].iter_rows(min_row=2, values_only=True))
    assert first[:3] == (2002, "Full text", 1.5)


def test_what_nobody_has_asked_yet_is_written_as_it_was_read(proxy: DoiProxy) -> None:
    job = make_job(book(), proxy, column="link")
    Job.objects.filter(pk=job.pk).update(state="cancelled")
    job.refresh_from_db()
    assert [row.input for row in iterate_results(job)][:2] == ["https://doi.org/10.5555/first", "10.5555/first"]


def test_only_the_link_of_the_column_that_is_read_is_kept(proxy: DoiProxy) -> None:
    _, rows = checked(proxy, column="year")
    assert rows[0].cells == [["2002"], "Full text", ["1.5"]]
    assert checked(proxy, column="link")[1][0].cells == [["2002"], ["Full text", None, 0, ROWS[0][1]], ["1.5"]]


def test_the_survey_asks_for_what_is_behind_links_too(proxy: DoiProxy) -> None:
    job = make_job(book(), proxy, column="link")
    for _ in import_rows.read_into_rows(job.pk):
        pass
    Job.objects.filter(pk=job.pk).update(prechecking=True, precheck=no_precheck())  # as of a longer list
    precheck_chunks(job.pk, proxy=proxy)
    job.refresh_from_db()
    assert (job.precheck["rows"], job.precheck["no_name"], job.precheck["missing"]) == (5, 1, 1)


def test_a_draft_shows_what_the_link_reads_as_and_finds_its_column(proxy: DoiProxy) -> None:
    made = openpyxl.Workbook()
    made.active.append(["title", "link"])
    made.active.append(["A", "Full text"])
    made.active.cell(2, 2).hyperlink = "https://doi.org/10.5555/first"
    made.active.cell(2, 2).value = "Full text"
    buffer = io.BytesIO()
    made.save(buffer)
    draft = drafts.create_from_file(ContentFile(buffer.getvalue()), "book.xlsx", owner="user:1", now=NOW)
    seen = drafts.preview_draft(Draft.objects.get(pk=draft.pk))
    assert seen.layout is not None
    assert (seen.layout.column_name, seen.named, seen.faulty) == ("link", 1, 0)
    assert [one.code for one in seen.rows[0][1].problems] == ["from-link"]
