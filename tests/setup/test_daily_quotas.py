"""The daily quotas of an account over sockets: uploads at the same moment, and a request that waits for a job that no
worker takes."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from tests.setup.portal import RunningPortal, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningPortal]:
    quotas = {"MAX_LISTS_PER_DAY": "3", "MAX_REQUESTS_PER_DAY": "14"}
    with serving(tmp_path_factory.mktemp("portal"), **quotas) as running:
        yield running


def test_of_uploads_over_sockets_at_the_same_moment_no_more_are_accepted_than_fit(portal: RunningPortal) -> None:
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


def test_a_request_that_waits_for_the_end_of_a_job_counts_once(portal: RunningPortal) -> None:
    jobs = f"http://127.0.0.1:{portal.port}/api/v1/jobs"
    login = {"Authorization": f"Bearer {portal.make_token('eve')}"}
    made = requests.post(jobs, files={"file": ("list.csv", "doi\n10.5555/1\n")}, headers=login, timeout=60)
    waited = requests.get(f"{jobs}/{made.json()['id']}/wait?seconds=2", headers=login, timeout=60)
    assert (waited.status_code, waited.json()["state"]) == (200, "queued")
    listed = requests.get(jobs, headers=login, timeout=60)
    assert [answer.headers["RateLimit"].partition(";t=")[0] for answer in (made, waited, listed)] == [
        '"requests";r=13',
        '"requests";r=12',
        '"requests";r=11',
    ]
