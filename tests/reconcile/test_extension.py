"""The columns that clients add from reconciled values."""

from typing import Any

import pytest

from resolver.reconcile.properties import list_properties
from resolver.standin.server import SampleProxyServer

pytestmark = pytest.mark.django_db

ALL = list(list_properties())
OF_WORK = ["work", "title", "author", "year", "container"]


def texts(row: Any) -> dict[str, list[str]]:
    return {name: [next(iter(value.values())) for value in values] for name, values in row.items()}


def test_the_properties_of_a_registered_doi(extend: Any) -> None:
    answer = extend(["10.5555/Two"], ALL)
    assert [one["id"] for one in answer["meta"]] == ALL
    row = texts(answer["rows"]["10.5555/Two"])
    (moment,) = row.pop("checked-at")
    assert moment.endswith("Z")
    (work,), (author,), (year,) = row.pop("work"), row.pop("author"), row.pop("year")
    assert work == f"Sample title of 10.5555/Two — {author} ({year})"
    assert row == {
        "title": ["Sample title of 10.5555/Two"],
        "container": ["Journal of Sample Data"],
        "outcome": ["resolved"],
        "ra": ["Crossref"],
        "url": ["https://example.org/landing/Two", "https://example.org/landing/Two?copy=2"],
        "host": ["example.org"],
        "problems": ["several-homes"],
        "doi-url": ["https://doi.org/10.5555/Two"],
        "alias-of": [],
        "suggestion": [],
        "deleted": ["no"],
        "page": ["http://testserver/records?name=https%3A%2F%2Fdoi.org%2F10.5555%2FTwo"],
    }


def test_an_alias_a_deleted_doi_and_a_missing_one(extend: Any) -> None:
    rows = extend(["10.5555/alias-1", "10.5555/deleted", "10.5555/missing", "no DOI", "10.1000/182]"], ALL)["rows"]
    found = {name: texts(row) for name, row in rows.items()}
    assert found["10.5555/alias-1"]["alias-of"] == ["10.5555/target-1"]
    assert (found["10.5555/deleted"]["deleted"], found["10.5555/deleted"]["problems"]) == (["yes"], ["deleted"])
    assert found["10.5555/missing"]["outcome"] == ["not-found"]
    assert found["10.5555/missing"]["url"] == found["10.5555/missing"]["deleted"] == []
    assert (found["no DOI"]["outcome"], found["no DOI"]["doi-url"]) == (["invalid"], [])
    assert found["10.1000/182]"]["suggestion"] == ["10.1000/182"]


def test_an_id_is_that_very_name_and_no_text(extend: Any, standin: SampleProxyServer) -> None:
    names = ["10.5555/a%20b", "10.5555/a#b", "10.5555/a?b", '10.5555/a"b', "10.5555/é,ü"]
    rows = extend(names, ["outcome", "problems", "page"])["rows"]
    assert list(rows) == names
    assert all(texts(row)["outcome"] == ["resolved"] for row in rows.values())
    assert any("a%2520b" in target for target in standin.requests)


@pytest.mark.parametrize(("word", "outcome"), [("html", "proxy-error"), ("busy", "unreachable")])
def test_an_id_that_could_not_be_checked_says_so_and_the_others_are_answered(
    word: str, outcome: str, extend: Any, settings: Any
) -> None:
    settings.PROXY_LONGEST_PAUSE = 0.01
    rows = extend([f"10.5555/{word}", "10.5555/plain"], ALL)["rows"]
    failed = texts(rows[f"10.5555/{word}"])
    assert failed["outcome"] == [outcome]
    assert {name for name, values in failed.items() if values} == {"outcome", "doi-url", "page"}
    assert texts(rows["10.5555/plain"])["outcome"] == ["resolved"]


def test_the_agency_is_asked_for_only_if_it_is_wanted(extend: Any, standin: SampleProxyServer) -> None:
    names = [f"10.5555/wanted.{number}" for number in range(10)]
    extend(names, ["url", "host"])
    assert not any(target.startswith("/doiRA/") for target in standin.requests)
    extend(names, ["ra"])
    assert len([target for target in standin.requests if target.startswith("/doiRA/")]) == 1
    assert len(standin.requests) == 11


def test_the_quick_service_knows_outcome_and_agency(extend: Any, standin: SampleProxyServer) -> None:
    row = texts(extend(["10.5555/plain"], ALL, address="/reconcile/quick")["rows"]["10.5555/plain"])
    assert (row["outcome"], row["ra"], row["url"], row["deleted"]) == (["registered"], ["Crossref"], [], [])
    assert [target.split("/")[1] for target in standin.requests] == ["doiRA", "works"]


def test_works_are_requested_in_a_list_and_only_if_they_are_wanted(extend: Any, standin: SampleProxyServer) -> None:
    names = [f"10.5555/listed.{number}" for number in range(10)]
    extend([*names, "10.5555/missing"], ["url"])
    assert not any(target.startswith("/works") for target in standin.requests)
    rows = extend([*names, "10.5555/missing"], ["title"])["rows"]
    assert texts(rows[names[3]]) == {"title": [f"Sample title of {names[3]}"]}
    assert texts(rows["10.5555/missing"]) == {"title": []}
    assert len([target for target in standin.requests if target.startswith("/works")]) == 1


def test_a_work_that_could_not_be_asked_for_says_so_and_one_without_metadata_is_empty(
    extend: Any, settings: Any
) -> None:
    row = texts(extend(["10.5555/unknownwork-1"], OF_WORK)["rows"]["10.5555/unknownwork-1"])
    assert row == {name: [] for name in OF_WORK}
    settings.METADATA_SERVICE_URL = "http://127.0.0.1:9"
    row = texts(extend(["10.5555/away"], OF_WORK)["rows"]["10.5555/away"])
    assert row == {name: [] for name in OF_WORK} | {"work": ["could-not-ask"]}


def test_a_portal_that_requests_no_metadata_has_no_such_columns(client: Any, post: Any, settings: Any) -> None:
    settings.METADATA = False
    listed = client.get("/reconcile/proposals?type=doi").json()["properties"]
    assert not {one["id"] for one in listed} & set(OF_WORK)
    assert post("extend", {"ids": ["10.5555/a"], "properties": [{"id": "work"}]}).status_code == 400


def test_hosts_that_no_program_can_read_are_left_out() -> None:
    from resolver.domain.report.outcome import Outcome
    from resolver.domain.report.report import Report
    from resolver.reconcile.properties import list_values
    from resolver.services.lookups.inspection import inspect_input
    from resolver.services.proxy_answers.dated_answer import NO_ANSWER
    from resolver.services.proxy_answers.reading_judge import CheckedText

    report = Report(Outcome.RESOLVED, urls=("http://[", "javascript:x", "https://a.example/", "HTTPS://A.example:1/"))
    checked = CheckedText(inspect_input("10.5555/plain"), report, NO_ANSWER)
    assert list_values("host", checked, "") == [{"str": "a.example"}]
