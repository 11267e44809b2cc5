"""Waiting for the end of a job."""

import threading
import time

import pytest
from django.db import connection
from django.test import Client

from resolver.models import Job
from resolver.services.http.request_run import ATTEMPT, RequestRun
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db
LIST = "doi\n10.1000/182\n"


def test_a_job_that_has_ended_is_returned_at_once(api: Client, upload: Post) -> None:
    job = upload(LIST).json()["id"]
    run(job)
    began = time.monotonic()
    answer = api.get(f"/api/v1/jobs/{job}/wait?seconds=60")
    assert answer.json() == api.get(f"/api/v1/jobs/{job}").json()
    assert answer.json()["state"] == "finished"
    assert time.monotonic() - began < 30


def test_a_job_that_runs_on_is_returned_as_it_is_when_the_time_is_over(api: Client, upload: Post) -> None:
    job = upload(LIST).json()["id"]
    began = time.monotonic()
    answer = api.get(f"/api/v1/jobs/{job}/wait?seconds=1")
    assert (answer.status_code, answer.json()["state"]) == (200, "queued")
    assert time.monotonic() - began >= 1


@pytest.mark.django_db(transaction=True)
def test_a_job_is_returned_as_soon_as_it_ends(api: Client, upload: Post) -> None:
    job = upload(LIST).json()["id"]

    def end() -> None:
        Job.objects.filter(pk=job).update(state="cancelled")
        connection.close()

    ending = threading.Timer(0.5, end)
    ending.start()
    began = time.monotonic()
    assert api.get(f"/api/v1/jobs/{job}/wait?seconds=60").json()["state"] == "cancelled"
    assert time.monotonic() - began < 30
    ending.join()


def test_where_the_server_can_wait_no_thread_does(api: Client, upload: Post) -> None:
    job = upload(LIST).json()["id"]
    attempt = RequestRun()
    token = ATTEMPT.set(attempt)
    try:
        began = time.monotonic()
        api.get(f"/api/v1/jobs/{job}/wait?seconds=60")
        assert (attempt.turned_back, attempt.again_in) == (True, 0.25)
        attempt.turned_back, attempt.came_at = False, time.monotonic() - 61
        assert api.get(f"/api/v1/jobs/{job}/wait?seconds=60").json()["state"] == "queued"
        assert not attempt.turned_back
        assert time.monotonic() - began < 30
    finally:
        ATTEMPT.reset(token)


@pytest.mark.parametrize("seconds", ["61", "-1", "1.5", "", "many", "9" * 10, "²"])
def test_other_times_are_refused(api: Client, upload: Post, seconds: str) -> None:
    job = upload(LIST).json()["id"]
    problem = assert_problem(api.get(f"/api/v1/jobs/{job}/wait", {"seconds": seconds}), 400)
    assert problem["errors"] == {"seconds": ["Use a whole number of seconds from 0 to 60."]}


def test_nobody_waits_for_the_job_of_another(api: Client, other: Client, upload: Post) -> None:
    job = upload(LIST).json()["id"]
    assert_problem(other.get(f"/api/v1/jobs/{job}/wait?seconds=60"), 404)
