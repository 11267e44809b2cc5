"""nginx with the block of docs/for-operators.md, "Below a path", in front of a portal with URL_PREFIX=/doi."""

import json
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
import requests

from resolver.gateway.raw_request import LONGEST_TARGET_CHARACTERS
from tests.portal_processes import ROOT
from tests.setup.nginx.front import AROUND, Front, adapt, folder_for_nginx, nginx, two_ports
from tests.setup.portal import serving
from tests.setup.visitors import hidden_token

pytestmark = pytest.mark.slow

GUIDE = (ROOT / "docs/for-operators.md").read_text().partition("\n### Below a path\n")[2].partition("\n## ")[0]
[BLOCK] = re.findall(r"^```nginx\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
HOST = "library.example.org"
PUBLIC = f"https://{HOST}/doi"
SERVER = """
server {{
    listen 127.0.0.1:{http} default_server;
    listen 127.0.0.1:{https} ssl default_server;
    ssl_certificate {folder}/fullchain.pem;
    ssl_certificate_key {folder}/privkey.pem;
    location / {{
        return 418;
    }}
{block}
}}
"""
TEXT = {"Content-Type": "text/plain"}


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    told = {
        "URL_PREFIX": "/doi",
        "TRUSTED_PROXIES": "127.0.0.1",
        "ALLOWED_HOSTS": HOST,
        "CSRF_TRUSTED_ORIGINS": f"https://{HOST}",
        "MAX_UPLOAD_BYTES": "3000000",
    }
    http, https = two_ports()
    with serving(tmp_path_factory.mktemp("portal"), **told) as portal, folder_for_nginx() as folder:
        block = adapt(BLOCK, {"http://127.0.0.1:8000;": f"http://127.0.0.1:{portal.port};"})
        site = SERVER.format(http=http, https=https, folder=folder, block=block)
        with nginx(folder, AROUND.format(folder=folder, site=site), http, https):
            yield Front(folder, portal, HOST, http, https)


@pytest.fixture
def root(front: Front) -> str:
    """The portal by nginx and TLS."""
    return f"https://127.0.0.1:{front.https}/doi"


@pytest.fixture
def visitor(front: Front) -> Iterator[requests.Session]:
    with front.visitor() as session:
        yield session


def look_up(visitor: requests.Session, root: str) -> requests.Response:
    token = hidden_token(visitor.get(f"{root}/", timeout=30).text)
    fields = {"csrfmiddlewaretoken": token, "text": "10.1000/182"}
    origin = {"Origin": f"https://{HOST}"}
    return visitor.post(f"{root}/lookups", data=fields, headers=origin, allow_redirects=False, timeout=30)


def test_a_page_and_its_style_sheets_arrive(root: str, visitor: requests.Session) -> None:
    page = visitor.get(f"{root}/", timeout=30)
    sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page.text)
    assert (page.status_code, len(sheets) > 0) == (200, True)
    assert {visitor.get(urljoin(page.url, sheet), timeout=30).status_code for sheet in sheets} == {200}


def test_a_form_leads_to_a_page_below_the_path(root: str, visitor: requests.Session) -> None:
    sent = look_up(visitor, root)
    assert (sent.status_code, sent.headers["Location"][:13]) == (302, "/doi/lookups/")


def test_every_cookie_is_for_the_path_and_for_https_alone(root: str, visitor: requests.Session) -> None:
    look_up(visitor, root)
    assert {cookie.name for cookie in visitor.cookies} >= {"sessionid.doi", "csrftoken.doi"}
    assert {(cookie.path, cookie.secure) for cookie in visitor.cookies} == {("/doi", True)}


def test_the_path_without_its_slash_leads_to_the_portal(front: Front) -> None:
    status, location, _ = front.ask("/doi")
    assert (status, location.endswith("/doi/")) == (301, True)


def test_other_paths_are_not_the_portals(front: Front) -> None:
    assert [front.ask(path)[0] for path in ("/", "/doing", "/10.5555/a")] == [418] * 3


def test_the_gateway_leads_to_the_address_of_a_record(front: Front) -> None:
    assert front.ask("/doi/10.5555/abc")[:2] == (302, "https://example.org/landing/abc")


