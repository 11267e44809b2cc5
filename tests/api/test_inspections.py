"""POST inspections: texts in, readings out, no network."""

from typing import Any

import pytest
from django.test import Client

from resolver.standin.server import SampleProxyServer
from tests.api.conftest import Post

pytestmark = pytest.mark.django_db

FIELDS = {"input", "form", "doi", "valid", "url", "uri", "urn", "problems", "candidates"}


def test_an_inspection_has_the_fields_of_the_contract_and_touches_no_network(
    post: Post, standin: SampleProxyServer
) -> None:
    standin.reset()
    response = post("inspections", {"inputs": ["https://doi.org/10.1000/456#789", "nonsense"]})
    assert response.status_code == 200
    assert list(response.json()) == ["results"]
    cut, nothing = response.json()["results"]
    assert set(cut) == set(nothing) == FIELDS
    assert (cut["doi"], cut["valid"], cut["form"]) == ("10.1000/456", True, "url")
    assert cut["url"] == "https://doi.org/10.1000/456"
    assert cut["uri"] == "doi:10.1000/456"
    assert cut["urn"] == "urn:doi:10.1000:456"
    assert cut["candidates"][0]["doi"] == "10.1000/456#789"
    assert set(cut["candidates"][0]) == {"doi", "reason"}
    [hash_problem] = [problem for problem in cut["problems"] if problem["code"] == "unescaped-hash"]
    assert set(hash_problem) == {"code", "severity", "message", "start", "end"}
    assert cut["input"][hash_problem["start"]] == "#"
    assert (nothing["doi"], nothing["valid"]) == (None, False)
    assert nothing["url"] is nothing["uri"] is nothing["urn"] is None
    assert [problem["code"] for problem in nothing["problems"]] == ["no-doi"]
    assert standin.requests == []


def test_answers_come_in_the_order_of_the_inputs_and_a_thousand_are_taken(post: Post) -> None:
    inputs = [f"10.1000/{number}" for number in range(1000)]
    results = post("inspections", {"inputs": inputs}).json()["results"]
    assert [result["doi"] for result in results] == inputs
    assert post("inspections", {"inputs": []}).json() == {"results": []}


@pytest.mark.parametrize(
    "text",
    ["\x00", "10.1000/a\x00b", "\ud800", "10.1000/\udfff", "", "  10.1000/182 ", "\ufeff", "10.1000/😀", "\x1a0000"],
)
def test_any_text_is_read_and_comes_back_as_it_was_sent(post: Post, text: str) -> None:
    response = post("inspections", {"inputs": [text]})
    assert response.status_code == 200
    assert response.json()["results"][0]["input"] == text
    assert response.content.isascii()


@pytest.mark.clause("S9")
def test_a_name_keeps_the_case_it_came_in(post: Post) -> None:
    [result] = post("inspections", {"inputs": ["10.1000/AbC"]}).json()["results"]
    assert result["doi"] == "10.1000/AbC"


def test_an_inspection_needs_no_database_and_sets_no_cookie(
    post: Post, api: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        post("inspections", {"inputs": ["10.1000/182"]})
    assert not api.cookies


def test_a_body_may_begin_with_a_bom_and_name_its_charset(api: Client) -> None:
    body = b'\xef\xbb\xbf{"inputs": ["10.1000/182"]}'
    response = api.post("/api/v1/inspections", body, content_type="application/json; charset=utf-8")
    assert response.json()["results"][0]["doi"] == "10.1000/182"


@pytest.mark.clause("S7")
def test_more_characters_than_one_request_may_have_are_refused_and_the_bound_is_told(post: Post, settings: Any) -> None:
    settings.MAX_INSPECTED = 30
    assert post("inspections", {"inputs": ["10.1000/182", "10.1000/183"]}).status_code == 200
    response = post("inspections", {"inputs": ["10.1000/182", "10.1000/183", "10.1000/184"]})
    assert (response.status_code, response.json()["type"]) == (413, "/problems/too-large")
    assert response.json()["detail"] == (
        "The inputs have 33 characters together. One request may have at most 30. Send them in several requests."
    )


@pytest.mark.slow
def test_a_thousand_inputs_of_ordinary_length_are_taken_and_nested_brackets_among_them(post: Post) -> None:
    deep = "[" * 2_000 + "10.1000/182" + "]" * 2_000
    inputs = [deep, *["https://doi.org/10.1000/" + "a" * 450] * 999]
    response = post("inspections", {"inputs": inputs})
    assert response.status_code == 200
    assert [one["doi"] for one in response.json()["results"]][:2] == ["10.1000/182", "10.1000/" + "a" * 450]
