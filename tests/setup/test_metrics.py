"""/metrics of a web server beside a worker: what all its processes have counted, and who may read it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.parser import text_string_to_metric_families

from tests.portal_processes import ROOT
from tests.setup.portal import RunningPortal, serving, supervised
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


def test_the_web_server_adds_up_what_all_processes_count_and_a_restart_begins_anew(tmp_path: Path) -> None:
    with serving(tmp_path, worker=True, METRICS_TOKEN=TOKEN, DOIPORTAL_OPEN="1") as portal:
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
    with serving(tmp_path) as portal:
        assert "doiportal_rows_total" not in {name for name, _ in read_metrics(portal)}
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


def test_make_run_gives_its_processes_a_folder_for_their_counts_and_takes_it_away(tmp_path: Path) -> None:
    with supervised(tmp_path) as portal:
        check_list(portal)
        counted = read_metrics(portal)
        assert counted["doiportal_rows_total", "resolved"] + counted["doiportal_rows_total", "not-found"] == 3
        mapped = {Path(each.path) for each in portal.process("web").children()[0].memory_maps()}
        (folder,) = {path.parent for path in mapped if path.match("counter_*.db")}
        portal.supervisor.terminate()
        assert portal.supervisor.wait(30) == 0
    assert not folder.exists()


def test_a_folder_that_is_not_there_ends_the_start_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        RunningPortal(tmp_path, PROMETHEUS_MULTIPROC_DIR=str(tmp_path / "missing")).run_manage("check")
    assert f"in which this account can write, not {tmp_path / 'missing'}" in failed.value.stderr


def test_two_processes_of_one_number_on_two_machines_keep_their_counts_apart(tmp_path: Path) -> None:
    """As in containers that share the folder: there the first process has the number 1 in each."""
    program = (
        "import os, socket, sys\n"
        "os.getpid, socket.gethostname = (lambda: 1), (lambda: sys.argv[1])\n"
        "from resolver.counters import ROWS\n"
        "ROWS('resolved').inc(5)\n"
    )
    for host in ("one", "another"):
        environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        subprocess.run([sys.executable, "-c", program, host], cwd=ROOT, env=environment, check=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["counter_another.1.db", "counter_one.1.db"]
    [metric] = MultiProcessCollector.merge([str(path) for path in tmp_path.iterdir()])
    assert [sample.value for sample in metric.samples] == [10]
