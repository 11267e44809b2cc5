"""One name: read, asked, judged, stored."""

import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import FrameType

import pytest

from doi_reading import repair
from resolver.models import Lookup, StoredAnswer
from resolver.services.lookups.inspection import inspect_input
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.cache import NEVER
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db


def ask(text: str, proxy: DoiProxy, **options: bool) -> Lookup:
    lookup = create_lookup(text, owner="user:1", proxy=proxy, now=NOW, **options)
    return Lookup.objects.get(pk=lookup.pk)


def test_inspecting_touches_neither_network_nor_database() -> None:
    assert str(inspect_input("10.1000/182").doi) == "10.1000/182"


@pytest.mark.clause("B2")
def test_a_name_that_resolves(proxy: DoiProxy) -> None:
    found = ask("https://doi.org/10.5555/Two", proxy)
    assert (found.outcome, found.ra, found.doi) == ("resolved", "Crossref", "10.5555/Two")
    assert found.urls == ["https://example.org/landing/Two", "https://example.org/landing/Two?copy=2"]
    assert found.record["responseCode"] == 1
    assert (found.proxy, found.cached, found.sample) == (proxy.base_url, False, False)


def test_other_readings_of_a_name_that_resolves_have_their_reasons(proxy: DoiProxy) -> None:
    found = ask("https://doi.org/10.5555/two#part", proxy)
    assert found.outcome == "resolved"
    offered = inspect_input("https://doi.org/10.5555/two#part").candidates
    assert [(one["doi"], one["reason"]) for one in found.all_candidates] == [(one.doi, one.reason) for one in offered]
    assert found.all_candidates[0]["doi"] == "10.5555/two#part"


def count_calls_of_repair(act: Callable[[], object]) -> int:
    """Return how many functions of the rules that repair names run in this thread."""
    folder = str(Path(repair.__file__).parent)
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(folder)

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("text", ["10.5555/plain", "https://doi.org/10.5555/plain/full", "10.5555/nourl"])
def test_no_rule_runs_for_a_plain_name_that_exists(proxy: DoiProxy, text: str) -> None:
    assert count_calls_of_repair(lambda: ask(text, proxy)) == 0
    assert count_calls_of_repair(lambda: ask("10.5555/missing", proxy)) > 0


def test_the_candidates_of_a_plain_name_are_made_when_they_are_shown(proxy: DoiProxy) -> None:
    found = ask("https://doi.org/10.5555/plain/full", proxy)
    assert (found.outcome, found.candidates) == ("resolved", [])
    assert found.all_candidates == [
        {"doi": "10.5555/plain", "reason": "without the path that a publisher's address adds", "exists": None}
    ]


OUTCOMES = [
    ("10.5555/plain", "resolved"),
    ("10.5555/loc", "resolved"),
    ("10.5555/nourl", "no-url"),
    ("10.5555/novalues", "no-values"),
    ("10.5555/missing", "not-found"),
    ("10.5555/error", "proxy-error"),
    ("10.5555/html", "proxy-error"),
    ("10.5555/busy", "unreachable"),
    ("10.5555/loop", "no-url"),
    ("nothing of the kind", "invalid"),
]


@pytest.mark.clause("R4", "S12")
@pytest.mark.django_db(transaction=True)
def test_which_ra_is_not_asked_about_a_short_doi(proxy: DoiProxy, standin: SampleProxyServer) -> None:
    standin.reset()
    ask("10/p54k", proxy)
    run(make_job("doi\n10/p54k\n10.5555/beside-short\n", proxy), proxy)
    of_which_ra = [target for target in standin.requests if target.startswith("/doiRA/")]
    assert any("10.5555/beside-short" in target for target in of_which_ra)
    assert not any("10/p54k" in target for target in of_which_ra)


@pytest.mark.clause("A2", "A8")
@pytest.mark.parametrize(("text", "outcome"), OUTCOMES)
def test_each_outcome(text: str, outcome: str, proxy: DoiProxy) -> None:
    assert ask(text, proxy).outcome == outcome


def test_a_second_look_comes_from_the_store_unless_a_fresh_one_is_wanted(proxy: DoiProxy) -> None:
    assert not ask("10.5555/again", proxy).cached
    again = ask("10.5555/AGAIN", proxy)
    assert (again.cached, again.ra) == (True, "Crossref")
    assert again.record["handle"] == "10.5555/AGAIN"
    assert not ask("10.5555/again", proxy, fresh_since=NEVER).cached


