"""The preview of a list: what was found, each of it changed in turn, and the start."""

import io
import re
from typing import Any
from uuid import uuid4

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from resolver.models import DailyUse, Draft, Job
from resolver.services.accounts.owners import get_user_owner
from resolver.services.jobs import drafts
from resolver.services.uploads import stored_uploads
from tests.sheets.binary_workbook.made import Sheet, xls, xlsb
from tests.sheets.binary_workbook.test_xls_and_xlsb import FILES
from tests.web.conftest import html_of, run, text_of

SEMICOLONS = "id;DOI;price\n1;10.1000/182;1,50\n2;https://doi.org/10.1000/456#789;2,50\n3;nothing;3,50\n4;;\n"


def taken(visitor: Client, data: str | bytes, name: str = "list.csv") -> str:
    """The address of the preview."""
    file = SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data)
    return visitor.post("/jobs/new", {"file": file})["Location"]


def test_the_first_rows_say_what_they_read_as(visitor: Client) -> None:
    page = visitor.get(taken(visitor, SEMICOLONS, "vendor <b>.csv"))
    said = text_of(page)
    for words in (
        "vendor <b>.csv (text). We haven’t checked anything yet.",
        "4 rows. We read the DOIs from column 2, DOI.",
        "✓ 2 have a DOI (1 of them with a problem) – 2 have no DOI",
        "DOI column",
        "detected: semicolon",
        "detected: UTF-8",
        "detected: 2: DOI",
        "10.1000/456 Error # not written as %23",
        "✗ no DOI",
        "Check 4 rows",
    ):
        assert words in said
    assert "<b>.csv" not in html_of(page)
    assert 'placeholder="detected: 1"' in html_of(page)


def test_a_text_that_is_probably_a_mistyped_doi_is_not_called_one_without_a_doi(visitor: Client) -> None:
    said = text_of(visitor.get(taken(visitor, SEMICOLONS + "5;1O.1093/nar/gku576;5,50\n")))
    assert "! 1 is probably a DOI with a typing error – 2 have no DOI" in said
    assert "probably 10.1093/nar/gku576 Error" in said


@pytest.mark.parametrize(("name", "is_first"), [("landing page", True), ("price", False)])
def test_a_column_that_looks_like_expected_addresses_is_asked_for_before_the_button(
    visitor: Client, name: str, *, is_first: bool
) -> None:
    said = text_of(visitor.get(taken(visitor, f"DOI;{name}\n10.1000/182;x\n")))
    assert (said.index("Column with expected web addresses") < said.index("Check 1 row")) is is_first


def test_the_summary_of_the_options_names_what_is_chosen(visitor: Client) -> None:
    address = taken(visitor, SEMICOLONS)
    said = text_of(visitor.post(address, {"quick": "on", "name": "My list", "preview": "1"}))
    assert "Options Quick check · My list" in said


def test_the_column_that_is_read_where_ours_has_no_correction_stands_beside_it(visitor: Client) -> None:
    address = taken(visitor, "a,b,c,d,e,f,g,h,i,DOI\n,,,,,,,,,nothing\n,,,,,,,,,10.5555/second\n")
    visitor.post(address)
    job = run(Job.objects.get())
    ours = b"".join(visitor.get(f"/jobs/{job.pk}/results.csv?corrected=1").streaming_content)
    page = visitor.get(taken(visitor, ours))
    assert [name for name, _is_doi_column in page.context["columns"]][:3] == ["corrected_doi", "DOI", "a"]
    (_title, rows), *_others = page.context["groups"]
    assert [row["cells"][:2] for row in rows] == [["", "nothing"], ["10.5555/second", "10.5555/second"]]


