"""The daily quotas of an account in a portal that is started whole: uploads at the same moment, and a request that
waits."""

import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import requests

from tests.setup.portal import started


def test_of_uploads_over_sockets_at_the_same_moment_no_more_are_accepted_than_fit(tmp_path: Path) -> None:
    with started(tmp_path, MAX_LISTS_PER_DAY="3", MAX_REQUESTS_PER_DAY="14") as portal:
        jobs = f"http://127.0.0.1:{portal.port}/api/v1/jobs"
        login = {"Authorization": f"Bearer {portal.make_token('ada')}"}

        def upload(number: int) -> int:
            body = {"file": ("list.csv", f"doi\n10.5555/{number}\n")}
            return requests.post(jobs, files=body, headers=login, timeout=60).status_code

        with ThreadPoolExecutor(12) as people:
            assert Counter(people.map(upload, range(12))) == {202: 3, 429: 9}
        listed = requests.get(jobs, headers=login, timeout=60)
        assert len(listed.json()["results"]) == 3
        assert listed.headers["RateLimit"].startswith('"requests";r=1;t=')


def test_a_request_that_waits_for_the_end_of_a_job_counts_once(tmp_path: Path) -> None:
    with started(tmp_path, MAX_REQUESTS_PER_DAY="9") as portal:
        jobs = f"http://127.0.0.1:{portal.port}/api/v1/jobs"
        login = {"Authorization": f"Bearer {portal.make_token('ada')}"}
        portal.process("celery", "worker").send_signal(signal.SIGSTOP)  # so the job waits
        made = requests.post(jobs, files={"file": ("list.csv", "doi\n10.5555/1\n")}, headers=login, timeout=60)
        waited = requests.get(f"{jobs}/{made.json()['id']}/wait?seconds=2", headers=login, timeout=60)
        assert (waited.status_code, waited.json()["state"]) == (200, "queued")
        listed = requests.get(jobs, headers=login, timeout=60)
        assert [answer.headers["RateLimit"].partition(";t=")[0] for answer in (made, waited, listed)] == [
            '"requests";r=8',
            '"requests";r=7',
            '"requests";r=6',
        ]
