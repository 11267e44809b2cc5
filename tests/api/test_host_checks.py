"""The hosts of a job by REST: their check is started once, and read page by page."""

from typing import Any

import pytest
from django.test import Client

from resolver.models import CheckedHost, HostCheck, Row
from resolver.services.hosts.check import continue_host_check
from tests.api.conftest import Post, assert_problem, run

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(upload: Post) -> str:
    """A job whose rows lead to two servers inside the network, which are never contacted, and one that refuses."""
    job = upload("doi\n" + "".join(f"10.5555/n{number}\n" for number in range(4))).json()["id"]
    run(job)
    for line, url in enumerate(("http://127.0.0.1:1/", "http://127.0.0.1:1/b", "https://10.0.0.1/"), start=1):
        Row.objects.filter(job=job, line=line).update(urls=[url])
    Row.objects.filter(job=job, line=4).update(urls=["https://10.0.0.2/"])
    return f"/api/v1/jobs/{job}/host-checks"


def work_off() -> None:
    check = HostCheck.objects.get()
    continue_host_check(check.pk, until=0)
    check.found.exclude(name="127.0.0.1").update(verdict="not-contacted", checked_at=check.started_at)
    continue_host_check(check.pk, allow_private=True)


def test_a_check_is_started_once_and_ends_with_a_verdict_for_each_host(
    address: str, api: Client, django_capture_on_commit_callbacks: Any
) -> None:
    assert api.get(address).json() == {"next": None, "previous": None, "check": None, "results": []}
    with django_capture_on_commit_callbacks() as told:
        response = api.post(address)
    assert response.status_code == 202
    assert response.headers["Location"] == f"http://testserver{address}"
    assert (response.json()["state"], len(told)) == ("collecting", 1)
    assert api.post(address).json()["started_at"] == response.json()["started_at"]
    work_off()
    body = api.get(address).json()
    check = body["check"]
    assert (check["state"], check["hosts"], check["checked"], check["rows"]) == ("finished", 3, 3, 4)
    assert [(host["host"], host["rows"], host["verdict"]) for host in body["results"]] == [
        ("127.0.0.1", 2, "no-answer"),
        ("10.0.0.1", 1, "not-contacted"),
        ("10.0.0.2", 1, "not-contacted"),
    ]
    assert body["results"][0]["detail"] == "The server refused the connection."


def test_hosts_come_in_pages_and_those_with_a_fault_alone(address: str, api: Client) -> None:
    api.post(address)
    work_off()
    first = api.get(address, {"page_size": "2"}).json()
    assert [host["host"] for host in first["results"]] == ["127.0.0.1", "10.0.0.1"]
    assert [host["host"] for host in api.get(first["next"]).json()["results"]] == ["10.0.0.2"]
    assert [host["host"] for host in api.get(address, {"faults": "1"}).json()["results"]] == ["127.0.0.1"]


def test_hosts_are_listed_before_they_have_a_verdict(address: str, api: Client) -> None:
    api.post(address)
    continue_host_check(HostCheck.objects.get().pk, until=0)
    body = api.get(address).json()
    assert (body["check"]["state"], body["check"]["checked"]) == ("checking", 0)
    assert {host["verdict"] for host in body["results"]} == {None}


def test_what_cannot_be_checked_is_a_409_problem(address: str, upload: Post, api: Client, settings: Any) -> None:
    running = upload("doi\n10.5555/one\n").json()["id"]
    quick = upload("doi\n10.5555/one\n", quick="true").json()["id"]
    run(quick)
    for job, slug in ((running, "job-not-finished"), (quick, "no-hosts")):
        problem = assert_problem(api.post(f"/api/v1/jobs/{job}/host-checks"), 409)
        assert problem["type"] == f"/problems/{slug}"
    settings.HOST_CHECKS = False
    assert assert_problem(api.post(address), 409)["type"] == "/problems/host-checks-off"
    assert not CheckedHost.objects.exists()