def test_rows_without_a_doi_and_with_a_problem_are_shown_from_further_down_with_their_numbers(visitor: Client) -> None:
    good = "x;10.5555/{}\n"
    rows = [good.format(n) for n in range(1, 8)] + ["x;nothing\n", good.format(9), "x;https://doi.org/10.1000/4#7\n"]
    said = text_of(visitor.get(taken(visitor, "title;DOI\n" + "".join(rows))))
    assert "Row Read as DOI DOI column title" in said, "what is read stands beside what it reads as"
    assert "The first rows 2 10.5555/1 10.5555/1 x 3 " in said
    assert "Rows without a DOI 9 ✗ no DOI nothing x Rows with a problem 11 10.1000/4 Error" in said
    for number in (6, 7, 9):
        assert f"10.5555/{number}" not in said


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("separator=none&column=1", "4 rows. We read the DOIs from column 1, id;DOI;price."),
        ("column=1", "4 rows. We read the DOIs from column 1, id."),
        ("header_row=0", "5 rows. We read the DOIs from column 2. There is no header row."),
        ("encoding=cp1252", "detected: semicolon"),
    ],
)
def test_each_choice_changes_what_is_seen(visitor: Client, query: str, words: str) -> None:
    page = visitor.get(f"{taken(visitor, SEMICOLONS)}?{query}")
    assert page.status_code == 200
    assert words in text_of(page)
    assert "Check " in text_of(page)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("encoding=utf-16", "The text isn’t UTF-16. Choose another encoding."),
        ("column=9", "DOI column: With these settings there is no column 9. Choose one from 1 to 3."),
        ("separator=comma&column=3", "there is no column 3. Choose one from 1 to 2."),
        ("separator=x", "Column separator: Select a valid choice."),
        ("column=x", "DOI column: Enter a whole number."),
    ],
)
def test_a_choice_that_does_not_fit_is_told_and_can_be_changed(visitor: Client, query: str, words: str) -> None:
    page = visitor.get(f"{taken(visitor, SEMICOLONS)}?{query}")
    assert page.status_code == 422
    assert words in text_of(page)
    assert "Check 4 rows" not in text_of(page)
    assert "Update preview" in text_of(page)


def test_the_sheet_of_a_workbook_is_chosen_by_its_name(visitor: Client) -> None:
    book = openpyxl.Workbook()
    book.active.append(["read me first"])
    book.create_sheet("The <list>").append(["10.1000/182"])
    book.save(buffer := io.BytesIO())
    address = taken(visitor, buffer.getvalue(), "book.xlsx")
    page = visitor.get(f"{address}?sheet=1")
    assert "The first row has no DOI. Choose another sheet" in text_of(page)
    assert '<option value="2">The &lt;list&gt;</option>' in html_of(page)
    assert "detected: The <list>" in text_of(visitor.get(address))
    visitor.post(address, {"sheet": "1"})
    assert [row.input for row in run(Job.objects.get()).rows.all()] == ["read me first"]


@pytest.mark.parametrize(("kind", "made"), [("xls", xls), ("xlsb", xlsb)])
def test_a_binary_workbook_is_offered_previewed_and_started(visitor: Client, kind: str, made: Any) -> None:
    assert f",.{kind}," in visitor.get("/jobs/new").text
    book = made(Sheet("One", [["read me first"]]), Sheet("Two", [["doi", "year"], ["10.5555/first", 2020]]))
    address = taken(visitor, book, f"book.{kind}")
    page = text_of(visitor.get(address))
    assert "(Excel workbook)" in page
    assert "detected: Two" in page
    visitor.post(address)
    job = run(Job.objects.get())
    assert [row.input for row in job.rows.all()] == ["10.5555/first"]
    assert f"{kind.upper()}; the sheet “Two”; with a header row" in text_of(visitor.get(f"/jobs/{job.pk}"))


def test_a_binary_workbook_that_cannot_be_read_is_told_with_what_to_do(visitor: Client) -> None:
    file = SimpleUploadedFile("book.xls", (FILES / "with_password.xls").read_bytes())
    page = visitor.post("/jobs/new", {"file": file}, headers={"accept-language": "de"})
    assert page.status_code == 422
    assert "Die Arbeitsmappe hat ein Kennwort." in text_of(page)


