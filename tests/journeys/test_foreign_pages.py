"""Another website open in the same browser: what it posts changes nothing, and the session stays the person's own."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.journeys.steps import look_up
from tests.setup.portal import RunningPortal

pytestmark = pytest.mark.slow

# By form: where to, how it is encoded, and its fields; "file" is a file.
FORMS = [
    ("/api/v1/jobs", "multipart/form-data", {"file": "DOI\n10.5555/planted\n"}),
    ("/api/v1/lookups", "text/plain", {'{"input": "10.5555/planted", "x': '"}'}),
    ("/api/v1/lookups", "application/x-www-form-urlencoded", {"input": "10.5555/planted"}),
    ("/lookups", "application/x-www-form-urlencoded", {"text": "10.5555/planted"}),
    ("/lookups", "multipart/form-data", {"text": "10.5555/planted"}),
    ("/jobs/new", "multipart/form-data", {"file": "DOI\n10.5555/planted\n"}),
]
POST = """([action, enctype, fields, target]) => {
  const form = Object.assign(document.createElement('form'), {action, enctype, method: 'post', target});
  for (const [name, value] of Object.entries(fields)) {
    const input = Object.assign(document.createElement('input'), {name, type: name === 'file' ? 'file' : 'hidden'});
    if (name === 'file') {
      const files = new DataTransfer();
      files.items.add(new File([value], 'planted.csv'));
      input.files = files.files;
    } else input.value = value;
    form.append(input);
  }
  if (target) {
    const frame = Object.assign(document.createElement('iframe'), {name: target});
    document.body.append(frame);
  }
  document.body.append(form);
  form.submit();
}"""
FETCH = """([address, value]) => Promise.all([
  fetch(address + '/api/v1/lookups', {method: 'POST', mode: 'no-cors', credentials: 'include', body: value}),
  fetch(address + '/api/v1/jobs', {method: 'POST', mode: 'no-cors', credentials: 'include', body: (() => {
    const form = new FormData(); form.append('file', new File([value], 'planted.csv')); return form; })()}),
]).then(() => 'sent', () => 'stopped')"""


class OtherSite(BaseHTTPRequestHandler):
    """An empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Another site</title><body>")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written."""


@pytest.fixture(scope="module")
def other_port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), OtherSite) as server:
        threading.Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture
def context(browser: Browser, portal: RunningPortal) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=f"http://127.0.0.1:{portal.port}")
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture(params=["localhost", "127.0.0.1"], ids=["another site", "another port of the same host"])
def elsewhere(request: pytest.FixtureRequest, other_port: int) -> str:
    return f"http://{request.param}:{other_port}/"


def attack(context: BrowserContext, elsewhere: str, portal: str) -> set[int]:
    """How its forms are answered, each sent to the window and into a frame; then two requests of a script."""
    answers = set()
    for path, enctype, fields in FORMS:
        for target in ("", "frame"):
            page = context.new_page()
            page.goto(elsewhere)
            with page.expect_response(lambda response: response.request.method == "POST") as posted:
                page.evaluate(POST, [f"{portal}{path}", enctype, fields, target])
            answers.add(posted.value.status)
            page.close()
    page = context.new_page()
    page.goto(elsewhere)
    page.evaluate(FETCH, [portal, "DOI\n10.5555/planted\n"])
    page.close()
    return answers


def session_of(context: BrowserContext) -> str:
    return next((cookie["value"] for cookie in context.cookies() if cookie["name"] == "sessionid"), "")


def test_what_it_posts_is_refused_and_the_history_stays_within_reach(
    context: BrowserContext, portal: RunningPortal, elsewhere: str
) -> None:
    address = f"http://127.0.0.1:{portal.port}"
    page = context.new_page()
    look_up(page, "10.1000/182")
    page.wait_for_url("**/lookups/*")
    own = session_of(context)
    assert own
    assert attack(context, elsewhere, address) == {403}
    assert session_of(context) == own
    kept = context.request.get(f"{address}/api/v1/lookups").json()["results"]
    assert [lookup["input"] for lookup in kept] == ["10.1000/182"]
    assert context.request.get(f"{address}/api/v1/jobs").json()["results"] == []
    page.goto(f"{address}/history")
    assert "10.1000/182" in page.inner_text("main")


def test_who_has_no_session_gets_none_by_it(context: BrowserContext, portal: RunningPortal, elsewhere: str) -> None:
    address = f"http://127.0.0.1:{portal.port}"
    assert attack(context, elsewhere, address) == {403}
    page = context.new_page()
    for path in ("/", "/history", "/jobs/new", "/records", "/accounts/login/", "/api/v1/lookups"):
        page.goto(elsewhere)
        page.evaluate("address => { location = address; }", f"{address}{path}")
        page.wait_for_url(f"{address}{path}")
    assert not session_of(context)


def test_it_shows_no_page_of_ours_and_reads_none(
    context: BrowserContext, portal: RunningPortal, elsewhere: str
) -> None:
    address = f"http://127.0.0.1:{portal.port}"
    page = context.new_page()
    page.goto(elsewhere)
    read = """address => Promise.all(['/history.csv', '/api/v1/lookups', '/'].map(
      path => fetch(address + path, {mode: 'no-cors', credentials: 'include'}).then(() => 'read', () => 'stopped')))"""
    assert page.evaluate(read, address) == ["stopped"] * 3
    data = "address => fetch(address + '/api/handles/10.1000/182').then(answer => answer.json())"
    assert page.evaluate(data, address)["handle"] == "10.1000/182"
