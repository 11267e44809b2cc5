"""ETags: an answer that a program has already is not sent again."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.models import DecisionAction, Job
from resolver.services.reviews.action_log import undo_action
from tests.api.conftest import Post, assert_problem, run
from tests.api.schema_client import SchemaClient
from tests.api.test_tokens import make_key

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/a\n10.1000/182.\n10.5555/missing\n"
FILES = ["results.csv", "results.xlsx", "results.jsonl"]


@pytest.fixture
def job(upload: Post) -> str:
    made: str = upload(LIST).json()["id"]
    run(made)
    return f"/api/v1/jobs/{made}"


def get(api: Client, address: str, etag: str = "") -> Any:
    return api.get(address, headers={"If-None-Match": etag} if etag else {})


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.parametrize("path", ["", "/rows", "/rows/2", "/rows?outcome=resolved", *(f"/{file}" for file in FILES)])
def test_what_has_not_changed_is_304_without_a_body(api: Client, job: str, path: str) -> None:
    first = get(api, job + path)
    assert (first.status_code, bool(body_of(first))) == (200, True)
    again = get(api, job + path, first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert get(api, job + path, f'"other", {first["ETag"]}').status_code == 304
    assert get(api, job + path, "*").status_code == 304
    assert get(api, job + path, '"other"').status_code == 200


@pytest.mark.parametrize("path", ["", "/rows/2", "/results.csv"])
def test_conditions_about_times_are_ignored_where_no_time_is_told(api: Client, job: str, path: str) -> None:
    answer = api.get(job + path, headers={"If-Unmodified-Since": "Sat, 01 Jan 2022 00:00:00 GMT"})
    assert (answer.status_code, bool(body_of(answer))) == (200, True)


@pytest.mark.parametrize("address", ["/api/v1/agencies", "/api/v1/schema"])
def test_what_is_the_same_for_all_has_an_etag(api: Client, address: str) -> None:
    first = get(api, address)
    assert get(api, address, first["ETag"]).status_code == 304


def test_a_lookup_has_an_etag(api: Client, post: Post) -> None:
    address = post("lookups", {"input": "10.5555/one"}).headers["Location"]
    assert get(api, address, get(api, address)["ETag"]).status_code == 304


@pytest.mark.parametrize("path", ["/rows", *(f"/{file}" for file in FILES)])
def test_a_decision_and_its_undoing_change_the_etag(api: Client, job: str, path: str) -> None:
    def decide(decision: str | None) -> None:
        sent = api.patch(f"{job}/rows/2", json.dumps({"decision": decision}), content_type="application/json")
        assert sent.status_code == 200, sent.content

    before = get(api, job + path)["ETag"]
    decide("accepted")
    accepted = get(api, job + path, before)
    assert accepted.status_code == 200
    decide("rejected")
    assert get(api, job + path, accepted["ETag"]).status_code == 200


def test_an_undo_changes_the_etag_also_when_no_action_is_left(api: Client, job: str) -> None:
    """Old actions are removed: then an undo leaves none, and other rows may still be decided."""
    before = get(api, f"{job}/results.csv")["ETag"]
    for line in (1, 2):
        sent = api.patch(f"{job}/rows/{line}", '{"decision": "rejected"}', content_type="application/json")
        assert sent.status_code == 200, sent.content
    first, last = DecisionAction.objects.order_by("pk")
    first.delete()
    undo_action(Job.objects.get(), last.pk)
    assert get(api, f"{job}/results.csv", before).status_code == 200


def test_if_match_does_not_change_what_is_read(api: Client, job: str) -> None:
    assert api.get(job, headers={"If-Match": '"other"'}).status_code == 200
    assert api.get(f"{job}/results.csv", headers={"If-Match": '"other"'}).status_code == 200


CHANGES = [
    pytest.param("patch", "", {"name": "Spring"}, id="job"),
    pytest.param("patch", "/rows/2", {"decision": "rejected"}, id="row"),
    pytest.param("delete", "", None, id="removal"),
]


def change(api: Client, method: str, address: str, body: Any, etag: str) -> Any:
    sent = "" if body is None else json.dumps(body)
    return api.generic(method.upper(), address, sent, "application/json", headers={"If-Match": etag})


@pytest.mark.parametrize("told", ['"other"', "W/{}", "{}x", "nonsense", "", '"a", "b"'])
@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_change_of_what_is_not_as_it_was_seen_is_a_412_and_changes_nothing(
    api: Client, job: str, method: str, path: str, body: Any, told: str
) -> None:
    before = get(api, job + path)
    assert_problem(change(api, method, job + path, body, told.format(before["ETag"])), 412)
    assert get(api, job + path).content == before.content


@pytest.mark.parametrize("told", ["{}", "*", '"other", {}'])
@pytest.mark.parametrize(("method", "path", "body"), CHANGES)
def test_a_change_of_what_is_as_it_was_seen_is_made(
    api: Client, job: str, method: str, path: str, body: Any, told: str
) -> None:
    etag = get(api, job + path)["ETag"]
    assert change(api, method, job + path, body, told.format(etag)).status_code in (200, 204)
    if method == "patch":
        assert get(api, job + path)["ETag"] != etag
        assert_problem(change(api, method, job + path, body, etag), 412)


def test_each_object_that_can_be_changed_obeys_if_match(api: Client, user: User, upload: Post, post: Post) -> None:
    lookup = post("lookups", {"input": "10.5555/one"}).headers["Location"]
    made = upload(LIST).json()["id"]
    run(made)
    watch = post("watches", {"job": made}).headers["Location"]
    for method, address in (("delete", lookup), ("patch", watch), ("delete", watch)):
        assert_problem(change(api, method, address, {} if method == "patch" else None, '"other"'), 412)
        assert get(api, address).status_code == 200
        etag = get(api, address)["ETag"]
        assert change(api, method, address, {} if method == "patch" else None, etag).status_code in (200, 204)
    program = SchemaClient(headers={"Authorization": f"Bearer {make_key(user)}"})
    sent = {"url": "https://192.0.3.1/events"}
    webhook = program.post("/api/v1/webhooks", sent, "application/json").headers["Location"]
    assert_problem(change(program, "delete", webhook, None, '"other"'), 412)
    assert change(program, "delete", webhook, None, get(program, webhook)["ETag"]).status_code == 204


def test_an_object_of_another_or_none_is_a_404_whatever_if_match_says(api: Client, other: Client, job: str) -> None:
    assert_problem(change(other, "delete", job, None, '"other"'), 404)
    assert_problem(change(other, "put", job, None, '"other"'), 405)


def test_each_format_query_and_run_has_another_etag(api: Client, job: str) -> None:
    addresses = [*(f"{job}/{file}" for file in FILES), f"{job}/results.csv?corrected=1", f"{job}/results.csv?q=182"]
    tags = {get(api, address)["ETag"] for address in addresses}
    assert len(tags) == len(addresses)
    taken_up = Job.objects.get()
    taken_up.finished_at += taken_up.finished_at - taken_up.created_at
    taken_up.save()
    assert get(api, f"{job}/results.csv")["ETag"] not in tags


def test_a_job_that_goes_on_has_another_etag(api: Client, upload: Post) -> None:
    made = upload(LIST).json()["id"]
    waiting = get(api, f"/api/v1/jobs/{made}")["ETag"]
    run(made)
    assert get(api, f"/api/v1/jobs/{made}", waiting).status_code == 200


def test_a_workbook_has_a_weak_etag_as_it_holds_the_time_of_its_making(api: Client, job: str) -> None:
    assert get(api, f"{job}/results.xlsx")["ETag"].startswith('W/"')
    assert get(api, f"{job}/results.csv")["ETag"].startswith('"')