def test_a_list_in_which_no_column_seems_to_hold_dois_waits_for_a_choice(visitor: Client) -> None:
    address = taken(visitor, "title,ref\nOne,x\nTwo,y\n")
    page = visitor.get(address)
    assert page.status_code == 422
    assert '<a href="#id_column">' in html_of(page)
    assert "One x" in text_of(page)
    assert "Check 2 rows" not in text_of(page)
    assert visitor.post(address).status_code == 422
    assert visitor.post(address, {"column": "2"}).status_code == 302


def test_it_starts_with_the_choices_that_were_shown(visitor: Client) -> None:
    address = taken(visitor, SEMICOLONS)
    shown = html_of(visitor.get(f"{address}?separator=semicolon&header_row=0&column=2"))
    assert '<option value="semicolon" selected>' in shown
    assert '<option value="2" selected>' in shown
    assert re.search('<input[^>]* name="header_row" value="0"', shown)
    response = visitor.post(address, {"separator": "semicolon", "header_row": "0", "column": "2", "quick": "on"})
    job = Job.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/jobs/{job.pk}")
    assert (job.total, job.quick, job.header) == (5, True, ["column 1", "column 2", "column 3"])


def test_the_column_of_expected_addresses_belongs_to_the_columns_that_were_shown(visitor: Client) -> None:
    address = taken(visitor, "doi;title;expected url\n10.1000/182;One;https://example.org/\n")
    one_column = html_of(visitor.get(address, {"separator": "none"}))
    assert 'name="expected"' not in one_column
    shown = html_of(visitor.post(address, {"separator": "semicolon", "preview": "1"}))
    assert '<option value="3" selected>' in shown, "proposed by its name"
    found = re.search('name="columns" value="([0-9a-f]+)"', shown)
    assert found
    started = {"separator": "comma", "expected": "3", "columns": found[1]}
    assert visitor.post(address, started).status_code != 302, "of these columns the third is not known"
    assert visitor.post(address, started | {"separator": "semicolon"}).status_code == 302
    assert Job.objects.count() == 1


REPOSITORY = (
    "id,dc.identifier.uri[],dc.relation.uri[]\n"
    "1,http://hdl.handle.net/123/456||10.1000/182,10.1000/456\n2,http://hdl.handle.net/123/457,\n"
)
SPLIT = '<input[^>]* name="split"[^>]* checked'


def test_a_repositorys_values_are_read_one_by_one_unless_the_box_is_unticked(visitor: Client) -> None:
    address = taken(visitor, REPOSITORY)
    page = visitor.get(address)
    assert "A cell can have several values, joined by “||”. We read them one by one." in text_of(page)
    assert re.search(SPLIT, html_of(page))
    unticked = visitor.post(address, {"preview": "1", "proposed_split": "1"})
    assert "one by one" not in text_of(unticked)
    assert not re.search(SPLIT, html_of(unticked))
    visitor.post(address, {"split": "on"})
    job = run(Job.objects.get())
    assert [(row.row, row.part, row.input) for row in job.rows.order_by("line")] == [
        (2, 1, "10.1000/182"),
        (3, 1, "http://hdl.handle.net/123/457"),
    ]


def test_the_proposal_to_read_values_one_by_one_belongs_to_the_column(visitor: Client) -> None:
    address = taken(visitor, REPOSITORY)
    other = html_of(visitor.post(address, {"preview": "1", "proposed_split": "1", "split": "on", "column": "3"}))
    assert not re.search(SPLIT, other)
    back = html_of(visitor.post(address, {"preview": "1", "proposed_split": "", "column": "2"}))
    assert re.search(SPLIT, back)


def test_a_row_with_more_cells_than_the_header_is_told(visitor: Client) -> None:
    """Unquoted, a semicolon inside a DOI cuts it."""
    whole = "title;doi;url\nOne;10.1000/182;x\nTwo;10.1000/456;y\nThree;10.1000/1;z\n"
    assert "more cells than the header" not in text_of(visitor.get(taken(visitor, whole)))
    cut = whole + "Four;10.1002/(SICI)1097(1999)1:1<1::AID-1>3.0.CO;2-#;z;more\n"
    assert "Row 5 has more cells than the header row." in text_of(visitor.get(taken(visitor, cut)))


