"""`/doiRA/<names>` and `/ra/<names>`: who answers for each, item by item in the order asked (R1-R4)."""

import pytest
from django.test import Client

from resolver.gateway.views import MAX_NAMES
from resolver.models import StoredAnswer
from tests.gateway.conftest import ProxyBehind
from tests.gateway.wire import send
from tests.proxy import raw_server as raw


@pytest.mark.clause("R1", "R2", "R3")
@pytest.mark.parametrize("path", ["doiRA", "ra"])
def test_items_are_answered_one_by_one_in_order_also_repeated_and_empty_ones(
    path: str, behind: ProxyBehind, program: Client
) -> None:
    answer = program.get(f"/{path}/10.1000/X,,10.1000/182,10.1000/x,10.1000/182,")
    assert answer.json() == [
        {"DOI": "10.1000/X", "status": "DOI does not exist"},
        {"DOI": "", "status": "Invalid DOI"},
        {"DOI": "10.1000/182", "RA": "Crossref"},
        {"DOI": "10.1000/x", "status": "DOI does not exist"},
        {"DOI": "10.1000/182", "RA": "Crossref"},
        {"DOI": "", "status": "Invalid DOI"},
    ]
    assert answer["Content-Type"] == "application/json;charset=UTF-8"
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert behind.asked == ["/doiRA/10.1000/X,10.1000/182"]


@pytest.mark.clause("R1", "R5")
def test_it_is_written_as_the_service_writes_it(behind: ProxyBehind, program: Client) -> None:
    text = '[\n  {\n    "DOI": "10.1000/182",\n    "RA": "Crossref"\n  }\n]'
    assert program.get("/doiRA/10.1000/182").content.decode() == text


@pytest.mark.clause("P13")
def test_what_is_stored_is_not_asked_for_again(behind: ProxyBehind, program: Client) -> None:
    for _ in range(2):
        answer = program.get("/doiRA/10.1000/182")
        assert (answer["Age"], "Expires" in answer) == ("0", True)
    program.get("/doiRA/10.1000/182,10.1000/other")
    assert behind.asked == ["/doiRA/10.1000/182", "/doiRA/10.1000/other"]


@pytest.mark.clause("R4")
def test_a_prefix_and_a_short_doi_are_passed_on_as_they_are(behind: ProxyBehind, program: Client) -> None:
    program.get("/doiRA/10.1000,10/abcde,notADoi")
    assert behind.asked == ["/doiRA/10.1000,10/abcde,notADoi"]


def test_as_many_as_are_taken_and_no_more(behind: ProxyBehind, program: Client) -> None:
    names = [f"10.1000/{number}" for number in range(MAX_NAMES)]
    answer = program.get(f"/doiRA/{','.join(names)}")
    assert [item["DOI"] for item in answer.json()] == names
    assert len(behind.asked) == 4
    refused = program.get(f"/doiRA/{','.join([*names, '10.1000/1'])}")
    assert (refused.status_code, refused.json()["responseCode"]) == (414, 2)
    assert "200" in refused.json()["message"]
    assert len(behind.asked) == 4


@pytest.mark.clause("A2")
@pytest.mark.parametrize("answered", [raw.reset, raw.PAGE])
def test_when_one_cannot_be_asked_there_is_no_list_that_says_something_else_of_it(
    answered: raw.Answer, behind: ProxyBehind, program: Client
) -> None:
    program.get("/doiRA/10.1000/182")
    behind.which_ra = answered
    answer = program.get("/doiRA/10.1000/182,10.1000/a")
    assert (answer.status_code, answer.json()["responseCode"], answer["Cache-Control"]) == (500, 2, "no-store")
    assert [stored.name for stored in StoredAnswer.objects.all()] == ["10.1000/182"]


@pytest.mark.clause("E15", "R3")
def test_what_is_no_utf8_is_an_invalid_doi_and_nobody_is_asked_for_its_letters(behind: ProxyBehind) -> None:
    answer = send("/doiRA/10.1000/%E9,10.1000/182")
    assert answer.json() == [
        {"DOI": "10.1000/%E9", "status": "Invalid DOI"},
        {"DOI": "10.1000/182", "RA": "Crossref"},
    ]
    assert behind.asked == ["/doiRA/10.1000/182"]
