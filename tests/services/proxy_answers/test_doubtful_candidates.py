"""Guesses where no rule can tell: tried last, and only a person may accept one."""

from collections.abc import Callable, Iterator

import pytest
from django.utils import timezone

from doi_reading import Message, read
from resolver.domain.handle.answers import MissingHandle, Resolution
from resolver.domain.report.judge import ProxyAnswers, judge
from resolver.domain.report.report import TriedCandidate
from resolver.domain.report.sentences import DOUBTFUL
from resolver.models import Lookup, Row
from resolver.services.lookups.export import build_history_table
from resolver.services.lookups.look_up import create_lookup
from resolver.services.lookups.stored_results import find_row_proposal
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import make_job, run
from tests.services.registered_names import sample_proxy_where

pytestmark = pytest.mark.django_db

REGISTERED = [
    "10.1016/j.cell.2010.01.001",
    "10.1016/j.brain.2011.02.002",
    "10.1371/journal.pone.0012345",
    "10.1371/journal.pone.0055550",
    "10.1371/journal.pone.0055551",
    "10.1186/s12864-019-5880-1",
    "10.1136/bmjopen-2015-008737",
    "10.48550/arXiv.1706.03762",
    "10.1016/S0140-6736(20)30183-5",
    "10.3389/fphys.2015.00360",
]

Make = Callable[..., DoiProxy]


@pytest.fixture(scope="module")
def where_few_exist() -> Iterator[SampleProxyServer]:
    with sample_proxy_where(REGISTERED) as server:
        yield server


@pytest.fixture
def proxy(proxy_at: Make, where_few_exist: SampleProxyServer) -> DoiProxy:
    return proxy_at(where_few_exist.url)


def look_up(text: str, proxy: DoiProxy) -> Lookup:
    return create_lookup(text, owner="user:1", proxy=proxy, now=timezone.now())


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("10.1016/j.cell.2010.1.001", "10.1016/j.cell.2010.01.001"),
        ("10.1371/journal.pone.001234", "10.1371/journal.pone.0012345"),  # one completion exists
        ("10.1136/bmjopen-2014-008737", "10.1136/bmjopen-2015-008737"),
        ("s12864-019-5880-1", "10.1186/s12864-019-5880-1"),
        ("journal.pone.0012345", "10.1371/journal.pone.0012345"),
        ("10.5555/missing-a10.1371/journal.pone.0012345", "10.1371/journal.pone.0012345"),  # the second of two
    ],
)
def test_the_only_guess_that_is_registered_is_a_doubtful_suggestion(text: str, meant: str, proxy: DoiProxy) -> None:
    found = look_up(text, proxy).suggestion
    assert found is not None
    assert (found["doi"], found["doubtful"]) == (meant, True)


@pytest.mark.parametrize(
    "text",
    [
        "10.1371/journal.pone.005555",  # two completions exist
        "10.1016/j.cell.2010.01.002",  # another article, not a misprint of this one
        "10.1016/j.cell.2010.1.001 and 10.1371/journal.pone.001234",  # several DOIs
    ],
)
def test_without_exactly_one_there_is_no_suggestion(text: str, proxy: DoiProxy) -> None:
    assert look_up(text, proxy).suggestion is None


def test_two_guesses_that_are_registered_are_both_listed_and_none_is_proposed(proxy: DoiProxy) -> None:
    both = ["10.1371/journal.pone.0055550", "10.1371/journal.pone.0055551"]
    found = look_up("10.1371/journal.pone.005555", proxy)
    assert [one["doi"] for one in found.candidates if one["exists"]] == both
    row = Row.objects.get(job=run(make_job("doi\n10.1371/journal.pone.005555\n", proxy), proxy))
    assert (row.suggestion, row.also_registered, find_row_proposal(row)) == ("", both, "")
    assert f"Also registered: {', '.join(both)}." in row.messages


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("arXiv:1706.03762v5", "10.48550/arXiv.1706.03762"),
        ("https://arxiv.org/abs/1706.03762", "10.48550/arXiv.1706.03762"),
        ("PII: S0140-6736(20)30183-5", "10.1016/S0140-6736(20)30183-5"),
    ],
)
def test_what_follows_from_an_identifier_by_its_registrants_rule_is_suggested(
    text: str, meant: str, proxy: DoiProxy
) -> None:
    found = look_up(text, proxy)
    assert found.suggestion is not None
    assert (found.suggestion["doi"], found.suggestion["doubtful"], found.proxy) == (meant, False, proxy.base_url)
    row = Row.objects.get(job=run(make_job(f"doi\n{text}\n", proxy), proxy))
    assert (row.suggestion, row.doubtful, row.correction) == (meant, False, "suggested")


