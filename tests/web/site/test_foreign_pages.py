"""What a page of another website may do here: nothing that writes, and nothing that touches a session."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from resolver.models import Draft, Job, Lookup, TokenScope
from resolver.services.logins.api_tokens import create_token
from tests.web.conftest import Look, run, text_of

HOST = "http://testserver"
FORM = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
FOREIGN: dict[str, dict[str, str]] = {
    "cross-site": {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"},
    "same-site": {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver:8080"},
    "without an origin": {"Sec-Fetch-Site": "cross-site", "Origin": "null"},
    "a word of the future": {"Sec-Fetch-Site": "same-party"},
    "origin alone": {"Origin": "https://elsewhere.example"},
    "origin of another port": {"Origin": "http://testserver:8080"},
    "origin of another scheme": {"Origin": "https://testserver"},
    "no origin": {"Origin": "null"},
    "origin that is none": {"Origin": "http://[testserver"},
    "old browser": {"Accept": FORM, "Referer": "https://elsewhere.example/page"},
    "old browser, referer withheld": {"Accept": FORM},
    "old browser, referer that is none": {"Accept": FORM, "Referer": "http://[testserver"},
}
OWN: dict[str, dict[str, str]] = {
    "a page of ours": {"Sec-Fetch-Site": "same-origin", "Origin": HOST},
    "a person": {"Sec-Fetch-Site": "none"},
    "origin alone": {"Origin": HOST},
    "old browser": {"Accept": FORM, "Referer": f"{HOST}/jobs/new"},
    "curl": {"Accept": "*/*", "User-Agent": "curl/8"},
    "R": {"Accept": "application/json, text/xml, application/xml, */*", "User-Agent": "libcurl/8 r-curl/5 httr/1.4"},
    "Java": {"Accept": "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"},
    "nothing at all": {},
}
WAYS = {
    "lookup by REST": ("/api/v1/lookups", {"input": "10.1000/182"}, "application/json"),
    "lookup as plain text": ("/api/v1/lookups", '{"input": "10.1000/182"}', "text/plain"),
    "inspection": ("/api/v1/inspections", {"inputs": ["x"]}, "application/json"),
    "list by REST": ("/api/v1/jobs", None, None),
    "lookup by page": ("/lookups", "text=10.1000/182", "application/x-www-form-urlencoded"),
    "login": ("/accounts/login/", "username=ada&password=x", "application/x-www-form-urlencoded"),
    "language": ("/language", "language=de", "application/x-www-form-urlencoded"),
    "no address": ("/nothing", "x=y", "application/x-www-form-urlencoded"),
    "no address of the API": ("/api/v1/nothing", {}, "application/json"),
}


def sent(client: Client, way: str, headers: dict[str, str]) -> Any:
    address, body, kind = WAYS[way]
    if kind is None:
        return client.post(address, {"file": SimpleUploadedFile("a.csv", b"doi\n10.1000/182\n")}, headers=headers)
    return client.post(address, body, content_type=kind, headers=headers)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sender", FOREIGN)
def test_what_another_page_sends_is_refused_and_touches_no_session(way: str, sender: str) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = sent(client, way, FOREIGN[sender])
    assert answer.status_code == 403
    assert not answer.cookies
    if way in ("lookup by page", "login", "language", "no address"):
        assert "This request came from another website" in text_of(answer)
    else:
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["type"] == "/problems/foreign-page"
    assert not Lookup.objects.exists()
    assert not Job.objects.exists()
    assert not Draft.objects.exists()


@pytest.mark.parametrize("sender", FOREIGN)
def test_a_session_that_comes_along_does_not_help_it(sender: str) -> None:
    client = Client(enforce_csrf_checks=True)
    sent(client, "lookup by REST", {})
    before = client.cookies["sessionid"].value
    for way in ("lookup by REST", "list by REST", "lookup by page"):
        assert sent(client, way, FOREIGN[sender]).status_code == 403
    assert client.delete(f"/api/v1/lookups/{Lookup.objects.get().pk}", headers=FOREIGN[sender]).status_code == 403
    assert client.cookies["sessionid"].value == before
    assert Lookup.objects.count() == 1


@pytest.mark.parametrize("sender", OWN)
def test_our_own_pages_and_programs_go_on_with_a_cookie_and_without(sender: str) -> None:
    client = Client(enforce_csrf_checks=True)
    assert sent(client, "lookup by REST", OWN[sender]).status_code == 201
    first = client.cookies["sessionid"].value
    assert sent(client, "lookup by REST", OWN[sender]).status_code == 201
    assert sent(client, "list by REST", OWN[sender]).status_code == 202
    assert client.cookies["sessionid"].value == first
    assert len(client.get("/api/v1/lookups").json()["results"]) == 2


@pytest.mark.parametrize(
    ("trusted", "origin"),
    [("https://doi.example.org", "https://doi.example.org"), ("https://*.example.org", "https://a.example.org")],
)
def test_an_origin_that_the_operator_trusts_is_our_own(settings: Any, trusted: str, origin: str) -> None:
    settings.CSRF_TRUSTED_ORIGINS = [trusted]
    for headers in ({"Origin": origin}, {"Origin": origin, "Sec-Fetch-Site": "same-site"}):
        assert sent(Client(), "lookup by REST", headers).status_code == 201
    assert sent(Client(), "lookup by REST", {"Origin": "https://example.com"}).status_code == 403
    assert sent(Client(), "lookup by REST", {"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_a_login_is_kept_from_it_too() -> None:
    client = Client()
    client.force_login(User.objects.create_user("ada"))
    assert sent(client, "lookup by REST", FOREIGN["cross-site"]).status_code == 403
    assert not Lookup.objects.exists()


def addresses(patterns: Any, before: str = "/") -> list[str]:
    found = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found += addresses(pattern.url_patterns, before + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and "(" not in str(pattern.pattern):
            found.append(before + str(pattern.pattern))
    return found


def test_no_address_begins_a_session_for_who_follows_a_link_of_another_site(look: Look, upload: Look) -> None:
    upload("doi\n10.1000/182\n")
    job = run(Job.objects.get())
    job.share_token = "a" * 32
    job.save()
    places = {"<uuid:pk>": str(job.pk), "<uuid:other>": str(job.pk), "<str:token>": job.share_token, "<int:line>": "1"}
    asked = 0
    for address in addresses(get_resolver().url_patterns):
        for place, value in places.items():
            address = address.replace(place, value)
        if "<" in address:
            continue
        asked += 1
        for method in ("get", "head"):
            answer = getattr(Client(), method)(address, headers={"Sec-Fetch-Site": "cross-site"})
            assert "sessionid" not in answer.cookies, address
    assert asked > 40


def test_a_shared_list_asks_before_it_begins_a_session_for_another_sites_link(upload: Look, stranger: Client) -> None:
    upload("doi\n10.1000/182\n")
    job = run(Job.objects.get())
    job.share_token = "a" * 32
    job.save()
    address = f"/shared/{job.share_token}"
    asked = stranger.get(address, headers={"Sec-Fetch-Site": "cross-site"})
    assert (asked.status_code, asked["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert "Someone shared a list with you" in text_of(asked)
    opened = stranger.post(address, headers={"Sec-Fetch-Site": "same-origin"})
    assert opened["Location"] == f"/jobs/{job.pk}"
    assert stranger.get(f"/jobs/{job.pk}").status_code == 200
    again = stranger.get(address, headers={"Sec-Fetch-Site": "cross-site"})  # the session is there, and goes on
    assert again["Location"] == f"/jobs/{job.pk}"


# With each, GET may store what everybody may have: the answer of an agency, and which models there are.
NOT_OF_USERS = ("sessions.Session", "resolver.StoredAnswer", "contenttypes.ContentType")
LOOK_AFTER = 20  # addresses
FOR_ANY_SITE = ("/api/handles", "/doiRA", "/reconcile")


def stored() -> dict[str, list[Any]]:
    kinds = [kind for kind in apps.get_models() if kind._meta.label not in NOT_OF_USERS]
    return {kind._meta.label: list(kind._default_manager.order_by("pk").values()) for kind in kinds}


def test_get_changes_nothing_even_for_an_administrator_and_other_sites_read_no_page(look: Look, upload: Look) -> None:
    root = Client(raise_request_exception=False)
    user = User.objects.create_superuser("root", password="of the portal itself")
    root.force_login(user)
    token, _ = create_token(user, "nightly", TokenScope.WRITE, now=timezone.now())
    upload("doi\n10.1000/182\n", client=root)
    look("10.1000/182", client=root)
    job, lookup = run(Job.objects.get()), Lookup.objects.get()
    Job.objects.update(share_token="a" * 32)
    places = {"<uuid:other>": str(job.pk), "<str:token>": "a" * 32, "<int:line>": "1", "<int:pk>": str(token.pk)}
    before, asked = stored(), []
    for address in addresses(get_resolver().url_patterns):
        for place, value in {**places, "<path:object_id>": str(job.pk)}.items():
            address = address.replace(place, value)
        for pk in {str(job.pk), str(lookup.pk)} if "<uuid:pk>" in address else {""}:
            place = address.replace("<uuid:pk>", pk)
            if "<" in place or "logout" in place:
                continue
            answer = root.get(place, headers={"Origin": "https://elsewhere.example"})
            answer.getvalue()  # files are read from the database while they are sent
            assert place.startswith(FOR_ANY_SITE) or "Access-Control-Allow-Origin" not in answer, place
            asked.append(place)
            if len(asked) % LOOK_AFTER == 0:
                assert stored() == before, asked[-LOOK_AFTER:]
    assert stored() == before, asked[-LOOK_AFTER:]
    assert len(asked) > 100