def test_a_second_click_and_the_way_back_find_the_list(visitor: Client) -> None:
    address = taken(visitor, SEMICOLONS)
    first = visitor.post(address)["Location"]
    assert visitor.post(address)["Location"] == first
    assert visitor.get(address)["Location"] == first
    assert Job.objects.count() == 1


def test_a_name_that_is_too_long_is_told_and_the_choices_stay(visitor: Client) -> None:
    response = visitor.post(taken(visitor, SEMICOLONS), {"column": "1", "name": "x" * 201})
    assert response.status_code == 422
    assert "Name: This has 201 characters" in text_of(response)
    assert '<option value="1" selected>' in html_of(response)
    assert not Job.objects.exists()


def test_the_preview_with_other_settings_starts_nothing_and_loses_nothing_that_was_entered(visitor: Client) -> None:
    address = taken(visitor, SEMICOLONS)
    entered = {"column": "2", "quick": "on", "name": "My list", "preview": "1"}
    shown = html_of(visitor.post(address, entered))
    assert '<option value="2" selected>' in shown
    assert re.search('<input[^>]* name="quick"[^>]* checked', shown)
    assert 'value="My list"' in shown
    refused = visitor.post(address, entered | {"column": "99"})
    assert refused.status_code == 422
    assert '<input type="hidden" name="name" value="My list">' in html_of(refused)
    assert not Job.objects.exists()


def test_throwing_it_away_leaves_nothing(visitor: Client, django_capture_on_commit_callbacks: Any) -> None:
    address = taken(visitor, SEMICOLONS)
    draft = Draft.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        page = visitor.post(f"{address}/delete", follow=True)
    assert "List discarded." in text_of(page)
    assert not Draft.objects.exists()
    assert not stored_uploads.is_stored(draft.upload)
    assert visitor.get(address).status_code == 404


def test_a_preview_that_is_kept_no_longer_says_so_and_leads_to_a_new_upload(visitor: Client) -> None:
    address = taken(visitor, SEMICOLONS)
    drafts.prune_drafts(timezone.now() + drafts.KEPT_FOR)
    refused = visitor.post(address)
    assert refused.status_code == 404
    said = text_of(refused)
    assert "We keep a preview for 2 days, or until you discard it. The check hasn’t started." in said
    assert 'href="/jobs/new">Upload the file again' in html_of(refused)
    assert "The check hasn’t started" not in text_of(visitor.get(address))


@pytest.mark.parametrize("action", ["one", "delete"])
def test_a_button_of_a_preview_that_is_gone_leads_to_a_new_upload(visitor: Client, action: str) -> None:
    address = taken(visitor, SEMICOLONS)
    drafts.prune_drafts(timezone.now() + drafts.KEPT_FOR)
    refused = visitor.post(f"{address}/{action}")
    assert refused.status_code == 404
    assert "Preview not available" in text_of(refused)
    assert 'href="/jobs/new">Upload the file again' in html_of(refused)


@pytest.mark.parametrize("action", ["one", "delete"])
def test_a_button_of_a_preview_that_was_started_leads_to_its_list(visitor: Client, action: str) -> None:
    address = taken(visitor, SEMICOLONS)
    job = visitor.post(address)["Location"]
    assert visitor.post(f"{address}/{action}")["Location"] == job
    assert Job.objects.count() == 1


def test_another_persons_draft_is_not_there(visitor: Client, stranger: Client) -> None:
    address = taken(visitor, SEMICOLONS)
    taken(stranger, SEMICOLONS)
    foreign = stranger.get(address)
    assert foreign.status_code == 404
    assert text_of(foreign) == text_of(stranger.get(f"/drafts/{uuid4()}")), "nobody learns which previews there are"
    for action in ("", "/one", "/delete"):
        assert stranger.post(address + action).status_code == 404
    assert Draft.objects.count() == 2


