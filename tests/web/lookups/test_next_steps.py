"""What to do next: the steps of each situation, and what must hold in all of them."""

import re
from typing import Any

import pytest

from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS
from resolver.domain.report.target import ELSEWHERE, Target
from resolver.web.lookups.next_steps import NextStep, list_next_steps
from resolver.web.lookups.result_facts import ResultFacts
from tests.web.lookups.situations import GONE, HERE, NAME, SITUATIONS, build_facts, walk_situations


def steps(outcome: str, *codes: str, **known: Any) -> list[NextStep]:
    return list_next_steps(build_facts(outcome, codes, known))


@pytest.mark.parametrize(("outcome", "codes", "known", "expected"), SITUATIONS)
def test_each_situation_has_its_steps_in_order(
    outcome: str, codes: tuple[str, ...], known: dict[str, Any], expected: tuple[str, str, list[str]]
):
    assert [step.code for step in steps(outcome, *codes, **known)] == expected[2]


# Steps of one of these sets say opposite things.
OPPOSED = [
    {"compare", "compare-suffix", "compare-prefix", "compare-whole"},
    {"cut-short", "untried", "contact-agency", "search", "again"},
    {"deleted", "correct-address", "contact-agency", "unsafe-url", "other-page", "alias-loop"},
    {"untried", "correct-address", "other-page"},
]


Told = list[tuple[ResultFacts, list[NextStep], list[str]]]


@pytest.fixture(scope="module")
def told() -> Told:
    """Each situation with its steps, and their codes."""
    listed = ((facts, list_next_steps(facts)) for facts in walk_situations())
    return [(facts, each, [step.code for step in each]) for facts, each in listed]


def test_in_no_situation_do_two_steps_say_opposite_things(told: Told):
    assert len(told) > 10_000
    for facts, listed, codes in told:
        case = (facts, listed)
        assert len(codes) == len(set(codes)), case
        for opposed in OPPOSED:
            assert len(opposed.intersection(codes)) <= 1, (opposed.intersection(codes), case)


def test_in_every_situation_the_steps_are_whole_sentences_with_their_pages(told: Told):
    for facts, listed, _codes in told:
        case = (facts, listed)
        assert listed or facts.result.outcome in EXISTS or facts.suggestion or facts.rivals, case
        for step in listed:
            assert step.sentence.endswith((".", "…")), case
            assert "%(" not in step.sentence, case
            assert bool(step.href) == bool(step.words), case


def test_nothing_is_called_registered_that_is_not_and_nothing_unregistered_that_is(told: Told):
    not_said = re.compile(r"prefix [0-9.]+ is registered|Neither \S+ nor \S+ is registered|None of [^.]+ is registered")
    for facts, listed, _codes in told:
        case = (facts, listed)
        said = not_said.sub("", " ".join(step.sentence for step in listed if step.code != "others-missing"))
        if facts.result.outcome in EXISTS:
            assert not re.search(rf"(?:{NAME}|yours|this DOI|the DOI) isn’t", said), case
        elif not facts.suggestion and not facts.rivals:
            assert not re.search(r"(?:is|are|It’s) registered|Registered\.", said), case


def test_a_doi_that_leads_to_another_site_is_corrected_first(told: Told):
    for facts, listed, codes in told:
        case = (facts, listed)
        is_one = not facts.longer or facts.longer[0][1] is False
        if facts.address not in ELSEWHERE or facts.result.outcome not in EXISTS or not is_one:
            continue
        assert codes[0] == ("deleted" if "deleted" in facts.codes else "correct-address"), case
        if codes[0] == "correct-address":
            assert f"expected {facts.expected}, found {facts.found or 'none'}" in listed[0].sentence, case


def test_where_nothing_could_be_asked_nothing_is_advised_but_to_check_again(told: Told):
    for facts, listed, codes in told:
        case = (facts, listed)
        if facts.result.outcome in COULD_NOT_ASK:
            of_text = {"others-missing", "link-differs", "broken-link"}
            assert {*codes} <= {"again", "status", "not-read"} | of_text, case
            assert next(step for step in listed if step.code == "again").again, case
        assert sum(step.again for step in listed) <= 1, case


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("leads-to-itself", "leads back to the DOI itself."),
        ("leads-to-missing", "leads to a DOI that isn’t registered."),
        ("private-address", "leads into a private network, which readers can’t open."),
    ],
)
def test_of_a_record_that_leads_nowhere_the_step_says_what_to_tell_whom(code: str, said: str):
    [step] = steps("resolved", code, ra="DataCite", doi="10.60001/100%s")
    assert (step.sentence, step.href) == (
        f"Tell DataCite: the record of 10.60001/100%s {said}",
        "https://support.datacite.org/",
    )


def test_other_dois_that_are_not_registered_are_named():
    [first] = steps("resolved", "several-dois", others=[HERE, GONE])
    assert first.sentence == "Correct the other DOI in this text: 10.5555/c isn’t registered."
    [first] = steps("resolved", "several-dois", others=[GONE] * 5)
    assert first.sentence.endswith("that aren’t registered: 10.5555/c, 10.5555/c, 10.5555/c….")


def test_the_agency_to_tell_is_named_with_its_page_and_one_that_nobody_knows_without():
    known, unknown, nobody = (steps("no-url", ra=ra)[0] for ra in ("DataCite", "New Agency", ""))
    assert (known.href, known.words) == ("https://support.datacite.org/", "Contact DataCite")
    assert "Ask DataCite to" in known.sentence
    assert (unknown.href, unknown.words) == ("", "")
    assert "Ask New Agency to" in unknown.sentence
    assert "Ask the publisher to" in nobody.sentence


def test_what_is_left_to_check_is_not_the_agency_where_it_is_known():
    known, unknown = (steps("resolved", incomplete=True, ra=ra)[0] for ra in ("Crossref", ""))
    assert "such as another DOI in the text" in known.sentence
    assert "such as its agency" in unknown.sentence
    assert known.again
    assert unknown.again


@pytest.mark.parametrize("doi", ["10.5072/some-thesis", ""])
def test_only_of_a_name_that_acm_shows_a_web_address_is_to_be_kept(doi: str):
    acm, other = steps("not-found", "test-prefix"), steps("not-found", "test-prefix", doi=doi, input="x")
    assert "ACM" in acm[0].sentence
    assert [one.sentence for one in other] == ["Look for the DOI on the landing page or in the reference."]


def test_nobody_is_sent_to_an_agency_with_a_link_that_poses_as_the_doi_system():
    (only,) = steps("not-found", "fake-resolver", prefix_ra="Crossref")
    assert "Don’t use this link." in only.sentence
    assert not only.href


def test_a_very_long_name_is_cut_in_the_sentence():
    (first, *_rest) = steps("not-found", doi="10.5555/" + "x" * 9000, prefix_ra="Crossref")
    assert len(first.sentence) < 300


def test_another_page_of_the_expected_site_is_to_be_compared():
    [step] = steps("resolved", address=Target.SAME_HOST, expected="https://a.example/1", found="https://a.example/2")
    assert "(expected https://a.example/1, found https://a.example/2)" in step.sentence
