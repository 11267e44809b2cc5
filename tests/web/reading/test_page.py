"""The page that reads texts in the browser: what it loads, what its policy allows, and that it may be missing."""

import io
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import CommandError, call_command
from django.test import Client

from doi_reading import CATALOGUE
from resolver.conf import READER_FILES
from tests.web.conftest import html_of, text_of
from tests.web.site.test_headers import POLICY

READING_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'") + "; worker-src 'self'"
LINK = 'href="/read"'


@pytest.fixture
def reader(settings: Any, tmp_path: Path) -> None:
    """The files of Pyodide, of one byte each: nothing here runs them."""
    for name in READER_FILES:
        (tmp_path / name).write_bytes(b"x")
    settings.READING_FILES = tmp_path


@pytest.mark.usefixtures("reader")
def test_only_this_page_may_run_webassembly_and_a_worker(visitor: Client):
    assert visitor.get("/read")["Content-Security-Policy"] == READING_POLICY
    assert visitor.get("/help")["Content-Security-Policy"] == POLICY


def test_of_the_static_files_only_its_worker_has_a_policy(visitor: Client):
    policies = {}
    for name in ("reading_worker.js", "reading.js", "copy.js"):
        with closing(visitor.get(staticfiles_storage.url(f"resolver/{name}"))) as answer:
            policies[name] = answer.get("Content-Security-Policy")
    assert policies == {"reading_worker.js": READING_POLICY, "reading.js": None, "copy.js": None}


@pytest.mark.usefixtures("reader")
def test_it_has_no_form_for_the_text_and_says_that_it_needs_a_script(visitor: Client):
    page = html_of(visitor.get("/read"))
    main = page.partition("<main")[2].partition("</main>")[0]
    assert "<form" not in main
    assert " name=" not in main
    assert "<noscript>" in main
    assert visitor.post("/read", {"text": "10.1000/182"}).status_code == 405


@pytest.mark.usefixtures("reader")
def test_it_has_the_title_of_each_problem_and_links_its_help(visitor: Client):
    page = html_of(visitor.get("/read"))
    assert all(f'data-code="{code}"' in page and f'href="/help/problems/{code}"' in page for code in CATALOGUE)


@pytest.mark.usefixtures("reader")
def test_the_help_links_it(visitor: Client):
    assert LINK in html_of(visitor.get("/help"))


@pytest.mark.parametrize("missing", READER_FILES)
@pytest.mark.usefixtures("reader")
def test_without_each_file_of_pyodide_it_is_not_there(visitor: Client, settings: Any, missing: str):
    (settings.READING_FILES / missing).unlink()
    assert visitor.get("/read").status_code == 404
    assert visitor.get("/read/doi_reading.zip").status_code == 404
    assert LINK not in html_of(visitor.get("/help"))


@pytest.mark.usefixtures("reader")
def test_a_portal_that_requires_a_login_requires_it_here(visitor: Client, settings: Any):
    settings.DOIPORTAL_OPEN = False
    assert visitor.get("/read").status_code == 302
    assert visitor.get("/read/doi_reading.zip").status_code == 302


@pytest.mark.usefixtures("reader")
def test_python_alone_reads_with_the_archive_that_the_page_loads(visitor: Client, tmp_path: Path):
    answer = visitor.get("/read/doi_reading.zip")
    assert answer["Content-Type"] == "application/zip"
    assert all(name.endswith(".py") for name in ZipFile(io.BytesIO(answer.content)).namelist())
    archive = tmp_path / "doi_reading.zip"
    archive.write_bytes(answer.content)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import doi_reading; "
        "print(doi_reading.__file__.startswith(sys.argv[1]), doi_reading.read('doi:10.1000/182').doi)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code, archive], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "10.1000/182"]


@pytest.mark.usefixtures("reader")
def test_the_page_for_other_servers_has_relative_addresses_and_its_policy_inside(tmp_path: Path):
    call_command("writereadingsite", tmp_path / "site", stdout=io.StringIO())
    for name, language in (("index.html", "en"), ("de.html", "de")):
        page = (tmp_path / "site" / name).read_text()
        assert f'<html lang="{language}"' in page
        assert "&#x27;wasm-unsafe-eval&#x27;" in page
        assert "frame-ancestors" not in page  # browsers take it from a header alone
        assert 'href="/' not in page
        assert 'src="/' not in page
    assert (tmp_path / "site/reading/pyodide.asm.wasm").is_file()
    assert (tmp_path / "site/resolver/reading_worker.js").is_file()


def test_without_pyodide_no_page_is_written_for_other_servers(settings: Any, tmp_path: Path):
    settings.READING_FILES = tmp_path / "nowhere"
    with pytest.raises(CommandError, match="make reading-files"):
        call_command("writereadingsite", tmp_path / "site")
    assert not (tmp_path / "site").exists()


@pytest.mark.usefixtures("reader")
def test_a_german_sees_german(visitor: Client):
    page = text_of(visitor.get("/read", headers={"Accept-Language": "de"}))
    assert "Nichts, was Sie einfügen, verlässt diese Seite." in page
