"""Names are read from the request as it was sent, and decoded once (E10, N1-N3, R2)."""

import pytest
from django.test import Client, RequestFactory

from resolver.gateway import urls as gateway
from resolver.gateway.raw_request import get_raw_path_after, get_raw_query
from resolver.web import urls as web
from tests.gateway.conftest import ProxyBehind
from tests.gateway.wire import send

REDIRECTED = "https://www.doi.org/hb.html"


@pytest.mark.parametrize(
    ("target", "after"),
    [
        ("/api/handles/10.1/a%2Cb?type=URL", "10.1/a%2Cb"),
        ("/api/handles/10.1/a%252Fb", "10.1/a%252Fb"),
        ("/api/handles/10.1/a#b?c", "10.1/a"),
        ("http://doi.org/api/handles/10.1/a", "10.1/a"),
        ("HTTP://doi.org:80/api/handles/10.1//a", "10.1//a"),
        ("/api/handles/10.1/\u00c3\u00a9", "10.1/%C3%A9"),
        ("/portal/api/handles/10.1/a", "10.1/a"),
    ],
)
def test_the_path_is_taken_as_it_was_sent(target: str, after: str) -> None:
    script = "/portal" if target.startswith("/portal") else ""
    request = RequestFactory().get("/", RAW_URI=target, PATH_INFO="/api/handles/other", SCRIPT_NAME=script)
    assert get_raw_path_after(request, "/api/handles/") == after


@pytest.mark.parametrize(
    ("path", "after"),
    [("10.1/a,b", "10.1/a,b"), ("10.1/a%2Fb#é", "10.1/a%252Fb%23%C3%A9"), ("10.1/ ?", "10.1/%20%3F")],
)
def test_without_it_the_path_is_made_again_from_the_decoded_one(path: str, after: str) -> None:
    decoded = f"/api/handles/{path}".encode().decode("latin-1")  # as WSGI has it
    request = RequestFactory().get("/", PATH_INFO=decoded)
    assert get_raw_path_after(request, "/api/handles/") == after
    encoded_beginning = RequestFactory().get("/", PATH_INFO=decoded, RAW_URI="/%61pi/handles/x")
    assert get_raw_path_after(encoded_beginning, "/api/handles/") == after


def test_the_query_is_ascii_whatever_was_sent() -> None:
    assert get_raw_query(RequestFactory().get("/", QUERY_STRING="a=%C3%A9&b=\u00c3\u00a9")) == "a=%C3%A9&b=%C3%A9"


def test_a_server_may_leave_the_query_out() -> None:
    request = RequestFactory().get("/")
    del request.META["QUERY_STRING"]
    assert get_raw_query(request) == ""


NAMES = {
    "/10.1000/182": "10.1000/182",
    "/10.1000%2F182": "10.1000/182",
    "/%310.1000/182": "10.1000/182",
    "/doi:10.1000/182": "10.1000/182",
    "/DOI:10.1000/182": "10.1000/182",
    "/urn:doi:10.1000:182": "10.1000/182",
    "/urn:doi:10.1000:a%2Fb": "10.1000/a/b",
    "/urn:doi:10.1000/a:b": "10.1000/a:b",
    "/info:doi/10.1000/182": "10.1000/182",
    "/10.1000/a%2523b": "10.1000/a%23b",
    "/10.1000/a%23b": "10.1000/a#b",
    "/10.1000/a#b": "10.1000/a",
    "/10.1000/a%2Cb": "10.1000/a,b",
    "/10.1000/a+b": "10.1000/a+b",
    "/10.1000/a/.%2Fb": "10.1000/a/./b",
    "/10.1000//182": "10.1000//182",
    "/10.1000/%C3%A9": "10.1000/\u00e9",
    "/10.1000/a%0D%0Ab": "10.1000/a\r\nb",
    "http://doi.org/10.1000/182": "10.1000/182",
    "/20.500.12592/x": "20.500.12592/x",
    "/0.NA/10.1000": "0.NA/10.1000",
    "/10.SERV/CROSSREF": "10.SERV/CROSSREF",
}


@pytest.mark.clause("P1", "N1", "N2", "N3", "E7", "E9", "E10", "E13", "P14", "H1")
@pytest.mark.parametrize("target", NAMES)
def test_each_spelling_asks_for_its_name(target: str, behind: ProxyBehind) -> None:
    behind.records[NAMES[target]] = [("URL", REDIRECTED)]
    answer = send(target)
    assert (answer.status_code, answer["Location"]) == (302, REDIRECTED)


@pytest.mark.clause("U5", "E10")
@pytest.mark.parametrize("target", ["10.1000/a%23b", "10.1000%2Fa%23b", "%31%30.1000/a%23b"])
def test_a_record_is_asked_for_by_any_encoding_of_its_name(target: str, behind: ProxyBehind) -> None:
    behind.records["10.1000/a#b"] = [("URL", REDIRECTED)]
    answer = send(f"/api/handles/{target}")
    assert (answer.status_code, answer.json()["handle"]) == (200, "10.1000/a#b")


@pytest.mark.clause("R2", "E6")
@pytest.mark.parametrize("path", ["/doiRA/", "/ra/"])
def test_a_comma_that_is_encoded_is_part_of_a_name(path: str, behind: ProxyBehind) -> None:
    behind.records["10.1000/a,b"] = []
    answer = send(f"{path}10.1000/a%2Cb,10.1000/182,%E9")
    assert [item["DOI"] for item in answer.json()] == ["10.1000/a,b", "10.1000/182", "%E9"]
    assert [item.get("RA") for item in answer.json()] == ["Crossref", "Crossref", None]


@pytest.mark.clause("E15")
@pytest.mark.parametrize("target", ["/10.1000/%E9", "/10.1000/a%80b", "/doi:", "/info:doi/", "/10.1000/%ED%A0%80"])
def test_what_is_no_name_gets_a_page_that_says_so(target: str, behind: ProxyBehind) -> None:
    assert send(target).status_code == 400
    assert behind.asked == []


@pytest.mark.parametrize("route", ["admin/", "api/v1/", *(str(page.pattern) for page in web.urlpatterns)])
def test_no_page_of_the_portal_can_be_taken_for_a_name(route: str) -> None:
    assert not route.startswith("<")
    assert not [one for one in gateway.urlpatterns if one.pattern.match(route)]


@pytest.mark.parametrize("path", ["/", "/history", "/jobs", "/healthz", "/help", "/encode", "/accounts/login/"])
def test_the_portals_own_pages_stay_its_own(path: str, behind: ProxyBehind, program: Client) -> None:
    assert program.get(path).status_code == 200
    assert behind.server.targets == []


@pytest.mark.parametrize(
    "path", ["/foo/bar", "/robots.txt", "/.env", "/api/handles", "/x10.1000/1", "/10,1/a", "/ra", "//a"]
)
def test_what_is_no_name_is_not_found_in_the_portal(path: str, behind: ProxyBehind) -> None:
    answer = send(path)
    assert answer.status_code == 404
    assert b"Page not found" in answer.content
    assert behind.server.targets == []
