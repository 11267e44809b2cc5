"""Drafts: taken in, looked at, started with the same upload, thrown away."""

import io
from datetime import timedelta
from typing import Any

import openpyxl
import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from resolver import conf
from resolver.models import Draft, Job
from resolver.services.accounts.owners import transfer_ownership
from resolver.services.comparisons.reruns import create_rerun
from resolver.services.jobs import drafts
from resolver.services.maintenance.cleanup import prune_all
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.uploads import stored_uploads
from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout_choices import LayoutChoices
from tests.services.conftest import NOW, run
from tests.sheets.binary_workbook.made import Sheet, xls

pytestmark = pytest.mark.django_db

LIST = "id;ref;DOI\n1;10.1000/182;10.1000/1\n2;nothing;https://doi.org/10.1000/456#789\n3;;nothing\n"


def draft(text: str = LIST, owner: str = "user:1") -> Draft:
    return drafts.create_from_file(ContentFile(text.encode()), "list.csv", owner=owner, now=NOW)


def pasted(text: str) -> Draft:
    return drafts.create_from_text(text, owner="user:1", now=NOW)


def read_as(seen: drafts.DraftPreview) -> list[str | None]:
    return [str(reading.doi) if reading.doi else None for _, reading in seen.rows]


def test_a_draft_shows_what_its_rows_read_as() -> None:
    seen = drafts.preview_draft(draft())
    assert seen.layout
    assert (seen.layout.delimiter, seen.layout.column_name, seen.layout.total) == (";", "DOI", 3)
    assert read_as(seen) == ["10.1000/1", "10.1000/456", None]
    assert (seen.named, seen.faulty, seen.refusal) == (2, 1, None)


def test_choices_change_what_is_seen_and_nothing_that_is_stored() -> None:
    made = draft()
    assert read_as(drafts.preview_draft(made, LayoutChoices(column=1))) == ["10.1000/182", None, None]
    assert read_as(drafts.preview_draft(Draft.objects.get(pk=made.pk))) == ["10.1000/1", "10.1000/456", None]


def test_a_started_draft_is_a_job_with_the_same_id_upload_and_choices(proxy: DoiProxy) -> None:
    made = draft()
    job = drafts.start_draft(made, LayoutChoices(column=1), proxy=proxy, now=NOW, quick=False, name="Spring", note="n")
    assert (job.pk, job.upload, job.digest, job.owner) == (made.pk, made.upload, made.digest, "user:1")
    assert (job.filename, job.name, job.note, job.requested_column) == ("list.csv", "Spring", "n", "ref")
    assert not Draft.objects.exists()
    run(job, proxy)
    assert job.rows.values_list("input", "outcome").first() == ("10.1000/182", "resolved")
    with pytest.raises(Draft.DoesNotExist):
        drafts.start_draft(made, proxy=proxy, now=NOW)
    drafts.discard_draft(made)
    assert stored_uploads.is_stored(job.upload)


def test_a_file_that_is_no_table_leaves_nothing() -> None:
    with pytest.raises(UnreadableFile, match="PDF"):
        draft("%PDF-1.7")
    assert not Draft.objects.exists()
    assert not list(conf.uploads_dir().iterdir())


def test_one_that_another_choice_mends_stays_shows_its_rows_and_starts_once_it_is_made(proxy: DoiProxy) -> None:
    made = draft("a,b\nx,y\n")
    seen = drafts.preview_draft(made)
    assert "No column seems to contain DOIs" in str(seen.refusal)
    assert [cells for cells, _ in seen.rows] == [["x", "y"]]
    with pytest.raises(UnreadableFile):
        drafts.start_draft(made, proxy=proxy, now=NOW)
    assert drafts.start_draft(made, LayoutChoices(column=1), proxy=proxy, now=NOW).column == "b"


def test_of_a_workbook_the_first_sheet_with_dois_is_found_and_other_choices_keep_to_it(proxy: DoiProxy) -> None:
    book = openpyxl.Workbook()
    book.active.append(["About this list"])
    book.create_sheet("DOIs").append(["10.1000/182"])
    book.save(buffer := io.BytesIO())
    made = drafts.create_from_file(ContentFile(buffer.getvalue()), "list.xlsx", owner="user:1", now=NOW)
    assert made.sheets == ["Sheet", "DOIs"]
    for choices in (LayoutChoices(), LayoutChoices(has_header=False)):
        assert read_as(drafts.preview_draft(made, choices)) == ["10.1000/182"]
    assert read_as(drafts.preview_draft(made, LayoutChoices(sheet=0))) == [None]
    job = run(drafts.start_draft(made, proxy=proxy, now=NOW), proxy)
    assert job.rows.values_list("input", flat=True).first() == "10.1000/182"


