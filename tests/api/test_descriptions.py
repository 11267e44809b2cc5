"""A job's name and note: given, changed, searched, bounded."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from resolver.models import Job
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n"


def patch(api: Client, job: str, body: Any) -> Any:
    return api.patch(f"/api/v1/jobs/{job}", body, content_type="application/json")


def created(api: Client, filename: str = "list.csv", **form: str) -> dict[str, Any]:
    response = api.post("/api/v1/jobs", {"file": SimpleUploadedFile(filename, LIST.encode()), **form})
    assert response.status_code == 202, response.content
    return dict(response.json())


def test_both_come_back_and_change_by_patch_at_any_time(api: Client) -> None:
    assert (created(api)["name"], created(api)["note"]) == ("", "")
    job = created(api, name="Spring", note="for Ada\nand Grace")
    assert (job["name"], job["note"]) == ("Spring", "for Ada\nand Grace")
    changed = patch(api, job["id"], {"name": " Summer "}).json()
    assert changed == {**job, "name": "Summer"}
    run(job["id"])
    changed = patch(api, job["id"], {"note": ""}).json()
    assert (changed["name"], changed["note"], changed["state"]) == ("Summer", "", "finished")
    assert patch(api, job["id"], {}).json() == changed
    assert api.get(f"/api/v1/jobs/{job['id']}").json() == changed


@pytest.mark.parametrize(("field", "most"), [("name", 200), ("note", 2000)])
def test_a_longer_text_is_a_400_problem_and_never_cut(api: Client, field: str, most: int) -> None:
    job = created(api, **{field: "x" * most})
    assert job[field] == "x" * most
    problem = assert_problem(patch(api, job["id"], {field: "x" * (most + 1)}), 400)
    assert list(problem["errors"]) == [field]
    assert str(most) in problem["errors"][field][0]
    form = {"file": SimpleUploadedFile("a.csv", LIST.encode()), field: "x" * (most + 1)}
    assert list(assert_problem(api.post("/api/v1/jobs", form), 400)["errors"]) == [field]
    assert Job.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": None}, "name"),
        ({"name": ["x"]}, "name"),
        ({"name": 2026}, "name"),
        ({"name": "a\x00"}, "name"),
        ({"note": "\ud800"}, "note"),
        ({"name": "x", "state": "cancelled"}, "state"),
        ([], "body"),
        ('"name"', "body"),
    ],
)
def test_what_cannot_be_a_name_or_is_not_to_be_changed_names_the_field(api: Client, body: Any, field: str) -> None:
    job = created(api, name="before")
    assert list(assert_problem(patch(api, job["id"], body), 400)["errors"]) == [field]
    assert api.get(f"/api/v1/jobs/{job['id']}").json()["name"] == "before"


def test_jobs_are_found_by_name_and_by_file_name(api: Client) -> None:
    created(api, name="Spring 2026")
    created(api, filename="spring.csv")
    created(api, name="100 % done_")

    def found(q: str) -> list[str]:
        return [job["name"] or job["filename"] for job in api.get("/api/v1/jobs", {"q": q}).json()["results"]]

    assert found("SPRING") == ["spring.csv", "Spring 2026"]
    assert found("0 % d") == ["100 % done_"]
    assert found("done_x") == found("\x00") == found("x" * 20_000) == []
    assert len(found("")) == 3
    page = api.get("/api/v1/jobs", {"q": "spring", "page_size": 1}).json()
    assert [job["name"] for job in api.get(page["next"]).json()["results"]] == ["Spring 2026"]


def test_anothers_job_cannot_be_renamed_or_found(api: Client, other: Client) -> None:
    job = created(api, name="mine")
    created(other)
    assert_problem(patch(other, job["id"], {"name": "yours"}), 404)
    assert other.get("/api/v1/jobs?q=mine").json()["results"] == []
    assert Job.objects.get(pk=job["id"]).name == "mine"


def test_the_same_key_with_another_note_is_another_upload(upload: Post, api: Client) -> None:
    key = {"Idempotency-Key": "k"}
    upload(LIST, headers=key, note="one")
    assert_problem(upload(LIST, headers=key, note="two"), 422)


def test_a_number_is_no_name(upload: Post, api: Client) -> None:
    job = upload("10.1000/182\n").json()["id"]
    for body in ({"name": 7}, {"note": 0}, {"note": 1.5}):
        response = api.patch(f"/api/v1/jobs/{job}", body, content_type="application/json")
        assert list(assert_problem(response, 400)["errors"]) == list(body)
