"""Files of vendors and repositories, from the upload to the file for the import: a DOI changes, and nothing else."""

import pytest
from django.test import Client

from tests.api.conftest import Post, run
from tests.api.test_original_file import download

pytestmark = pytest.mark.django_db

KBART_COLUMNS = (
    "publication_title print_identifier online_identifier date_first_issue_online num_first_vol_online "
    "num_first_issue_online date_last_issue_online num_last_vol_online num_last_issue_online title_url first_author "
    "title_id embargo_info coverage_depth notes publisher_name publication_type date_monograph_published_print "
    "date_monograph_published_online monograph_volume monograph_edition first_editor parent_publication_title_id "
    "preceding_publication_title_id access_type"
).split()


def _write_kbart_row(title: str, **cells: str) -> str:
    return "\t".join(cells.get(name, title if name == "publication_title" else "") for name in KBART_COLUMNS)


KBART = "\r\n".join(
    [
        "\t".join(KBART_COLUMNS),
        _write_kbart_row('"Ours": a reader', title_url="https://doi.org/https://doi.org/10.1000/182", title_id="x1"),
        _write_kbart_row('The 5" disk', title_url="https://doi.org/10.5555/two", title_id="10.1000/182."),
        _write_kbart_row(
            'Straße "', title_url="https://dx.doi.org/10.1000/182", title_id="10.5555/two", notes="a, b; c"
        ),
    ]
)


@pytest.mark.parametrize("end", ["", "\r\n"])
@pytest.mark.parametrize(
    ("column", "changes"),
    [
        ("title_url", [("https://doi.org/https://doi.org/", "https://doi.org/"), ("//dx.doi", "//doi")]),
        ("title_id", [("10.1000/182.", "10.1000/182")]),
    ],
)
def test_in_a_kbart_file_only_the_dois_of_the_column_change(
    api: Client, upload: Post, end: str, column: str, changes: list[tuple[str, str]]
) -> None:
    job = run(upload(KBART + end, "Vendor_Global_2026-11-01.txt", column=column).json()["id"])
    expected = KBART + end
    for old, new in changes:
        expected = expected.replace(old, new)
    assert download(api, job.pk, "?accept=suggested").decode() == expected
    assert download(api, job.pk).decode() == KBART + end


def test_a_kbart_file_gets_two_columns_without_quotation_marks(api: Client, upload: Post) -> None:
    job = run(upload(KBART, "kbart.txt", column="title_id").json()["id"])
    rows = [line.split("\t") for line in download(api, job.pk, "?accept=suggested&columns=1").decode().split("\r\n")]
    assert [row[-2:] for row in rows] == [
        ["corrected_doi", "correction"],
        ["", "no-doi"],
        ["10.1000/182", "suggested"],
        ["10.5555/two", "unchanged"],
    ]
    assert [row[0] for row in rows[1:]] == ['"Ours": a reader', 'The 5" disk', 'Straße "']


HANDLE = "http://hdl.handle.net/123456789/1"
DSPACE = (
    "id,collection,dc.contributor.author[],dc.identifier.uri[],dc.title[en_US]\r\n"
    f'a-1,123456789/2,"Doe, J.||Roe, R.",{HANDLE}||https://doi.org/https://doi.org/10.1000/182,One\r\n'
    f'a-2,123456789/2,"Doe, J.",10.1000/182.||{HANDLE}||doi:10.5555/two,"Two, ""too"""\r\n'
    f"a-3,123456789/2,,{HANDLE},Three\r\n"
)


def test_in_dspaces_batch_file_only_the_values_with_dois_change(api: Client, upload: Post) -> None:
    job = run(upload(DSPACE, "export.csv").json()["id"])
    rows = api.get(f"/api/v1/jobs/{job.pk}/rows").json()["results"]
    assert [(row["row"], row["part"], row["input"], row["correction"]) for row in rows] == [
        (2, 1, "https://doi.org/https://doi.org/10.1000/182", "cleaned"),
        (3, 1, "10.1000/182.", "suggested"),
        (3, 2, "doi:10.5555/two", "cleaned"),
        (4, 1, HANDLE, "no-doi"),
    ]
    assert download(api, job.pk, "?accept=suggested").decode() == (
        DSPACE.replace("https://doi.org/https://doi.org/", "https://doi.org/")
        .replace("10.1000/182.", "10.1000/182")
        .replace("doi:10.5555/two", "10.5555/two")
    )