def test_an_old_excel_workbook_is_read_like_any_other_and_kept_as_it_came(proxy: DoiProxy) -> None:
    book = xls(Sheet("About", [["About this list"]]), Sheet("DOIs", [["DOI", "n"], ["10.1000/182", 7]]))
    made = drafts.create_from_file(ContentFile(book), "list.xls", owner="user:1", now=NOW)
    assert made.sheets == ["About", "DOIs"]
    assert read_as(drafts.preview_draft(made)) == ["10.1000/182"]
    job = run(drafts.start_draft(made, proxy=proxy, now=NOW), proxy)
    assert (job.layout["kind"], job.layout["sheet"]) == ("xls", "DOIs")
    assert list(job.rows.values_list("input", "outcome")) == [("10.1000/182", "resolved")]
    assert stored_uploads.get_upload_path(job.upload).read_bytes() == book
    again = run(create_rerun(job, proxy=proxy, now=NOW + timedelta(hours=1)), proxy)
    assert list(again.rows.values_list("input", flat=True)) == ["10.1000/182"]


def test_an_old_excel_workbook_that_is_refused_leaves_nothing() -> None:
    with pytest.raises(UnreadableFile, match="damaged"):
        drafts.create_from_file(ContentFile(xls(Sheet("One", [["doi"]]))[:5_000]), "list.xls", owner="user:1", now=NOW)
    assert not list(conf.uploads_dir().iterdir())


def test_each_pasted_line_is_a_row_and_the_first_one_too() -> None:
    made = pasted('A list of mine\r\n\r\n10.1000/1\r\n "An open quote, 10.1000/2\r\n')
    seen = drafts.preview_draft(made)
    assert [cells for cells, _ in seen.rows] == [["A list of mine"], ["10.1000/1"], [' "An open quote, 10.1000/2']]
    assert (made.filename, made.text[:14]) == ("pasted.txt", "A list of mine")
    assert read_as(drafts.preview_draft(pasted("DOI\n10.1000/1\n10.1000/2"))) == ["10.1000/1", "10.1000/2"]


def test_cells_pasted_from_a_sheet_stay_columns() -> None:
    seen = drafts.preview_draft(pasted("Title\tLink\nOne\t10.1000/1\nTwo\t10.1000/2\n"))
    assert seen.layout
    assert seen.layout.column_name == "Link"
    assert len(seen.rows) == 2


def test_what_nobody_starts_goes_within_two_days_with_its_file(
    settings: Any, proxy: DoiProxy, django_capture_on_commit_callbacks: Any
) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = settings.DOIPORTAL_DATA_DIR
    somebody = "session:of-somebody"
    old, started = draft(owner=somebody), drafts.start_draft(draft(owner=somebody), proxy=proxy, now=NOW)
    prune_all(NOW + timedelta(hours=47))
    assert Draft.objects.filter(pk=old.pk).exists()
    with django_capture_on_commit_callbacks(execute=True):
        prune_all(NOW + timedelta(hours=49))
    assert not Draft.objects.exists()
    assert not stored_uploads.is_stored(old.upload)
    assert Job.objects.get() == started


def test_the_file_of_a_draft_is_kept_as_long_as_the_draft(settings: Any) -> None:
    settings.FILE_UPLOAD_TEMP_DIR = settings.DOIPORTAL_DATA_DIR
    now = timezone.now()  # the file is as old as the draft
    made = drafts.create_from_file(ContentFile(LIST.encode()), "list.csv", owner="session:of-somebody", now=now)
    prune_all(now + timedelta(hours=47))
    assert drafts.preview_draft(Draft.objects.get(pk=made.pk)).named == 2


def test_a_draft_whose_file_is_gone_is_none() -> None:
    made = draft()
    stored_uploads.delete_upload(made.upload)
    with pytest.raises(Draft.DoesNotExist):
        drafts.preview_draft(made)
    with pytest.raises(Draft.DoesNotExist):
        drafts.preview_draft(made, LayoutChoices(column=0))


def test_logging_in_takes_the_drafts_along() -> None:
    made = draft(owner="session:x")
    transfer_ownership("session:x", "user:7")
    assert Draft.objects.get(pk=made.pk).owner == "user:7"


def test_a_draft_whose_file_is_gone_is_not_started(proxy: DoiProxy) -> None:
    made = drafts.create_from_text("10.1000/182\n10.1000/183", owner="user:1", now=NOW)
    stored_uploads.delete_upload(made.upload)
    with pytest.raises(Draft.DoesNotExist):
        drafts.start_draft(made, proxy=proxy, now=NOW)
    assert not Job.objects.exists()
