"""The web server behind one that ends HTTPS: what it says of itself is https, to that server alone."""

from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
import requests

from tests.setup.portal import RunningPortal, serving
from tests.setup.visitors import hidden_token, visitor_from

PUBLIC = "https://dois.example.org"
HOST = {"Host": "dois.example.org"}
BY_HTTPS = HOST | {"X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}
LIES = {"X-Forwarded-Host": "evil.example", "Forwarded": "for=6.6.6.6;host=evil.example;proto=https"}
FRONT, STRANGER = "127.0.0.1", "127.0.0.2"
NAME = "10.1000/182"


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPortal]:
    """With the address of the front as the only trusted one; it has another one of this machine to strangers."""
    told = {"CSRF_TRUSTED_ORIGINS": PUBLIC, "ALLOWED_HOSTS": "dois.example.org", "TRUSTED_PROXIES": FRONT}
    with serving(tmp_path_factory.mktemp("portal"), HOST="0.0.0.0", **told) as running:
        yield running


@pytest.fixture
def root(portal: RunningPortal) -> str:
    return f"http://127.0.0.1:{portal.port}"


@pytest.fixture
def front() -> Iterator[requests.Session]:
    with visitor_from(FRONT) as session:
        yield session


@pytest.fixture
def stranger() -> Iterator[requests.Session]:
    with visitor_from(STRANGER) as session:
        yield session


def cookies_of(answer: requests.Response) -> dict[str, bool]:
    """Each cookie that the answer sets, and whether it is for https alone."""
    found: SimpleCookie = SimpleCookie()
    for line in answer.raw.headers.getlist("Set-Cookie"):
        found.load(line)
    return {name: bool(morsel["secure"]) for name, morsel in found.items()}


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_this_machine_may_look_after_the_portal_whatever_its_public_name_is(root: str, path: str) -> None:
    answer = requests.get(f"{root}{path}", timeout=30)
    assert answer.status_code in (200, 503), answer.text
    assert "<html" not in answer.text
    other = requests.get(f"{root}{path}", headers={"Host": "other.example.org"}, timeout=30)
    assert other.status_code == 400


def test_every_cookie_travels_by_https_alone_and_forms_work(
    portal: RunningPortal, root: str, front: requests.Session
) -> None:
    portal.make_token("ada")
    page = front.get(f"{root}/", headers=BY_HTTPS, timeout=30)
    assert page.headers["Strict-Transport-Security"]
    cookies = cookies_of(page)
    kept = {"Cookie": f"csrftoken={front.cookies['csrftoken']}", "Origin": PUBLIC, "Referer": f"{PUBLIC}/"}
    fields = {"csrfmiddlewaretoken": hidden_token(page.text)}
    front.cookies.clear()
    looked_up = front.post(
        f"{root}/lookups", data=fields | {"text": NAME}, headers=BY_HTTPS | kept, allow_redirects=False, timeout=30
    )
    assert (looked_up.status_code, looked_up.headers["Location"][:9]) == (302, "/lookups/")
    spoken = front.post(
        f"{root}/language", data=fields | {"language": "de"}, headers=BY_HTTPS | kept, allow_redirects=False, timeout=30
    )
    cookies |= cookies_of(looked_up) | cookies_of(spoken)
    assert set(cookies) >= {"sessionid", "csrftoken", "language"}
    assert all(cookies.values()), cookies


def test_links_to_the_portal_are_https(portal: RunningPortal, root: str, front: requests.Session) -> None:
    made = front.post(f"{root}/api/v1/lookups", json={"input": NAME}, headers=BY_HTTPS, timeout=60)
    told = [
        made.headers["Location"],
        made.json()["page"],
        *front.get(f"{root}/api/v1/", headers=BY_HTTPS).json().values(),
    ]
    text = BY_HTTPS | {"Content-Type": "text/plain"}
    listed = front.post(f"{root}/api/v1/jobs", data=f"{NAME}\n10.1000/1\n", headers=text, timeout=60)
    told += [listed.headers["Location"], listed.json()["page"]]
    login = BY_HTTPS | {"Authorization": f"Bearer {portal.take_token()}"}
    for _ in range(2):
        looked_up = front.post(f"{root}/api/v1/lookups", json={"input": NAME}, headers=login, timeout=60)
        assert looked_up.status_code == 201
    told.append(front.get(f"{root}/api/v1/lookups?page_size=1", headers=login, timeout=30).json()["next"])
    service = front.get(f"{root}/reconcile", headers=BY_HTTPS, timeout=30).json()
    told += [service["preview"]["url"], service["view"]["url"]]
    assert [address for address in told if not str(address).startswith(f"{PUBLIC}/")] == []
    for path in ("/", "/help/openrefine", f"/records?name={NAME}", f"/{NAME}?noredirect"):
        page = front.get(f"{root}{path}", headers=BY_HTTPS, allow_redirects=False, timeout=30)
        assert f"http://{HOST['Host']}" not in page.text, path


def test_a_login_is_redirected_within_https(root: str, front: requests.Session) -> None:
    answer = front.get(f"{root}/account", headers=BY_HTTPS, allow_redirects=False, timeout=30)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/login/?next=/account")


@pytest.mark.parametrize("sender", ["front", "stranger"])
def test_no_header_names_another_host(root: str, sender: str, request: pytest.FixtureRequest) -> None:
    session: requests.Session = request.getfixturevalue(sender)
    made = session.post(f"{root}/api/v1/lookups", json={"input": NAME}, headers=BY_HTTPS | LIES, timeout=60)
    assert made.headers["Location"].startswith(f"{PUBLIC}/api/v1/lookups/")
    assert "evil.example" not in made.text + str(made.headers)


def test_a_stranger_names_no_requester(portal: RunningPortal, root: str) -> None:
    for address, named in ((FRONT, "198.51.100.7"), (STRANGER, STRANGER)):
        with visitor_from(address) as session:
            page = session.get(f"{root}/accounts/login/", headers=BY_HTTPS, timeout=30)
            kept = {"Cookie": f"csrftoken={session.cookies['csrftoken']}", "Referer": f"{PUBLIC}/accounts/login/"}
            session.cookies.clear()
            fields = {"csrfmiddlewaretoken": hidden_token(page.text), "username": f"by {address}", "password": "x"}
            tried = session.post(
                f"{root}/accounts/login/", data=fields, headers=BY_HTTPS | kept, allow_redirects=False, timeout=30
            )
            assert tried.status_code == 200
        portal.wait_until_it_says(f'Failed login from {named} for account "by {address}"', 10)
