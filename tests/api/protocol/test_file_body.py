"""A list as the whole body of a request."""

import csv
import gzip
import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db
COLUMNS = ["title", "doi", "year", "price", "open", "tags", "outcome"]
LIST = b"Title;DOI\nHandbook;10.1000/182\nTwo;10.1000/1 and 10.1000/182\n"


def send(client: Client, body: bytes, media_type: str = "text/csv", query: str = "", **headers: str) -> Any:
    return client.post(f"/api/v1/jobs{query}", body, content_type=media_type, headers=headers)


def test_a_file_as_the_body_is_checked_as_one_in_a_form(api: Client, upload: Post) -> None:
    job = send(api, LIST, "text/csv; charset=utf-8", "?filename=new%20titles.csv&name=Spring&quick=1&split=true").json()
    assert (job["filename"], job["name"], job["quick"]) == ("new titles.csv", "Spring", True)
    done = run(job["id"])
    assert (done.state, done.column, done.total) == ("finished", "DOI", 3)
    form = upload(LIST, "new titles.csv", quick="true", split="true").json()
    assert run(form["id"]).counts == done.counts


@pytest.mark.parametrize(
    ("media_type", "name"),
    [
        ("text/csv", "list.csv"),
        ("TEXT/Plain", "list.txt"),
        ("text/tab-separated-values", "list.tsv"),
        ("application/x-ndjson", "list.ndjson"),
    ],
)
def test_a_file_without_a_name_is_named_after_its_media_type(api: Client, media_type: str, name: str) -> None:
    assert send(api, b"10.1000/182\n", media_type).json()["filename"] == name


def test_the_name_may_be_in_content_disposition(api: Client) -> None:
    told = {"Content-Disposition": "attachment; filename*=UTF-8''B%C3%BCcher.csv"}
    assert send(api, LIST, **told).json()["filename"] == "Bücher.csv"


def test_a_name_with_folders_is_only_a_name(api: Client) -> None:
    assert send(api, LIST, query="?filename=../../etc/passwd").json()["filename"] == "passwd"


@pytest.mark.parametrize("name", ["..", ".", "lists/.."])
def test_the_name_of_a_folder_is_refused(api: Client, name: str) -> None:
    assert list(assert_problem(send(api, LIST, query=f"?filename={name}"), 400)["errors"]) == ["filename"]
    assert not Job.objects.exists()


def test_a_compressed_file_is_read_by_its_content(api: Client) -> None:
    job = send(api, gzip.compress(LIST), "application/gzip").json()
    assert run(job["id"]).total == 2


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?colum=DOI", "colum"),
        ("?quick=maybe", "quick"),
        ("?column=DOI&column=Title", "column"),
        ("?name=" + "x" * 201, "name"),
    ],
)
def test_an_unknown_or_wrong_parameter_is_an_error(api: Client, query: str, field: str) -> None:
    assert list(assert_problem(send(api, LIST, query=query), 400)["errors"]) == [field]
    assert not Job.objects.exists()


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-16"])
def test_the_charset_of_the_file_is_not_that_of_the_query(api: Client, charset: str) -> None:
    query = "?column=Gr%C3%B6%C3%9Fe&filename=B%C3%BCcher.csv&name=%C3%9Cbung"
    job = send(api, "Größe,b\n10.1000/182,x\n".encode(), f"text/csv; charset={charset}", query).json()
    assert (job["column"], job["filename"], job["name"]) == ("Größe", "Bücher.csv", "Übung")


RUSSIAN = "Название,DOI\nСправочник и указатель,10.1000/182\n"


def send_in(client: Client, body: bytes, charset: str, query: str = "") -> Any:
    """Unlike post() of Django's test client, generic() doesn't write the body in this charset."""
    return client.generic("POST", f"/api/v1/jobs{query}", body, f"text/csv; charset={charset}")


def name_columns(job: Any) -> list[str]:
    return list(run(job["id"]).header or [])