def test_after_a_day_the_proxy_is_asked_again(proxy: DoiProxy) -> None:
    ask("10.5555/again", proxy)
    later = NOW + timedelta(hours=24, seconds=1)
    assert not create_lookup("10.5555/again", owner="user:1", proxy=proxy, now=later).cached


SUGGESTED = [
    ("10.1000/182.", "not-found", "10.1000/182", "punctuation at the end"),
    ("https://doi.org/10.1000/1822 and", "not-found", None, "nothing that exists is near"),
    ("10.5555/missing-1.", "not-found", None, "the name without the full stop does not exist either"),
    ("10/p54k", "invalid", "10.1021/JACS.5C01100", "the DOI behind a short DOI"),
    ("10/nosuchone", "invalid", None, "a short DOI that nobody made"),
    ("10.5555/error.", "proxy-error", None, "a name that could not be asked has no suggestion"),
]


@pytest.mark.parametrize(("text", "outcome", "suggested", "why"), SUGGESTED)
def test_a_suggestion_is_a_candidate_that_exists(
    text: str, outcome: str, suggested: str | None, why: str, proxy: DoiProxy
) -> None:
    found = ask(text, proxy)
    assert (found.outcome, found.suggestion and found.suggestion["doi"]) == (outcome, suggested), why


@pytest.mark.parametrize("text", ["10.1000/\u200b182", "10.1000 /182", "10.1000\u2215182", "10.1000/18\x002"])
def test_an_invalid_text_has_its_candidates_tried(text: str, proxy: DoiProxy) -> None:
    found = ask(text, proxy)
    assert (found.outcome, found.doi) == ("invalid", "")
    assert found.suggestion is not None
    assert found.suggestion["doi"] == "10.1000/182"


@pytest.mark.parametrize(
    ("text", "requests"),
    [
        ("10.5555/two-requests", 2),  # the record, Which RA
        ("10.5555/missing-two-requests.", 3),  # Which RA again for the doubtful candidates
        ("10.5555/missing 10.5555/missing-too", 2),  # a text with several DOIs has none
    ],
)
def test_a_name_costs_two_requests_and_a_missing_one_three(
    text: str, requests: int, proxy: DoiProxy, standin: SampleProxyServer
) -> None:
    before = len(standin.requests)
    ask(text, proxy)
    assert len(standin.requests) - before == requests


def test_the_agency_of_the_prefix_of_a_missing_name(proxy: DoiProxy) -> None:
    assert ask("10.5555/missing", proxy).prefix_ra == "Crossref"
    assert ask("10.5556/whatever", proxy).prefix_ra == ""


def test_an_alias_names_the_doi_behind_it(proxy: DoiProxy) -> None:
    found = ask("10.5555/alias-1", proxy)
    assert (found.outcome, found.alias_of) == ("resolved", "10.5555/target-1")
    assert "alias" in found.problem_codes


def test_nothing_there_is_could_not_ask_and_nothing_is_kept(nowhere: DoiProxy) -> None:
    for text in ("10.5555/plain", "10.5555/missing", "https://doi.org/10.1000/182#x"):
        assert ask(text, nowhere).outcome == "unreachable"
        assert ask(text, nowhere).suggestion is None
    assert not StoredAnswer.objects.exists()


def test_answers_of_two_proxies_are_kept_apart(proxy: DoiProxy, proxy_at: Callable[..., DoiProxy]) -> None:
    ask("10.5555/plain", proxy)
    with SampleProxyServer() as other:
        assert not ask("10.5555/plain", proxy_at(other.url)).cached


def test_sample_data_say_so(proxy_at: Callable[..., DoiProxy], standin: SampleProxyServer) -> None:
    assert ask("10.5555/plain", proxy_at(standin.url, sample=True)).sample


@pytest.mark.parametrize(
    "text", ["\x00", "10.5555/a\x00b", "10.5555/\ud800", "\udfff", "", " ", "10.5555/" + "x" * 9000]
)
def test_any_text_is_stored_as_it_came(text: str, proxy: DoiProxy) -> None:
    assert ask(text, proxy).input == text
