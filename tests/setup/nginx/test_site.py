"""deploy/nginx/doiportal.conf with rules.conf, as docs/without-containers.md has them, in front of a portal with the
settings of its example."""

import json
import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import requests

from resolver.gateway.raw_request import LONGEST_TARGET_CHARACTERS
from tests.portal_processes import ROOT
from tests.setup.nginx.front import AROUND, Front, adapt, folder_for_nginx, nginx, two_ports
from tests.setup.portal import serving
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

GUIDE = (ROOT / "docs/without-containers.md").read_text()
EXAMPLE = (ROOT / "deploy/systemd/environment.example").read_text()
HOST = "dois.library.example"
PUBLIC = f"https://{HOST}"
OURS = ("ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "TRUSTED_PROXIES")
EVERY_FAMILY = pytest.mark.parametrize(("client", "host"), [("127.0.0.7", "127.0.0.1"), ("::1", "[::1]")])
CONNECTIONS = 200  # of one address at a time, as rules.conf says
HALF = f"POST /lookups HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 9\r\n\r\n".encode()


def write_site(folder: Path, http: int, https: int, portal: int) -> str:
    """The file with the name of the site, by the command of the guide, and with the folders and ports of the test."""
    file = folder / "doiportal.conf"
    file.write_text((ROOT / "deploy/nginx/doiportal.conf").read_text())
    [command] = re.findall(r"^sed -i '(\S+)' /etc/nginx/sites-available/doiportal.conf$", GUIDE, re.MULTILINE)
    subprocess.run(["sed", "-i", command.replace("YOUR.SITE.EXAMPLE", HOST), file], check=True)
    changes = {
        "listen 80 ": f"listen {http} ",
        "listen [::]:80 ": f"listen [::]:{http} ",
        "listen 443 ": f"listen {https} ",
        "listen [::]:443 ": f"listen [::]:{https} ",
        "server 127.0.0.1:8000;": f"server 127.0.0.1:{portal};",
        "/etc/doiportal/tls/fullchain.pem": f"{folder}/fullchain.pem",
        "/etc/doiportal/tls/privkey.pem": f"{folder}/privkey.pem",
        "/var/log/nginx/doiportal.log": f"{folder}/doiportal.log",
        "/opt/doiportal/share/doiportal/nginx/rules.conf": f"{ROOT}/deploy/nginx/rules.conf",
    }
    return adapt(file.read_text(), changes)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    example = dict(re.findall(r"^([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
    told = {name: example[name].replace("doi.example.org", HOST) for name in OURS}
    http, https = two_ports()
    folder = tmp_path_factory.mktemp("portal")
    with serving(folder, MAX_UPLOAD_BYTES="3000000", **told) as portal, folder_for_nginx() as folder:
        site = write_site(folder, http, https, portal.port)
        with nginx(folder, AROUND.format(folder=folder, site=site), http, https):
            yield Front(folder, portal, HOST, http, https)


@pytest.fixture
def root(front: Front) -> str:
    return f"https://127.0.0.1:{front.https}"


@pytest.fixture
def visitor(front: Front) -> Iterator[requests.Session]:
    with front.visitor() as session:
        yield session


@EVERY_FAMILY
def test_http_leads_to_the_same_target_by_https(front: Front, client: str, host: str) -> None:
    with front.visitor(client) as visitor:
        found = visitor.get(f"http://{host}:{front.http}/10.5555/a%2F//b?c=d", allow_redirects=False, timeout=30)
    assert (found.status_code, found.headers["Location"]) == (301, f"{PUBLIC}/10.5555/a%2F//b?c=d")


@EVERY_FAMILY
def test_a_page_arrives_and_browsers_stay_with_https(front: Front, client: str, host: str) -> None:
    with front.visitor(client) as visitor:
        page = visitor.get(f"https://{host}:{front.https}/", timeout=30)
    assert page.status_code == 200
    assert page.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    assert {cookie.secure for cookie in visitor.cookies} == {True}


def test_links_in_rest_have_the_public_address(root: str, visitor: requests.Session) -> None:
    made = visitor.post(f"{root}/api/v1/lookups", json={"input": "10.1000/182"}, timeout=30)
    told = [made.headers["Location"], made.json()["page"]]
    assert [link for link in told if not link.startswith(f"{PUBLIC}/")] == []


@pytest.mark.parametrize(
    ("path", "suffix"),
    [("a%2Fb", "a/b"), ("a//b", "a//b"), ("a%2Cb", "a,b"), ("a%252Fb", "a%2Fb"), ("a/..%2Fb", "a/../b")],
)
def test_a_name_arrives_as_it_was_sent(front: Front, path: str, suffix: str) -> None:
    assert json.loads(front.ask(f"/api/handles/10.5555/{path}")[2])["handle"] == f"10.5555/{suffix}"
    [agency] = json.loads(front.ask(f"/doiRA/10.5555/{path}")[2])
    assert agency["DOI"] == f"10.5555/{suffix}"
    for target in (f"10.5555/{path}", f"10.5555%2F{path}"):
        assert front.ask(f"/{target}")[:2] == front.ask(f"/{target}", directly=True)[:2]


def test_both_slashes_count_where_a_name_climbs(front: Front) -> None:
    path = "/10.5555/a//..%2F..%2F..%2Fb"
    assert front.ask(path)[:2] == front.ask(path, directly=True)[:2]


@pytest.mark.parametrize("path", ["/a/..%2F..%2Fb", "/10.5555/%ZZ"])
def test_nginx_refuses_a_path_that_climbs_above_its_root_or_has_a_broken_escape(front: Front, path: str) -> None:
    status, _, text = front.ask(path)
    assert (status, "<center>nginx</center>" in text) == (400, True)


def test_an_address_of_the_greatest_length_reaches_the_gateway(front: Front) -> None:
    target = "/10.5555/abc?ignored=".ljust(LONGEST_TARGET_CHARACTERS, "a")
    assert front.ask(target)[:2] == (302, "https://example.org/landing/abc")


def test_the_portal_itself_says_that_an_address_is_too_long(front: Front) -> None:
    status, _, text = front.ask("/10.5555/".ljust(LONGEST_TARGET_CHARACTERS + 1, "a"))
    assert (status, "nginx" in text) == (414, False)


def test_a_list_larger_than_a_megabyte_arrives(root: str, visitor: requests.Session) -> None:
    rows = "".join(f"10.5555/{number:0>90}\n" for number in range(20_000))
    made = visitor.post(f"{root}/api/v1/jobs", data=rows, headers={"Content-Type": "text/plain"}, timeout=60)
    assert (len(rows) > 2**20, made.status_code) == (True, 202)


def test_the_portal_itself_says_that_a_list_is_too_large(root: str, visitor: requests.Session) -> None:
    kind = {"Content-Type": "text/plain"}
    answer = visitor.post(f"{root}/api/v1/jobs", data="x" * 3_500_000, headers=kind, timeout=60)
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/problem+json")


@EVERY_FAMILY
def test_the_requester_is_the_address_that_nginx_saw(front: Front, client: str, host: str) -> None:
    with front.visitor(client) as visitor:
        forged = {"X-Forwarded-For": "192.0.2.66", "X-Forwarded-Proto": "http"}
        root = f"https://{host}:{front.https}"
        assert front.who_failed_to_log_in(visitor, root, f"forger at {client}", **forged) == client


def test_the_id_of_a_request_is_that_of_nginx(root: str, visitor: requests.Session) -> None:
    page = visitor.get(f"{root}/", headers={"X-Request-ID": "made-up-by-a-client"}, timeout=30)
    assert re.fullmatch("[0-9a-f]{32}", page.headers["X-Request-ID"])


def test_pages_which_hold_tokens_are_not_compressed(root: str, visitor: requests.Session) -> None:
    page = visitor.get(f"{root}/", headers={"Accept-Encoding": "gzip"}, timeout=30)
    assert (page.status_code, "Content-Encoding" in page.headers) == (200, False)


def test_nginx_does_not_say_its_version(front: Front, visitor: requests.Session) -> None:
    found = visitor.get(f"http://127.0.0.1:{front.http}/", allow_redirects=False, timeout=30)
    assert found.headers["Server"] == "nginx"


def test_an_address_with_too_many_open_requests_is_refused_and_others_are_not(
    front: Front, root: str, visitor: requests.Session
) -> None:
    context = ssl.create_default_context(cafile=front.folder / "authority.pem")
    with ExitStack() as stack, front.visitor("127.0.0.9") as crowd:
        held = []
        for _ in range(CONNECTIONS):
            plain = socket.create_connection(("127.0.0.1", front.https), 30, source_address=("127.0.0.9", 0))
            held.append(stack.enter_context(context.wrap_socket(plain, server_hostname="127.0.0.1")))
            held[-1].sendall(HALF)
        wait_until("it is refused", lambda: crowd.get(f"{root}/healthz", timeout=30).status_code == 429)
        assert visitor.get(f"{root}/healthz", timeout=30).status_code == 200
        for connection in held:
            connection.settimeout(0)
            with suppress(ssl.SSLWantReadError):
                raise AssertionError(f"one of {CONNECTIONS} got an answer: {connection.recv(100)!r}")


def test_what_people_look_up_is_in_no_log(front: Front) -> None:
    front.ask("/10.5555/secret")
    front.ask("/10.5555/%ZZ")
    logs = ("access.log", "error.log", "doiportal.log")
    assert [(front.folder / log).read_text() for log in logs] == [""] * 3
