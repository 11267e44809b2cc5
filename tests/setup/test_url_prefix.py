"""A portal below a path of a server in front (URL_PREFIX): every address of ours begins with it."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import pytest
import requests

from tests.setup.portal import RunningPortal, serving
from tests.setup.visitors import hidden_token

pytestmark = pytest.mark.slow

PREFIX = "/library/doi"
OURS = re.compile(r'(?:href|src|action|hx-get|hx-post|data-[a-z-]*(?:url|address))="([^"#][^"]*)"')
MOST = 100  # pages
LONG_LIST = "".join(f"10.5555/long-{number}\n" for number in range(1000))  # more than a minute at the usual rate


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPortal]:
    with serving(tmp_path_factory.mktemp("portal"), worker=True, URL_PREFIX=f"{PREFIX}/") as running:
        yield running


@pytest.fixture
def root(portal: RunningPortal) -> str:
    return f"http://127.0.0.1:{portal.port}"


@pytest.fixture
def visitor(root: str) -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


def find_addresses(page: requests.Response) -> set[str]:
    """The addresses of this server on the page, each without its query."""
    found = {urljoin(page.url, html.unescape(text)) for text in OURS.findall(page.text)}
    same = urlsplit(page.url).netloc
    return {one.partition("?")[0].partition("#")[0] for one in found if urlsplit(one).netloc == same}


def send_form(visitor: requests.Session, page: str, address: str, **fields: str) -> requests.Response:
    token = hidden_token(visitor.get(page, timeout=10).text)
    return visitor.post(address, data={"csrfmiddlewaretoken": token, **fields}, allow_redirects=False, timeout=30)


def test_every_address_on_every_page_begins_with_the_prefix(root: str, visitor: requests.Session) -> None:
    looked_up = send_form(visitor, f"{root}{PREFIX}/", f"{root}{PREFIX}/lookups", text="10.1000/182.")
    assert looked_up.status_code == 302
    assert looked_up.headers["Location"].startswith(f"{PREFIX}/lookups/")
    listed = visitor.post(
        f"{root}{PREFIX}/api/v1/jobs", data="10.1000/182.\n", headers={"Content-Type": "text/plain"}, timeout=30
    ).json()
    ended = visitor.get(f"{root}{PREFIX}/api/v1/jobs/{listed['id']}/wait?seconds=60", timeout=90).json()
    assert ended["state"] == "finished"
    running = visitor.post(
        f"{root}{PREFIX}/api/v1/jobs", data=LONG_LIST, headers={"Content-Type": "text/plain"}, timeout=30
    )
    progress = f"{root}{PREFIX}/jobs/{running.json()['id']}/progress"
    assert progress in find_addresses(visitor.get(running.json()["page"], timeout=30))
    waiting, seen = [running.json()["page"], progress, f"{root}{PREFIX}/"], list[str]()
    waiting += [f"{root}{looked_up.headers['Location']}", listed["page"]]
    while waiting and len(seen) < MOST:
        address = waiting.pop(0)
        seen.append(address)
        page = visitor.get(address, timeout=30)
        if "/static/" in address:
            assert page.status_code == 200, address
        found = find_addresses(page) if "text/html" in page.headers.get("Content-Type", "") else set()
        outside = {one for one in found if not urlsplit(one).path.startswith(f"{PREFIX}/")}
        assert not outside, address
        new = sorted(found.difference(seen, waiting))
        waiting += [one for one in new if "/help/" not in one and "/accounts/logout" not in one]
    assert visitor.delete(running.headers["Location"], timeout=30).status_code == 204
    assert len(seen) > 30
    below = {urlsplit(one).path.removeprefix(f"{PREFIX}/").partition("/")[0] for one in seen}
    assert below >= {"jobs", "lookups", "help"}
    assert any("/static/" in one for one in seen)


def test_all_cookies_are_for_the_prefix_alone(root: str, visitor: requests.Session) -> None:
    send_form(visitor, f"{root}{PREFIX}/", f"{root}{PREFIX}/lookups", text="10.1000/182")
    visitor.post(f"{root}{PREFIX}/language", data={"language": "de"}, timeout=10)
    removed = send_form(visitor, f"{root}{PREFIX}/history/delete", f"{root}{PREFIX}/history/delete")
    assert removed.status_code == 302
    assert {cookie.name for cookie in visitor.cookies} == {
        f"{name}.library.doi" for name in ("sessionid", "csrftoken", "language", "messages")
    }
    assert {cookie.path for cookie in visitor.cookies} == {PREFIX}


def test_cookies_of_another_application_on_the_host_change_nothing(root: str, visitor: requests.Session) -> None:
    send_form(visitor, f"{root}{PREFIX}/", f"{root}{PREFIX}/lookups", text="10.1000/182")
    assert "10.1000/182" in visitor.get(f"{root}{PREFIX}/history", timeout=10).text
    # A browser sends those of a longer path first, and Django takes the last of one name.
    ours = "; ".join(f"{cookie.name}={cookie.value}" for cookie in visitor.cookies)
    theirs = "sessionid=another; csrftoken=another; language=de; messages=another; known-browser=another"
    page = requests.get(f"{root}{PREFIX}/history", headers={"Cookie": f"{ours}; {theirs}"}, timeout=10)
    assert '<html lang="en"' in page.text
    assert "10.1000/182" in page.text


def test_the_page_on_privacy_names_the_cookies_as_they_are(root: str, visitor: requests.Session) -> None:
    page = visitor.get(f"{root}{PREFIX}/privacy", timeout=10).text
    for name in ("sessionid", "csrftoken", "language", "messages", "known-browser"):
        assert f"<code>{name}.library.doi</code>" in page


def test_the_document_of_the_api_has_the_address_and_the_cookie(root: str, visitor: requests.Session) -> None:
    document = visitor.get(f"{root}{PREFIX}/api/v1/schema", timeout=10).json()
    assert document["servers"] == [{"url": PREFIX}]
    assert document["components"]["securitySchemes"]["session"]["name"] == "sessionid.library.doi"


def test_rest_names_its_objects_below_the_prefix(root: str, visitor: requests.Session) -> None:
    index = visitor.get(f"{root}{PREFIX}/api/v1/", timeout=10).json()
    assert all(one.startswith(f"{root}{PREFIX}/") for one in index.values() if str(one).startswith("http"))
    made = visitor.post(
        f"{root}{PREFIX}/api/v1/jobs",
        data="10.1000/182\n",
        headers={"Content-Type": "text/plain"},
        timeout=30,
    )
    assert made.status_code == 202
    assert made.headers["Location"] == f"{root}{PREFIX}/api/v1/jobs/{made.json()['id']}"
    assert made.json()["page"] == f"{root}{PREFIX}/jobs/{made.json()['id']}"
    problem = visitor.get(f"{root}{PREFIX}/api/v1/nothing", timeout=10)
    assert (problem.status_code, problem.headers["Content-Type"]) == (404, "application/problem+json")
    service = visitor.get(f"{root}{PREFIX}/reconcile", timeout=10).json()
    assert service["preview"]["url"].startswith(f"{root}{PREFIX}/")


@pytest.mark.parametrize("name", ["10.1000/182", "10.1000%2F182", "10.1000/a%2Fb%3F", f"10.1000{PREFIX}/182"])
def test_the_gateway_answers_below_the_prefix_as_without_it(root: str, visitor: requests.Session, name: str) -> None:
    for path in (name, f"api/handles/{name}", f"doiRA/{name}"):
        below = visitor.get(f"{root}{PREFIX}/{path}", allow_redirects=False, timeout=30)
        direct = visitor.get(f"{root}/{path}", allow_redirects=False, timeout=30)
        assert (below.status_code, below.headers.get("Location")) == (
            direct.status_code,
            direct.headers.get("Location"),
        )
        if "json" in below.headers["Content-Type"]:
            assert below.json() == direct.json()


def test_a_health_check_needs_no_prefix(root: str) -> None:
    assert [requests.get(f"{root}{path}/healthz", timeout=10).text for path in ("", PREFIX)] == ["ok", "ok"]


def test_a_path_that_only_begins_with_the_same_letters_is_not_below_the_prefix(root: str) -> None:
    assert requests.get(f"{root}{PREFIX}x/healthz", timeout=10).status_code == 404
