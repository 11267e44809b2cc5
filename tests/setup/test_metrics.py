"""/metrics of a web server beside a worker: what all its processes have counted, and who may read it."""

import re
from pathlib import Path

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from tests.portal_processes import ROOT
from tests.setup.portal import RunningPortal, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

TOKEN = "a-token-for-metrics"
NAMES = ("10.1000/182", "10.1000/no-such-name", "10.1000/another-one")
ELSEWHERE = {"X-Forwarded-For": "192.0.2.7"}


def read_metrics(portal: RunningPortal, **headers: str) -> dict[tuple[str, str], float]:
    """The values by the name and the first label."""
    answer = requests.get(f"http://127.0.0.1:{portal.port}/metrics", headers=headers, timeout=10)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def check_list(portal: RunningPortal) -> None:
    body = "DOI\n" + "".join(f"{name}\n" for name in NAMES)
    api = f"http://127.0.0.1:{portal.port}/api/v1/jobs"
    with requests.Session() as visitor:
        job = visitor.post(api, data=body, headers={"Content-Type": "text/csv"}, timeout=30).json()
        wait_until(
            "the list is checked",
            lambda: visitor.get(f"{api}/{job['id']}", timeout=10).json()["state"],
            lambda state: state == "finished",
        )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("portal")


def test_the_web_server_tells_what_the_workers_counted_and_a_restart_loses_none(folder: Path) -> None:
    with serving(folder, worker=True, METRICS_TOKEN=TOKEN, DOIPORTAL_OPEN="1") as portal:
        check_list(portal)
        found = read_metrics(portal)
        assert found["doiportal_workers", ""] == 1
        assert found["doiportal_oldest_waiting_list_seconds", ""] == 0
        rows = {label: value for (name, label), value in found.items() if name == "doiportal_rows_total"}
        assert rows == {"resolved": 1, "not-found": 2}
        assert found["doiportal_proxy_request_seconds_count", "good"] >= 2
        assert found["doiportal_permit_wait_seconds_count", "list"] >= 2
        assert found["doiportal_lists", "queued"] == found["doiportal_lists", "checking"] == 0

        # Every metric of the rules for alerts and of the guide is there.
        there = {re.sub("_(total|count|sum|bucket)$", "", name) for name, _ in found} | {"doiportal_lookups"}
        for text in (ROOT / "docker/alerts.yml", ROOT / "docs/for-operators.md"):
            named = set(re.findall(r"\bdoiportal_[a-z_]+", text.read_text()))
            assert named
            assert {re.sub("_(total|count)$", "", name) for name in named} <= there

        # Who may read them.
        address = f"http://127.0.0.1:{portal.port}/metrics"
        login = {"Authorization": f"Bearer {TOKEN}"}
        assert requests.get(address, headers=ELSEWHERE, timeout=10).status_code == 404
        assert requests.get(address, headers=ELSEWHERE | {"Authorization": "Bearer x"}, timeout=10).status_code == 404
        assert requests.get(address, headers=ELSEWHERE | login, timeout=10).status_code == 200
    with serving(folder) as portal:
        assert read_metrics(portal)["doiportal_rows_total", "not-found"] == 2
        lookup = requests.post(
            f"http://127.0.0.1:{portal.port}/api/v1/lookups", json={"input": NAMES[0]}, timeout=30
        ).json()
        assert read_metrics(portal)["doiportal_lookups_total", lookup["outcome"]] == 1
        forged = requests.get(
            f"http://127.0.0.1:{portal.port}/metrics",
            headers=ELSEWHERE | {"Authorization": "Bearer "},
            timeout=10,
        )
        assert forged.status_code == 404
