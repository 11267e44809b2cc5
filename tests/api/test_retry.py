"""Asking again by REST for what could not be asked."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from resolver.api.errors import answer_with_problem
from resolver.models import Job
from resolver.services.jobs import retry
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.turns import scheduler
from resolver.services.turns.turn_order import get_turn_owner
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n10.5555/error-a\n"


@pytest.fixture
def job(upload: Post) -> str:
    job_id = str(upload(LIST).json()["id"])
    run(job_id)
    return job_id


def test_a_retry_is_the_same_job_going_on(job: str, api: Client, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks() as told:
        response = api.post(f"/api/v1/jobs/{job}/retry")
    assert response.status_code == 202
    assert response.headers["Location"] == f"http://testserver/api/v1/jobs/{job}"
    body = response.json()
    assert (body["id"], body["state"], body["done"], body["total"]) == (job, "checking", 1, 2)
    assert body["counts"]["outcome"] == {"resolved": 1}
    assert body["finished_at"] is None
    assert len(told) == 1
    assert assert_problem(api.post(f"/api/v1/jobs/{job}/retry"), 409)["type"] == "/problems/job-not-finished"


def test_a_job_with_all_its_answers_is_a_409_problem(upload: Post, api: Client) -> None:
    job = str(upload("doi\n10.5555/one\n").json()["id"])
    run(job)
    problem = assert_problem(api.post(f"/api/v1/jobs/{job}/retry"), 409)
    assert problem["type"] == "/problems/nothing-to-ask-again"


def test_anothers_job_is_not_there_to_be_asked_again(job: str, other: Client) -> None:
    assert_problem(other.post(f"/api/v1/jobs/{job}/retry"), 404)
    assert Job.objects.get(pk=job).state == "finished"


def test_the_worker_finishes_what_a_retry_began(job: str, api: Client) -> None:
    assert api.post(f"/api/v1/jobs/{job}/retry").status_code == 202
    scheduler.run_turn(get_turn_owner(Job.objects.get(pk=job)), proxy_from_settings(), send=lambda turn: None)
    body = api.get(f"/api/v1/jobs/{job}").json()
    assert (body["state"], body["done"]) == ("finished", 2)
    assert body["counts"]["outcome"] == {"resolved": 1, "proxy-error": 1}


def test_a_job_deleted_meanwhile_is_a_404_problem(job: str) -> None:
    found = Job.objects.get(pk=job)
    Job.objects.all().delete()
    with pytest.raises(Job.DoesNotExist) as told:
        retry.retry_job(found, proxy=proxy_from_settings(), now=timezone.now())
    answer = answer_with_problem(told.value, {})
    assert (answer.status_code, answer.data["status"]) == (404, 404)