def test_a_bare_number_that_could_be_anything_stays_a_guess(proxy: DoiProxy) -> None:
    found = look_up("fphys.2015360", proxy).suggestion
    assert found is not None
    assert (found["doi"], found["doubtful"]) == ("10.3389/fphys.2015.00360", True)
    assert look_up("1706.03762", proxy).suggestion is None


def test_the_file_of_the_history_says_that_a_suggestion_is_a_guess(proxy: DoiProxy) -> None:
    look_up("10.1016/j.cell.2010.1.001", proxy)
    look_up("10.1016/j.cell.2010.01.001.", proxy)
    said = {row.input: DOUBTFUL in row.messages for row in build_history_table(Lookup.objects.all()).rows}
    assert said == {"10.1016/j.cell.2010.1.001": True, "10.1016/j.cell.2010.01.001.": False}


def test_a_suggestion_that_a_rule_gives_is_not_doubtful(proxy: DoiProxy) -> None:
    found = look_up("10.1016/j.cell.2010.01.001.", proxy).suggestion
    assert found is not None
    assert (found["doi"], found["doubtful"]) == ("10.1016/j.cell.2010.01.001", False)


def test_of_two_dois_that_run_together_the_first_is_a_doubtful_suggestion_if_it_is_registered(proxy: DoiProxy) -> None:
    found = look_up("10.1016/j.cell.2010.01.00110.1371/journal.pone.0012345", proxy).suggestion
    assert found is not None
    assert (found["doi"], found["doubtful"]) == ("10.1016/j.cell.2010.01.001", True)


def test_in_a_list_a_doubtful_suggestion_needs_review_and_other_rows_lend_their_journals(proxy: DoiProxy) -> None:
    text = "doi\n10.1016/j.brain.2011.02.002\n10.1016/j.brian.2011.02.002\n10.1016/j.cell.2010.1.001\n"
    text += "10.5555/missing-a10.1016/j.cell.2010.01.001\n"
    job = run(make_job(text, proxy), proxy)
    rows = Row.objects.filter(job=job).order_by("line").values_list("suggestion", "doubtful", "correction")
    assert list(rows) == [
        ("", False, "unchanged"),
        ("10.1016/j.brain.2011.02.002", True, "review"),
        ("10.1016/j.cell.2010.01.001", True, "review"),
        ("10.1016/j.cell.2010.01.001", True, "review"),
    ]


@pytest.mark.parametrize(("rival", "suggested"), [(False, "10.1000/2"), (None, None), (True, None)])
def test_a_guess_counts_only_if_no_other_may_be_registered(rival: bool | None, suggested: str | None) -> None:
    guesses = tuple(
        TriedCandidate(name, Message("a guess"), exists) for name, exists in (("10.1000/2", True), ("10.1000/3", rival))
    )
    report = judge(read("10.1000/1"), ProxyAnswers(Resolution(MissingHandle()), guesses=guesses))
    assert (report.suggestion and report.suggestion.doi) == suggested
    assert report.incomplete == (rival is None)


def test_a_quick_check_makes_no_guesses(proxy: DoiProxy) -> None:
    job = run(make_job("doi\n10.1016/j.cell.2010.1.001\n", proxy, quick=True), proxy)
    assert Row.objects.get(job=job).suggestion == ""


def test_a_wrong_check_digit_is_said_of_a_missing_name_only(proxy: DoiProxy) -> None:
    missing = look_up("10.1016/S0092-8674(21)00219-2", proxy)
    assert missing.problem_codes == ("check-digit",)
    assert look_up("10.1371/journal.pone.0012345", proxy).problem_codes == ()
