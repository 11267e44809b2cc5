"""The page /read with Pyodide itself: it reads with the network cut, on a phone, and as Python does here.

npm fetches the files once; `make slow-programs` installs it."""

import csv
import io
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, Page, expect

from doi_reading import read_all
from tests.doi_reading.corpus import DAMAGED, cases
from tests.journeys.looking import Complaints, barriers
from tests.portal_processes import ROOT
from tests.services_plugin import free_port, wait_for
from tests.setup.portal import RunningPortal, supervised

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("reading-in-the-browser")]

PHONE = {"width": 390, "height": 844}
LONGEST = 180_000  # milliseconds, on a busy machine
SOME = ["10.1000/182", "https://doi.org/10.1000/456#789", "", "Annual report, 2019", '=1+1 "quoted" 10.1000/🄰b c']
# The whole corpus is read by the page's own worker, in pieces as the page gives them.
READ_ALL = """async (texts) => {
  const { worker, files, library } = document.querySelector('[data-worker]').dataset;
  const reader = new Worker(worker, { type: 'module' });
  const next = (name) => new Promise((resolve, reject) => {
    reader.onmessage = ({ data }) => data.failed ? reject(new Error(data.failed)) : data[name] && resolve(data[name]);
  });
  const here = (address) => new URL(address, location.href).href;
  const ready = next('ready');
  reader.postMessage({ load: { files: here(files), library: here(library) } });
  await ready;
  const rows = [];
  for (let at = 0; at < texts.length; at += 100) {
    const found = next('rows');
    reader.postMessage({ read: texts.slice(at, at + 100) });
    rows.push(...await found);
  }
  return rows;
}"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of Pyodide, fetched as `make reading-files` does."""
    folder = tmp_path_factory.mktemp("reader")
    subprocess.run([sys.executable, ROOT / "deploy/reading_files.py", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def with_reader(reader: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPortal]:
    with supervised(tmp_path_factory.mktemp("portal"), READING_FILES=str(reader)) as running:
        yield running


@pytest.fixture
def phone(browser: Browser, with_reader: RunningPortal) -> Iterator[Page]:
    """A phone, on the page."""
    context = browser.new_context(base_url=f"http://127.0.0.1:{with_reader.port}", viewport=PHONE)
    page = context.new_page()
    page.goto("/read")
    yield page
    context.close()


def part(page: Page, name: str) -> Any:
    return page.locator(f"[data-part={name}]")


def load_and_cut_the_network(page: Page) -> float:
    """Return the seconds of loading."""
    start = time.monotonic()
    page.get_by_role("button", name="Load reader only").click()
    expect(part(page, "status")).to_contain_text("You can disconnect", timeout=LONGEST)
    page.context.set_offline(True)
    return time.monotonic() - start


def read_file(page: Page, lines: Sequence[str]) -> None:
    content = "\n".join(lines).encode()
    part(page, "file").set_input_files({"name": "list.txt", "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Read lines").click()
    expect(part(page, "sums")).to_be_visible(timeout=LONGEST)


def describe(text: str) -> list[dict[str, Any]]:
    """What the worker says of a text, read here."""
    return [
        {
            "text": one.input,
            "doi": str(one.doi or one.short_doi or ""),
            "url": one.url or "",
            "problems": [[problem.code, str(problem.severity), problem.start, problem.end] for problem in one.problems],
            "possible": [each.doi for each in one.candidates],
        }
        for one in read_all(text)
    ]


def one_line_texts() -> list[str]:
    return [case.input for case in cases() if len(case.input.splitlines()) == 1 and case.input.strip()]


def test_a_phone_reads_a_thousand_lines_with_the_network_cut(phone: Page, with_reader: RunningPortal):
    complaints = Complaints(phone, f"http://127.0.0.1:{with_reader.port}")
    load_and_cut_the_network(phone)
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    lines = one_line_texts()[::3][:1000]
    part(phone, "text").fill("\n".join(lines))
    phone.get_by_role("button", name="Read lines").click()
    expect(part(phone, "sums")).to_be_visible(timeout=LONGEST)
    found = [reading for line in lines for reading in describe(line)]
    expect(part(phone, "lines")).to_have_text("1,000")
    expect(part(phone, "dois")).to_have_text(f"{sum(bool(one['doi']) for one in found):,}")
    expect(part(phone, "table").locator("tbody tr")).to_have_count(500)
    part(phone, "more").click()
    expect(part(phone, "table").locator("tbody tr")).to_have_count(1000)
    assert not asked
    assert complaints.taken() == []
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    phone.context.set_offline(False)
    part(phone, "only").check()  # fewer rows for axe to look at
    assert list(barriers(phone)) == []


def test_once_the_reader_is_loaded_it_can_send_nothing(phone: Page):
    load_and_cut_the_network(phone)
    (worker,) = phone.workers
    assert worker.evaluate("[typeof fetch, typeof XMLHttpRequest, typeof WebSocket]") == ["undefined"] * 3


def test_a_row_has_its_problems_marked_and_the_file_has_every_reading(phone: Page):
    load_and_cut_the_network(phone)
    part(phone, "text").fill("\n".join(SOME))
    phone.keyboard.press("Control+Enter")
    expect(part(phone, "sums")).to_be_visible(timeout=LONGEST)
    rows = part(phone, "table").locator("tbody tr")
    expect(rows.locator("th")).to_have_text(["1", "2", "4", "5"])
    expect(rows.nth(0).get_by_role("link")).to_have_attribute("href", "https://doi.org/10.1000/182")
    expect(rows.nth(1).locator("mark.error")).to_have_text("#789")
    expect(rows.nth(1).get_by_role("link", name="not written as %23")).to_have_attribute(
        "href", "/help/problems/unescaped-hash"
    )
    expect(rows.nth(1).locator("td").last).to_have_text("10.1000/456#789")
    with phone.expect_download() as kept:
        phone.get_by_role("button", name="Download CSV").click()
    table = [*csv.DictReader(io.StringIO(Path(kept.value.path()).read_text(encoding="utf-8-sig")))]
    assert [(one["line"], one["doi"]) for one in table[:3]] == [("1", "10.1000/182"), ("2", "10.1000/456"), ("4", "")]
    assert table[1]["problems"] == "unescaped-hash"
    assert table[1]["possible_doi"] == "10.1000/456#789"
    assert table[3]["text"] == "'" + SOME[4]


def test_what_it_cannot_read_it_says(phone: Page):
    phone.get_by_role("button", name="Read lines").click()
    expect(part(phone, "status")).to_have_text("Enter a text or choose a file.")
    workbook = {"name": "list.xlsx", "mimeType": "application/zip", "buffer": b"PK\x03\x04\x00\x00"}
    part(phone, "file").set_input_files(workbook)
    phone.get_by_role("button", name="Read lines").click()
    expect(part(phone, "status")).to_contain_text("This isn’t a text file.")
    long = {"name": "list.txt", "mimeType": "text/plain", "buffer": b"10.1000/182\n" * 100_001}
    part(phone, "file").set_input_files(long)
    phone.get_by_role("button", name="Read lines").click()
    expect(part(phone, "status")).to_contain_text("up to 100,000 lines")
    phone.context.set_offline(True)
    part(phone, "text").fill("10.1000/182")
    phone.get_by_role("button", name="Read lines").click()
    expect(part(phone, "status")).to_contain_text("The text couldn’t be read")
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Read lines").click()  # it loads anew
    expect(part(phone, "dois")).to_have_text("1", timeout=LONGEST)


def test_ten_thousand_lines_take_seconds(phone: Page):
    loaded = load_and_cut_the_network(phone)
    texts = one_line_texts()
    read_file(phone, (texts * 4)[:10_000])
    expect(part(phone, "lines")).to_have_text("10,000")
    seconds = float(part(phone, "seconds").inner_text())
    print(f"loaded in {loaded:.1f} s, 10,000 lines of the corpus read in {seconds} s")
    assert seconds < 60


def test_the_corpus_is_read_row_for_row_as_python_reads_it_here(phone: Page):
    texts = [case.input for case in cases()]
    rows = phone.evaluate(READ_ALL, texts)
    different = [(text, row) for text, row in zip(texts, rows, strict=True) if row != describe(text)]
    assert different == []
    offered = [[name for one in row for name in (one["doi"], *one["possible"]) if name] for row in rows]
    damaged = [case.is_met_by(names) for case, names in zip(cases(), offered, strict=True) if case.group == DAMAGED]
    print(f"{len(rows)} texts equal; of {len(damaged)} damaged ones {sum(damaged)} have the right name")


def test_any_web_server_can_send_the_page(browser: Browser, reader: Path, tmp_path: Path, settings: Any):
    settings.READING_FILES = reader
    call_command("writereadingsite", tmp_path / "site/below", stdout=io.StringIO())
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", tmp_path / "site"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    context: BrowserContext = browser.new_context(viewport=PHONE)
    try:
        wait_for(port)
        page = context.new_page()
        complaints = Complaints(page, f"http://127.0.0.1:{port}")
        page.goto(f"http://127.0.0.1:{port}/below/")
        load_and_cut_the_network(page)
        read_file(page, SOME)
        expect(part(page, "lines")).to_have_text("4")
        expect(part(page, "dois")).to_have_text("3")
        context.set_offline(False)
        assert list(barriers(page)) == []
        page.goto(f"http://127.0.0.1:{port}/below/de.html")
        expect(page.get_by_role("button", name="Zeilen lesen")).to_be_visible()
        assert complaints.taken() == []
    finally:
        context.close()
        server.terminate()
        server.wait()


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.csv", "title,doi,year\nFoo,10.1000/182,2019\n", [("2", "10.1000/182")]),
        ("a.json", '[{"type": "book", "DOI": "10.1000/\\u00e4"}]', [("1", "10.1000/ä")]),
        ("a.html", '<p>x\n<a href="https://doi.org/10.1002/1<2::A>3">y</a></p>', [("2", "10.1002/1<2::A>3")]),
        ("a.bib", "@misc{a,\n  title = {T},\n  doi = {10.1000/a\\_b}\n}\n", [("3", "10.1000/a_b")]),
        ("a.txt", "title,10.1000/a\n10.1000/b\n", [("1", "10.1000/a"), ("2", "10.1000/b")]),
    ],
)
def test_a_file_is_read_in_its_format(phone: Page, name: str, content: str, found: list[tuple[str, str]]):
    load_and_cut_the_network(phone)
    part(phone, "file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content.encode()})
    phone.get_by_role("button", name="Read lines").click()
    expect(part(phone, "sums")).to_be_visible(timeout=LONGEST)
    rows = part(phone, "table").locator("tbody tr")
    expect(rows.locator("th")).to_have_text([line for line, _ in found])
    expect(rows.locator("td:nth-child(3)")).to_have_text([doi for _, doi in found])


def test_a_file_that_breaks_its_format_says_where_and_the_reader_stays(phone: Page):
    load_and_cut_the_network(phone)
    part(phone, "file").set_input_files({"name": "a.json", "mimeType": "text/plain", "buffer": b"{"})
    phone.get_by_role("button", name="Read lines").click()
    expect(part(phone, "status")).to_contain_text("it isn't JSON", timeout=LONGEST)
    read_file(phone, ["10.1000/182"])
    expect(part(phone, "table").locator("tbody tr")).to_have_count(1)


@pytest.mark.parametrize("damage", ["404", "wrong bytes", "abort"])
@pytest.mark.parametrize("file", ["pyodide.asm.wasm", "python_stdlib.zip"])
def test_a_file_of_python_that_does_not_come_is_said_and_can_be_loaded_again(phone: Page, file: str, damage: str):
    def spoil(route: Any) -> None:
        if damage == "abort":
            route.abort()
        else:
            route.fulfill(status=404 if damage == "404" else 200, body="nothing")

    phone.context.route(f"**/{file}", spoil)
    phone.get_by_role("button", name="Load reader only").click()
    expect(part(phone, "status")).to_contain_text("couldn’t be read", timeout=60_000)
    phone.context.unroute(f"**/{file}")
    phone.get_by_role("button", name="Load reader only").click()
    expect(part(phone, "status")).to_contain_text("You can disconnect", timeout=LONGEST)
