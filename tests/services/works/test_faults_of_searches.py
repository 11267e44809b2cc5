"""Searches for the works of many rows while a service limits, hangs or dies, over a socket: every row is found with the
right DOI, not found, or could not be asked, and a retry finds the rest. The services are those of the sample proxy."""

import re
import threading
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.utils import timezone

from resolver.domain.work.found_works import SearchedWork
from resolver.domain.work.row_work import RowWork
from resolver.services.proxy_answers import configured_services
from resolver.services.proxy_answers.configured_services import RATES
from resolver.services.works.search import WantedSearch, search_works
from resolver.standin.endpoints import answer_request
from resolver.standin.records import load_sample_records
from resolver.standin.sample_answers import SampleAnswers
from resolver.standin.sample_works import WORKS, build_sample_work
from resolver.standin.work_index import WORK_INDEX
from tests.proxy.raw_server import Answer, RawServer, Request, hang_up, http, silence

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = 150
BOTH = {"Crossref", "DataCite"}
TOO_LITTLE = (RowWork(title="Editorial", year="2001"), RowWork(title="On owls and their flight"), RowWork())


class Fault(NamedTuple):
    """A service gives this answer to its requests from the `first` on, `most` times; the others are good."""

    answer: Answer
    service: str = "Crossref"
    first: int = 20
    most: int = 1_000_000

    def spoils(self, service: str, number: int) -> bool:
        return service == self.service and self.first <= number < self.first + self.most


PASSING = {
    "429": Fault(http(429, {}, Retry_After="1"), most=2),
    "503": Fault(http(503, {}, Retry_After="1"), most=2),
    "no-answer": Fault(silence, most=1),  # its permit is kept for five seconds, and there are two
    "hangs-up": Fault(hang_up, most=2),
}
LASTING = {
    "429": Fault(http(429, {}, Retry_After="30")),
    "503": Fault(http(503, {})),
    "nonsense": Fault(http(200, b"<html>")),
    "no-answer": Fault(silence),
    "hangs-up": Fault(hang_up),
    "crossref-dead": Fault(hang_up, first=0),
    "datacite-dead": Fault(hang_up, "DataCite", first=0),
}


class SampleServices:
    """The sample proxy in place of all services, with a fault. `asked`: how many requests each service got."""

    def __init__(self, fault: Fault | None = None) -> None:
        self.fault, self.asked = fault, Counter[str]()
        self._answers, self._lock = SampleAnswers(load_sample_records()), threading.Lock()

    def answer(self, request: Request) -> Answer:
        service = "DataCite" if request.target.startswith("/dois?") else "Crossref"
        with self._lock:
            number = self.asked[service]
            self.asked[service] += 1
        if self.fault and self.fault.spoils(service, number):
            return self.fault.answer
        reply = answer_request(self._answers, request.target, request.headers)
        return http(reply.status, reply.body)


@dataclass(frozen=True)
class SearchCase:
    """A row of the list, and what its search must come to: a DOI, those of two versions, `none` or `too-little`."""

    row: RowWork
    expected: str


def build_cases(rows: int) -> list[SearchCase]:
    """Of 20 rows 12 have a listed work, 5 another one, and 3 say too little."""
    listed, unlisted = count(0, 7), count(WORKS)
    cases = []
    for place in range(rows):
        if place % 20 < 12:
            work = build_sample_work(next(listed) % WORKS)
            row, versions = describe(work, place), work.get("relation", {}).values()
            # Without its journal an article can't be told from its preprint.
            others = [] if work.get("container-title") else [one["id"] for named in versions for one in named]
            cases.append(SearchCase(row, " ".join(sorted([work["DOI"], *others]))))
        elif place % 20 < 17:
            cases.append(SearchCase(describe(build_sample_work(next(unlisted)), place), "none"))
        else:
            cases.append(SearchCase(TOO_LITTLE[place % 3], "too-little"))
    return cases