@pytest.mark.parametrize(
    ("charset", "codec"), [("windows-1251", "cp1251"), ("Windows-1251", "cp1251"), ("gb2312", "gb18030")]
)
def test_a_text_that_is_not_unicode_is_read_in_the_charset_that_its_sender_names(
    api: Client, charset: str, codec: str
) -> None:
    text = RUSSIAN.encode(codec)
    assert name_columns(send_in(api, text, charset).json()) == ["Название", "DOI"]
    part = SimpleUploadedFile("list.csv", text, f"text/csv; charset={charset}")
    assert name_columns(api.post("/api/v1/jobs", {"file": part}).json()) == ["Название", "DOI"]


@pytest.mark.parametrize("charset", ["windows-1251", "iso-8859-1", "us-ascii", "utf-16", "koi8-r", "no-such"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_for_a_text_that_is_unicode_the_content_decides(api: Client, charset: str, codec: str) -> None:
    job = send_in(api, RUSSIAN.encode(codec), charset).json()
    assert name_columns(job) == ["Название", "DOI"]


@pytest.mark.parametrize(
    "charset", ["utf-8", "utf-16", "us-ascii", "iso-8859-1", "windows-1252", "", "binary", "unknown-8bit"]
)
def test_a_text_that_is_not_unicode_is_windows_1252_if_no_other_is_named(api: Client, charset: str) -> None:
    job = send_in(api, "Größe,DOI\nx,10.1000/182\n".encode("cp1252"), charset).json()
    assert name_columns(job) == ["Größe", "DOI"]


@pytest.mark.parametrize("charset", ["hp-roman8", "rot13", "no-such", "shift_jis", "x" * 4000])
def test_a_charset_in_which_the_text_cannot_be_read_is_an_error(api: Client, charset: str) -> None:
    told = assert_problem(send_in(api, RUSSIAN.encode("cp1251"), charset), 400)
    assert list(told["errors"]) == ["file"]
    assert not Job.objects.exists()


@pytest.mark.parametrize("charset", ["charset=\0", "charset*=utf-8''%00", "charset*=utf-7''+2AA-"])
def test_a_charset_that_is_no_text_for_a_database_is_harmless(api: Client, charset: str) -> None:
    form = f'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv; {charset}'
    body = f"{form}\r\n\r\n{RUSSIAN}\r\n--x--\r\n".encode()
    assert api.generic("POST", "/api/v1/jobs", body, "multipart/form-data; boundary=x").status_code == 202


def test_a_chosen_encoding_counts_before_the_charset(api: Client) -> None:
    job = send_in(api, RUSSIAN.encode("cp1251"), "cp850", "?encoding=cp1251").json()
    assert name_columns(job) == ["Название", "DOI"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "utf-16"])
def test_the_charset_of_a_form_changes_neither_its_fields_nor_its_file(api: Client, charset: str) -> None:
    part = 'Content-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    parts = [part.format("column", "Größe"), part.format("name", "Übung")]
    parts.append(part.format('file"; filename="Bücher.csv', "Größe,b\n10.1000/182,x\n"))
    body = "--x\r\n" + "--x\r\n".join(parts) + "--x--\r\n"
    # Unlike post() of Django's test client, generic() doesn't write the body in this charset.
    media_type = f"multipart/form-data; boundary=x; charset={charset}"
    job = api.generic("POST", "/api/v1/jobs", body.encode(), content_type=media_type).json()
    assert (job["column"], job["filename"], job["name"]) == ("Größe", "Bücher.csv", "Übung")


@pytest.mark.parametrize("media_type", ["application/x-www-form-urlencoded", "application/octet-stream", "image/png"])
def test_another_media_type_is_refused(api: Client, media_type: str) -> None:
    detail = assert_problem(send(api, LIST, media_type), 415)["detail"]
    assert media_type in detail
    assert "text/csv" in detail
    assert "multipart/form-data" in detail


def test_a_compressed_file_may_say_so_in_content_encoding(api: Client) -> None:
    job = send(api, gzip.compress(LIST), **{"Content-Encoding": "gzip"}).json()
    assert run(job["id"]).total == 2


@pytest.mark.parametrize("coding", ["br", "deflate", "gzip, br", "x" * 5000])
def test_another_content_encoding_is_refused(api: Client, coding: str) -> None:
    detail = assert_problem(send(api, LIST, **{"Content-Encoding": coding}), 415)["detail"]
    assert f'"{coding[:100]}"' in detail
    assert not Job.objects.exists()


def test_json_in_a_content_encoding_is_refused(api: Client) -> None:
    body = gzip.compress(b'{"inputs": []}')
    sent = api.post("/api/v1/inspections", body, "application/json", headers={"Content-Encoding": "gzip"})
    assert_problem(sent, 415)


def test_an_empty_body_is_refused(api: Client) -> None:
    assert "No file was sent." in assert_problem(send(api, b""), 400)["errors"]["file"][0]


def test_a_body_that_is_too_long_is_refused(api: Client, settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES = 10
    assert_problem(send(api, LIST), 413)


def test_the_same_key_and_file_is_the_same_job(api: Client) -> None:
    first, again = (send(api, LIST, **{"Idempotency-Key": "k"}).json()["id"] for _ in range(2))
    assert first == again
    assert_problem(send(api, LIST + b"More;10.1000/3\n", **{"Idempotency-Key": "k"}), 422)


def test_a_parameter_named_file_beside_the_body_is_refused(api: Client) -> None:
    refused = api.post("/api/v1/jobs?file=list.csv", b"10.5555/a\n", "text/csv")
    assert "file" in assert_problem(refused, 400)["errors"]


def test_json_lines_are_a_table_with_their_members_as_columns(api: Client) -> None:
    lines = [
        '{"title": "Bücher, \\"neu\\"", "doi": "10.5555/a", "year": 2026, "price": 1.50}',
        "",
        '{"doi": "10.5555/missing", "open": true, "tags": ["x", null, 15, {"n": 1.50}], "title": null}',
        '{"doi": "10.1000/182", "title": "two\\nlines"}',
    ]
    job = send(api, "\n".join(lines).encode(), "application/x-ndjson").json()
    assert (job["filename"], job["column"], job["total"]) == ("list.ndjson", "doi", 3)
    run(job["id"])
    file = b"".join(api.get(f"/api/v1/jobs/{job['id']}/results.csv").streaming_content).decode("utf-8-sig")
    rows = [{name: row[name] for name in COLUMNS} for row in csv.DictReader(io.StringIO(file, newline=""))]
    assert [list(row.values()) for row in rows] == [
        ['Bücher, "neu"', "10.5555/a", "2026", "1.50", "", "", "resolved"],
        ["", "10.5555/missing", "", "", "true", '["x", null, 15, {"n": 1.50}]', "not-found"],
        ["two\nlines", "10.1000/182", "", "", "", "", "resolved"],
    ]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{'doi': 1}", "Line 2: This isn't a JSON object."),
        (b'"10.1000/182"', "Line 2: This isn't a JSON object."),
        (b'{"doi": "\xff"}', "Line 2: This isn't a JSON object."),
        (b'{"doi": "10.5555/a", "doi": "10.5555/b"}', "Line 2: The member doi appears twice in one object."),
        (b"[" * 100_000, "Line 2: This isn't a JSON object."),
        (b'{"doi": "' + b"x" * 4_000_000 + b'"}', "Line 2: The line is longer than 4,000,000 bytes."),
        (json.dumps({f"m{n}": n for n in range(1001)}).encode(), "more than 1,000 different members"),
    ],
    ids=["quotes", "text", "no UTF-8", "twice", "deep", "long", "wide"],
)
def test_a_line_that_is_no_object_is_refused_with_its_number(api: Client, line: bytes, says: str) -> None:
    refused = send(api, b'{"doi": "10.1000/182"}\n' + line, "application/x-ndjson")
    assert says in assert_problem(refused, 400)["detail"]
    assert not Job.objects.exists()
