"""A name that does not exist: a page that says what may be wrong, and names that do exist (P4, P5)."""

import pytest
from django.test import Client

from tests.gateway.conftest import ProxyBehind
from tests.proxy import raw_server as raw


def which_ra(behind: ProxyBehind) -> list[str]:
    return [target for target in behind.asked if target.startswith("/doiRA/")]


@pytest.mark.clause("P4")
def test_a_name_that_does_not_exist_is_404(behind: ProxyBehind, program: Client) -> None:
    answer = program.get("/10.1000/nothing")
    assert (answer.status_code, answer["Vary"]) == (404, "Accept, Accept-Language")
    assert b"10.1000/nothing" in answer.content
    assert which_ra(behind) == []
    assert not answer.cookies


@pytest.mark.clause("P5", "S10")
@pytest.mark.parametrize(("asked", "meant"), [("10.1000/182/", "10.1000/182"), ("10.1000//182", "10.1000/182")])
def test_a_slash_too_many_is_pointed_out_with_a_link(
    asked: str, meant: str, behind: ProxyBehind, program: Client
) -> None:
    answer = program.get(f"/{asked}")
    assert answer.status_code == 404
    assert f'href="/{meant}"'.encode() in answer.content


@pytest.mark.clause("P5")
def test_a_bare_prefix_is_pointed_out(behind: ProxyBehind, program: Client) -> None:
    answer = program.get("/10.1000")
    assert answer.status_code == 404
    assert b"prefix" in answer.content


@pytest.mark.clause("P5")
def test_a_registered_prefix_is_pointed_out_too(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000"] = [("HS_SERV", "10.SERV/CROSSREF")]
    answer = program.get("/10.1000")
    assert answer.status_code == 200
    assert b"This is only a prefix" in answer.content


@pytest.mark.parametrize("asked", ["10.1000/182.", "10.1000/182)", "10.1000/182%22", "10.1000/182,"])
def test_other_readings_that_exist_are_offered_after_one_request(
    asked: str, behind: ProxyBehind, program: Client
) -> None:
    answer = program.get(f"/{asked}")
    assert answer.status_code == 404
    assert b'href="/10.1000/182"' in answer.content
    assert len(which_ra(behind)) == 1
    program.get(f"/{asked}")
    assert len(which_ra(behind)) == 1


def test_a_reading_that_does_not_exist_is_not_offered(behind: ProxyBehind, program: Client) -> None:
    answer = program.get("/10.1000/nothing.")
    assert answer.status_code == 404
    assert b'href="/10.1000/nothing"' not in answer.content


def test_none_is_offered_when_the_proxy_cannot_be_asked(behind: ProxyBehind, program: Client) -> None:
    behind.which_ra = raw.reset
    answer = program.get("/10.1000/182.")
    assert answer.status_code == 404
    assert b'href="/10.1000/182"' not in answer.content
    assert answer["Cache-Control"] == "no-store"
    assert not answer.has_header("Expires")
    behind.which_ra = None
    assert "max-age" in program.get("/10.1000/182.")["Cache-Control"]


@pytest.mark.clause("P7", "P4")
def test_a_name_behind_an_alias_is_told_with_the_alias_that_was_asked_for(behind: ProxyBehind, program: Client) -> None:
    behind.records |= {
        "10.1000/dang": [("HS_ALIAS", "10.1000/gone")],
        "10.1000/shut": [("HS_ALIAS", "10.1000/broken")],
        "10.1000/broken": raw.reset,
        "10.1000/far": [("HS_ALIAS", "10.1000/near")],
        "10.1000/near": [("HS_ALIAS", "10.1000/mail")],
        "10.1000/mail": [("EMAIL", "info@example.org")],
    }
    for asked, status, said in (
        ("dang", 404, "The link is for <code>10.1000/dang</code>, an alias of this name."),
        ("shut", 500, "The link is for <code>10.1000/shut</code>, an alias of this name."),
        (
            "far?noredirect",
            200,
            "<code>10.1000/far</code>, which leads to this name through these aliases: <code>10.1000/near</code>",
        ),
    ):
        answer = program.get(f"/10.1000/{asked}")
        assert answer.status_code == status
        assert said in " ".join(answer.content.decode().split())
    assert b"The link asks for" not in program.get("/10.1000/mail").content


@pytest.mark.parametrize(("asked", "requests"), [(f"10.1000//{'x' * 1900}.)", 1), ("10.1000//1,2.)", 2)])
def test_readings_are_looked_for_by_one_request_and_those_with_a_comma_by_another(
    asked: str, requests: int, behind: ProxyBehind, program: Client
) -> None:
    assert program.get(f"/{asked}").status_code == 404
    assert len(which_ra(behind)) == requests


def test_a_reading_with_a_comma_is_offered(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/a,b"] = [("URL", "https://example.org/")]
    assert b'href="/10.1000/a,b"' in program.get("/10.1000/a,b.").content
