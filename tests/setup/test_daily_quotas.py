"""The daily quotas of an account in a portal that is started whole: uploads that arrive at the same moment."""

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