def describe(work: dict[str, Any], place: int) -> RowWork:
    """Return the work as lists write works: in another case, without signs, with abbreviated names; or all in one."""
    title, year = work["title"], str(work["issued"]["date-parts"][0][0])
    container, page = work.get("container-title", ""), work.get("page", "")
    full = [f"{person['family']}, {person['given']}" for person in work["author"]]
    short = [f"{person['given'][0]}. {person['family']}" for person in work["author"]]
    if place % 7 == 6:
        return RowWork(text=f"{'; '.join(full)} ({year}). {title}. {container}, {work.get('volume', '')}, {page}.")
    titles = (title, title.upper(), re.sub(r"\W+", " ", title), title.replace(" and ", " & "), f"<i>{title}</i>.")
    people = (full, short, [f"{short[0]} et al."], ["; ".join(full)])
    return RowWork(titles[place % 5], tuple(people[place % 4]), year, container, first_page=page.partition("-")[0])


def search_all(cases: list[SearchCase]) -> dict[SearchCase, SearchedWork]:
    """Search in as many turns as are needed."""
    found: dict[SearchCase, SearchedWork] = {}
    while left := [case for case in cases if case not in found]:
        wanted = [WantedSearch(case.row) for case in left]
        turn = search_works(wanted, caller="user:1", now=timezone.now(), until=time.monotonic() + 5)
        found |= {case: one for case, one in zip(left, turn, strict=True) if one}
    return found


def name_outcome(searched: SearchedWork) -> str:
    """The suggested DOI, else the DOIs of those that may be chosen, else why there is none."""
    return searched.suggested or " ".join(sorted(work.doi for work in searched.works)) or searched.found_by


@pytest.fixture(autouse=True)
def _quick_services(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_URL, settings.CONTACT_EMAIL = "", "portal@library.example"
    settings.DOI_PROXY_TIMEOUT, settings.DOI_PROXY_ATTEMPTS, settings.DOI_PROXY_BACKOFF = 1.0, 1, 0.01
    quick = {kind: replace(rate, named=1000.0) for kind, rate in RATES.items()}  # else it would take minutes
    monkeypatch.setattr(configured_services, "RATES", quick)
    WORK_INDEX.rank("owls", 1)  # the first search takes longer than an answer may


def list_outcomes(cases: list[SearchCase], found: dict[SearchCase, SearchedWork]) -> list[str]:
    return [name_outcome(found[case]) for case in cases]


@pytest.mark.parametrize("fault", [None, *PASSING])
def test_every_work_is_found_although_a_service_fails_for_a_moment(fault: str | None, settings: Any) -> None:
    cases, services = build_cases(ROWS), SampleServices(PASSING[fault] if fault else None)
    with RawServer(services.answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        found = search_all(cases)
    assert list_outcomes(cases, found) == [case.expected for case in cases]
    assert services.asked.total() <= ROWS * 1.25


@pytest.mark.parametrize("fault", LASTING)
def test_every_row_is_right_or_could_not_be_asked_and_a_retry_finds_the_rest(
    fault: str, settings: Any, tmp_path: Path
) -> None:
    cases, services = build_cases(ROWS), SampleServices(LASTING[fault])
    with RawServer(services.answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        found = search_all(cases)
        left = [case for case in found if name_outcome(found[case]) == "could-not-ask"]
        done = [case for case in found if name_outcome(found[case]) != "could-not-ask"]
        assert left
        assert list_outcomes(done, found) == [case.expected for case in done]
        assert all({*found[case].services} == BOTH for case in done if case.expected == "none")
        services.fault, services.asked = None, Counter()
        settings.DOIPORTAL_DATA_DIR = tmp_path / "later"  # where no pause is known
        settings.DOIPORTAL_DATA_DIR.mkdir()
        again = search_all(left)
    assert list_outcomes(left, again) == [case.expected for case in left]
    assert {*services.asked} == {LASTING[fault].service}, "the other's answers are stored"


def test_a_title_without_words_is_not_searched_for_and_one_without_words_for_a_service_skips_it(settings: Any) -> None:
    signs, run = RowWork(title="& & & & & +", year="2011"), RowWork(title="ประวัติศาสตร์" * 20, year="2011")
    services = SampleServices()
    with RawServer(services.answer) as server:
        settings.METADATA_SERVICE_URL = server.url
        found = search_all([SearchCase(signs, "too-little"), SearchCase(run, "none")])
    assert [name_outcome(one) for one in found.values()] == [case.expected for case in found]
    assert services.asked == {"Crossref": 1}
