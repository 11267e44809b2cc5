"""docker/nginx.conf with the rules, in front of a portal. Here every sender by IPv4 is one of a private network, and by
IPv6 none is. `make compose-test` starts it in a container."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portal_processes import ROOT
from tests.setup.nginx.front import Front, adapt, folder_for_nginx, nginx, two_ports
from tests.setup.portal import serving

pytestmark = pytest.mark.slow

HOST = "dois.library.example"
FORWARDED = {"X-Forwarded-For": "192.0.2.66, 198.51.100.7, 10.0.0.5", "X-Forwarded-Proto": "https"}


def write_configuration(folder: Path, http: int, health: int, portal: int) -> str:
    """The file with the folders and ports of the test."""
    text = (ROOT / "docker/nginx.conf").read_text().replace(" /tmp/", f" {folder}/")
    changes = {
        "listen 8080 ": f"listen {http} ",
        "listen [::]:8080 ": f"listen [::]:{http} ",
        "listen 127.0.0.1:8081;": f"listen 127.0.0.1:{health};",
        "server web:8000;": f"server 127.0.0.1:{portal};",
        "/etc/nginx/doiportal-rules.conf": f"{ROOT}/deploy/nginx/rules.conf",
    }
    return adapt(text, changes)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    told = {"TRUSTED_PROXIES": "127.0.0.1", "ALLOWED_HOSTS": HOST}
    http, health = two_ports()
    with (
        serving(tmp_path_factory.mktemp("portal"), **told) as portal,
        folder_for_nginx() as folder,
        nginx(folder, write_configuration(folder, http, health, portal.port), http, health),
    ):
        yield Front(folder, portal, HOST, http)


@pytest.mark.parametrize(("path", "suffix"), [("a%2Fb", "a/b"), ("a//b", "a//b"), ("a%2Cb", "a,b")])
def test_a_name_arrives_as_it_was_sent(front: Front, path: str, suffix: str) -> None:
    assert json.loads(front.ask(f"/api/handles/10.5555/{path}")[2])["handle"] == f"10.5555/{suffix}"


@pytest.mark.parametrize(("sender", "host", "scheme"), [("127.0.0.7", "127.0.0.1", "https"), ("::1", "[::1]", "http")])
def test_a_server_in_a_private_network_says_the_scheme_and_nobody_else_does(
    front: Front, sender: str, host: str, scheme: str
) -> None:
    with front.visitor(sender) as visitor:
        index = visitor.get(f"http://{host}:{front.http}/api/v1/", headers=FORWARDED, timeout=30).json()
    assert index["jobs"].startswith(f"{scheme}://{HOST}/")


def test_a_server_in_a_private_network_says_who_asks_and_private_servers_before_it_do_not_count(front: Front) -> None:
    with front.visitor() as visitor:
        root = f"http://127.0.0.1:{front.http}"
        assert front.who_failed_to_log_in(visitor, root, "forger", **FORWARDED) == "198.51.100.7"


def test_a_sender_in_no_private_network_names_no_requester(front: Front) -> None:
    with front.visitor("::1") as visitor:
        root = f"http://[::1]:{front.http}"
        headers = {**FORWARDED, "Origin": f"http://{HOST}"}
        assert front.who_failed_to_log_in(visitor, root, "stranger", **headers) == "::1"