def test_a_draft_whose_file_is_gone_is_not_there(visitor: Client) -> None:
    address = taken(visitor, SEMICOLONS)
    stored_uploads.delete_upload(Draft.objects.get().upload)
    assert visitor.get(address).status_code == 404


def test_the_preview_of_a_bibliography_counts_fields(visitor: Client) -> None:
    entry = "@article{{k{0}, doi = {{10.5555/{0}}}, url = {{https://doi.org/10.5555/{0}}}}}\n"
    page = visitor.get(taken(visitor, entry.format(1) + entry.format(2), "a.bib"))
    assert "In the first 4 of these fields: ✓ 4 have a DOI" in text_of(page)


def test_a_long_and_wide_list_shows_its_beginning(visitor: Client) -> None:
    wide = "".join(f";c{n}" for n in range(2, 300))
    rows = "".join(f"10.5555/{n}{';x' * 298}\n" for n in range(drafts.PREVIEW_ROWS + 50))
    with CaptureQueriesContext(connection) as captured:
        page = visitor.get(taken(visitor, f"DOI{wide}\n{rows}"))
    said = text_of(page)
    assert "In the first 100 rows: ✓ 100 have a DOI" in said
    assert "293 more columns aren’t shown here. They stay unchanged in the results." in said
    assert ("10.5555/4" in said, "10.5555/5" in said) == (True, False)
    assert len(page.content) < 40_000
    assert len(captured) < 12


def test_the_preview_says_what_is_left_of_the_day_and_a_list_that_does_not_fit_stays(
    visitor: Client, settings: Any
) -> None:
    settings.MAX_LISTS_PER_DAY, settings.MAX_ROWS_PER_DAY, settings.MAX_REQUESTS_PER_DAY = 1, 3000, 9
    account = User.objects.create_user("ada")
    visitor.force_login(account)
    address = taken(visitor, SEMICOLONS)
    said = text_of(visitor.get(address))
    assert "You can check 1 more list today, of 1 a day." in said
    assert "You can check 3,000 more rows of lists today, of 3,000 a day. The day ends at midnight (UTC)." in said
    assert "request" not in said
    assert "Come back" not in said
    assert "If you don’t start the check, we delete this file after 2 days." in said
    DailyUse.objects.create(owner=get_user_owner(account), day=timezone.now().date(), rows=1)
    settings.MAX_ROWS_PER_DAY = 4
    assert "This list has 4 rows. You can check 3 more today. Come back to this page" in text_of(visitor.get(address))
    refused = visitor.post(address)
    assert refused.status_code == 422
    assert "Rows of lists that you can check today: 3 of 4. This list has 4. Try again after midnight (UTC)" in text_of(
        refused
    )
    assert "<details>" in html_of(refused), "the name and the note have no error"
    assert Draft.objects.count() == 1
    settings.MAX_ROWS_PER_DAY = 5
    assert visitor.post(address).status_code == 302
    assert "You can’t check any more lists today." in text_of(visitor.get(taken(visitor, SEMICOLONS)))


def test_a_preview_of_more_rows_than_the_quota_of_a_day_asks_nobody_to_come_back(
    visitor: Client, settings: Any
) -> None:
    settings.MAX_ROWS_PER_DAY = 3
    visitor.force_login(User.objects.create_user("ada"))
    address = taken(visitor, SEMICOLONS)
    said = text_of(visitor.get(address))
    assert "This list has 4 rows. You can check 3 in a day. Check it in parts." in said
    refused = text_of(visitor.post(address))
    assert "Rows of lists that you can check in a day: 3. This list has 4. Check it in parts." in refused
    assert "Come back" not in said + refused


def test_without_an_account_the_preview_says_nothing_of_quotas(visitor: Client, settings: Any) -> None:
    settings.MAX_LISTS_PER_DAY = 1
    assert "today" not in text_of(visitor.get(taken(visitor, SEMICOLONS)))
