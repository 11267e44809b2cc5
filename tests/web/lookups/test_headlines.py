"""The headline of a result and the DOI that its page offers, in every situation."""

import re
from typing import Any

import pytest
from django.utils.translation import override

from doi_reading.problems import OF_SEARCHES
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS
from resolver.domain.report.triage import GOOD, RowGroup, find_row_group
from resolver.models import Row
from resolver.web.lookups import headlines
from resolver.web.lookups.headlines import ResultHeadline, choose_headline
from resolver.web.lookups.result_facts import ResultFacts
from resolver.web.lookups.usable_doi import UsableDoi, choose_usable_doi
from tests.web.lookups.situations import NAME, SITUATIONS, build_facts, walk_situations

Seen = list[tuple[ResultFacts, ResultHeadline, UsableDoi | None]]
TABLES = (
    headlines._NOTHING_LEARNED,
    headlines._FOUND,
    headlines._NOT_A_DOI,
    headlines._NOT_REGISTERED,
    headlines._REGISTERED,
)


@pytest.fixture(scope="module")
def seen() -> Seen:
    return [(facts, choose_headline(facts), choose_usable_doi(facts)) for facts in walk_situations()]


@pytest.mark.parametrize(("outcome", "codes", "known", "expected"), SITUATIONS)
def test_each_situation_has_its_headline_and_the_doi_to_use(
    outcome: str, codes: tuple[str, ...], known: dict[str, Any], expected: tuple[str, str, list[str]]
):
    facts = build_facts(outcome, codes, known)
    use = choose_usable_doi(facts)
    assert (choose_headline(facts).code, use.code if use else "") == expected[:2]


def test_there_is_a_situation_for_each_headline():
    reached = {choose_headline(build_facts(*situation[:3])).code for situation in SITUATIONS}
    assert {one.code for table in TABLES for one in table} <= reached


def test_headlines_are_short_and_sentences_are_whole(seen: Seen):
    assert len(seen) > 10_000
    for case in seen:
        assert len(case[1].text) <= 65, case
        assert not case[1].text.endswith("."), case
        assert case[1].sentence.endswith("."), case
        assert "%(" not in case[1].sentence + (case[2].sentence if case[2] else ""), case


def test_what_needs_attention_is_never_green(seen: Seen):
    for case in seen:
        facts, headline, _use = case
        outcome = facts.result.outcome
        group = find_row_group(outcome, facts.codes, facts.address if outcome in GOOD else "")
        if group == RowGroup.NEEDS_WORK or facts.result.others:
            assert headline.tone != "good", case


def test_only_what_is_registered_is_called_so(seen: Seen):
    for case in seen:
        facts, headline, use = case
        if facts.result.others:
            continue
        said = f"{headline.text}. {headline.sentence}"
        if facts.result.outcome in EXISTS:
            assert not re.search("isn’t (?:registered|valid)|We couldn’t", said), case
        elif use is None:
            assert not re.search("Registered|[Ii]t is registered|Works|works", said), case


def test_where_nothing_was_learned_nothing_is_said_about_the_doi(seen: Seen):
    for case in seen:
        if case[0].result.outcome in COULD_NOT_ASK and not case[0].result.others:
            assert case[1].tone == "unknown", case
            assert case[2] is None, case


def test_a_doi_is_offered_only_if_it_is_registered(seen: Seen):
    for case in seen:
        facts, _headline, use = case
        registered = {facts.suggestion, facts.whole} | (
            {NAME, facts.main_doi} if facts.result.outcome in EXISTS else set()
        )
        if use is not None:
            assert use.doi, case
            assert use.doi in registered, case
        else:
            assert facts.result.others or facts.result.outcome in {*COULD_NOT_ASK, ""} or not registered - {""}, case


def test_a_guess_says_so_and_asks_to_compare(seen: Seen):
    for case in seen:
        facts, headline, use = case
        if facts.has(*OF_SEARCHES):
            continue  # it was compared with the row, and a person is asked
        if use and use.doi == facts.suggestion and (facts.doubtful or "unproven-suggestion" in facts.codes):
            assert use.title == "Only a guess", case
            assert use.tone == "warn", case
            assert facts.result.others or "Compare our guess with the publication." in headline.sentence, case


@pytest.mark.parametrize(
    ("outcomes", "text", "tone"),
    [
        (["resolved", "registered"], "Both DOIs are registered", "warn"),
        (["resolved", "not-found"], "Only one of the two DOIs is registered", "bad"),
        (["not-found", "invalid"], "Neither DOI is registered", "bad"),
        (["no-url", "resolved", "not-found"], "2 of 3 DOIs are registered", "bad"),
        (["not-found", "resolved", "not-found"], "1 of 3 DOIs is registered", "bad"),
        (["no-url", "resolved", "resolved"], "All 3 DOIs are registered", "warn"),
        (["not-found", "not-found", "not-found"], "None of the 3 DOIs is registered", "bad"),
        (["resolved", "unreachable"], "1 of 2 DOIs registered, 1 couldn’t be checked", "unknown"),
        (["resolved", ""], "1 of 2 DOIs registered, 1 couldn’t be checked", "waits"),
        (["unreachable", "proxy-error"], "We couldn’t check this DOI", "unknown"),
    ],
)
def test_several_dois_have_one_headline_in_the_worst_tone(outcomes: list[str], text: str, tone: str):
    others = [{"doi": "10.5555/b", "outcome": outcome} for outcome in outcomes[1:]]
    found = choose_headline(ResultFacts(Row(outcome=outcomes[0], doi=NAME, input=NAME, others=others)))
    assert (found.text, found.tone) == (text, tone)


def test_a_record_whose_only_addresses_are_no_web_addresses_is_not_praised():
    found = choose_headline(ResultFacts(Row(outcome="resolved", doi=NAME, urls=["javascript:alert(1)"])))
    assert (found.code, found.tone) == ("unsafe-address", "warn")


def test_a_link_that_is_cut_names_the_sign_at_which_it_stops():
    for code, sign in (("unescaped-hash", "#"), ("unescaped-question-mark", "?")):
        facts = build_facts("not-found", (code,), {"suggestion": f"{NAME}{sign}b", "form": "url"})
        assert f"The link stops at “{sign}”." in choose_headline(facts).sentence


def test_the_hosts_of_a_record_are_named_once_and_only_web_hosts():
    row = Row(
        outcome="resolved", doi=NAME, urls=["https://a.example/1", "https://a.example/2", "x:y", "http://b.example"]
    )
    use = choose_usable_doi(ResultFacts(row))
    assert use
    assert use.hosts == [("a.example", "https://a.example/1"), ("b.example", "http://b.example")]


@pytest.mark.parametrize(("doi", "line"), [("10.1000/182", "024 7_ $a10.1000/182$2doi"), ("10.1000/a$2b", "")])
def test_field_024_has_the_name_as_it_is_and_none_with_the_sign_of_a_subfield(doi: str, line: str):
    use = choose_usable_doi(ResultFacts(Row(outcome="resolved", doi=doi)))
    assert use
    assert use.marc == line


def test_each_headline_is_said_in_german():
    with override("de"):
        for table in TABLES:
            for one in table:
                assert not re.search(r"\b(?:the|is|and|its)\b", f"{one.text} {one.sentence}"), one.code