@pytest.mark.parametrize(
    ("path", "suffix"),
    [
        ("a%2Fb", "a/b"),
        ("a//b", "a//b"),
        ("//a", "//a"),
        ("a%2Cb", "a,b"),
        ("a%252Fb", "a%2Fb"),
        ("a/./b%3F", "a/./b?"),
    ],
)
def test_a_name_arrives_as_it_was_sent(front: Front, path: str, suffix: str) -> None:
    assert json.loads(front.ask(f"/doi/api/handles/10.5555/{path}")[2])["handle"] == f"10.5555/{suffix}"
    [agency] = json.loads(front.ask(f"/doi/doiRA/10.5555/{path}")[2])
    assert agency["DOI"] == f"10.5555/{suffix}"
    for target in (f"10.5555/{path}", f"10.5555%2F{path}"):
        assert front.ask(f"/doi/{target}")[:2] == front.ask(f"/doi/{target}", directly=True)[:2]


def test_a_name_that_climbs_out_of_the_path_does_not_reach_the_portal(front: Front) -> None:
    assert front.ask("/doi/10.5555/..%2F..%2Fb")[0] == 418


def test_both_slashes_count_where_a_name_climbs(front: Front) -> None:
    assert front.ask("/doi/10.5555//..%2F..%2Fb") == front.ask("/doi/10.5555//..%2F..%2Fb", directly=True)


def test_an_address_of_the_greatest_length_reaches_the_gateway(front: Front) -> None:
    target = "/doi/10.5555/abc?ignored=".ljust(LONGEST_TARGET_CHARACTERS, "a")
    assert front.ask(target)[:2] == front.ask(target, directly=True)[:2]
    assert front.ask(target)[0] == 302


def test_links_in_rest_have_the_public_address(root: str, visitor: requests.Session) -> None:
    made = visitor.post(f"{root}/api/v1/lookups", json={"input": "10.1000/182"}, timeout=30)
    index = visitor.get(f"{root}/api/v1/", timeout=30).json()
    told = [made.headers["Location"], made.json()["page"], index["jobs"]]
    assert [link for link in told if not link.startswith(f"{PUBLIC}/")] == []


def test_a_client_cannot_say_that_it_uses_https(front: Front, visitor: requests.Session) -> None:
    forged = {"X-Forwarded-Proto": "https"}
    index = visitor.get(f"http://127.0.0.1:{front.http}/doi/api/v1/", headers=forged, timeout=30)
    assert index.json()["jobs"] == f"http://{HOST}/doi/api/v1/jobs"


def test_a_list_larger_than_a_megabyte_arrives(root: str, visitor: requests.Session) -> None:
    rows = "".join(f"10.5555/{number:0>90}\n" for number in range(20_000))
    made = visitor.post(f"{root}/api/v1/jobs", data=rows, headers=TEXT, timeout=60)
    assert (len(rows) > 2**20, made.status_code) == (True, 202)


def test_the_portal_itself_says_that_a_list_is_too_large(root: str, visitor: requests.Session) -> None:
    answer = visitor.post(f"{root}/api/v1/jobs", data="x" * 3_500_000, headers=TEXT, timeout=60)
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/problem+json")


def test_the_requester_is_the_address_that_nginx_saw(front: Front, root: str) -> None:
    with front.visitor("127.0.0.7") as visitor:
        forged = {"X-Forwarded-For": "192.0.2.66"}
        assert front.who_failed_to_log_in(visitor, root, "forger", **forged) == "127.0.0.7"


def test_the_id_of_a_request_is_that_of_nginx(root: str, visitor: requests.Session) -> None:
    page = visitor.get(f"{root}/", headers={"X-Request-ID": "made-up-by-a-client"}, timeout=30)
    assert re.fullmatch("[0-9a-f]{32}", page.headers["X-Request-ID"])


def test_what_people_look_up_is_in_no_log(front: Front) -> None:
    front.ask("/doi/10.5555/secret")
    front.ask("/outside-of-the-portal")
    logged = (front.folder / "access.log").read_text()
    assert ("outside" in logged, "secret" in logged) == (True, False)
