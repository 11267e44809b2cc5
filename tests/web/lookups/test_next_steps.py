"""What to do next: the steps of each situation, and what must hold in all of them."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest

from doi_reading import CATALOGUE, encode
from resolver.domain.redirect.destination import NOWHERE
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS, Outcome
from resolver.domain.report.target import ELSEWHERE, Target
from resolver.domain.report.triage import GOOD, RowGroup, find_row_group
from resolver.models import Row
from resolver.web.lookups.next_steps import NextStep, ResultFacts, list_next_steps

NAME = "10.5555/a"
LINK = f"https://doi.org/{NAME}"
HERE, GONE = {"doi": "10.5555/b", "outcome": "resolved"}, {"doi": "10.5555/c", "outcome": "not-found"}
LATER = {"doi": "10.5555/d", "outcome": ""}
_OF_FACTS = (
    "form", "suggestion", "doubtful", "meant", "untried", "rivals", "longer", "address", "expected", "found", "titled",
)  # fmt: skip


def build_facts(outcome: str, codes: tuple[str, ...], known: dict[str, Any]) -> ResultFacts:
    facts = {name: value for name, value in known.items() if name in _OF_FACTS}
    columns = {name: value for name, value in known.items() if name not in _OF_FACTS}
    return ResultFacts(Row(outcome=outcome, **{"doi": NAME, "input": NAME, **columns}), codes, **facts)


def steps(outcome: str, *codes: str, **known: Any) -> list[NextStep]:
    return list_next_steps(build_facts(outcome, codes, known))


SITUATIONS: list[tuple[str, tuple[str, ...], dict[str, Any], list[str]]] = [
    ("resolved", (), {}, ["nothing"]),
    ("resolved", ("unescaped-slash",), {"input": f"doi:{NAME}", "form": "uri"}, ["nothing"]),
    ("resolved", ("old-resolver",), {"input": f"http://dx.doi.org/{NAME}", "form": "url"}, ["store"]),
    ("resolved", ("look-alike",), {"input": "10.5555\\a"}, ["store"]),
    ("resolved", ("leftover",), {"input": "10.5555\\a"}, ["compare-meant"]),
    ("resolved", ("unescaped-hash",), {"longer": [(f"{NAME}#b", True)]}, ["whole"]),
    ("resolved", ("unescaped-hash",), {"longer": [(f"{NAME}#b", False)], "input": f"{NAME}#b"}, ["compare-rest"]),
    ("resolved", ("inner-space",), {"longer": [(f"{NAME}b", False), (f"{NAME} b", None)]}, ["untried"]),
    ("registered", ("inner-space",), {"longer": [(f"{NAME}b", None), (f"{NAME} b", True)]}, ["whole"]),
    ("no-url", ("unescaped-hash",), {"longer": [(f"{NAME}#b", True)]}, ["whole"]),
    ("resolved", ("inner-space",), {"longer": [(f"{NAME}b", False)], "others": [HERE]}, ["several-dois"]),
    ("resolved", ("publisher-url",), {"input": f"https://x.example/{NAME}"}, ["publisher-url"]),
    ("resolved", ("trailing-slash",), {}, ["leave"]),
    ("resolved", ("double-encoded", "percent-in-name"), {}, ["compare-encoded"]),
    ("resolved", ("several-dois",), {"others": [HERE, HERE]}, ["several-dois"]),
    ("resolved", ("link-differs",), {"others": [HERE]}, ["link-differs"]),
    ("resolved", ("surrounding-text", "several-dois"), {"others": [GONE]}, ["others-missing", "several-dois"]),
    ("resolved", ("alias",), {"alias_of": "10.5555/b"}, ["alias"]),
    ("resolved", ("alias", "old-resolver"), {"alias_of": "10.5555/b", "input": f"http://dx.doi.org/{NAME}"}, ["alias"]),
    ("resolved", ("deleted",), {}, ["deleted"]),
    ("resolved", ("deleted", "old-resolver"), {"input": f"http://dx.doi.org/{NAME}", "form": "url"}, ["deleted"]),
    ("resolved", ("unsafe-url",), {}, ["unsafe-url"]),
    ("resolved", (), {"incomplete": True}, ["incomplete"]),
    ("resolved", ("old-resolver",), {"input": f"dx.doi.org/{NAME}", "incomplete": True}, ["store", "incomplete"]),
    ("resolved", ("inner-space",), {"incomplete": True, "longer": [(f"{NAME}b", None)]}, ["untried"]),
    ("not-found", (), {"incomplete": True}, ["compare", "again"]),
    *(("resolved", (code,), {}, [code]) for code in NOWHERE),
    ("resolved", ("old-resolver", "private-address"), {"input": f"http://dx.doi.org/{NAME}"}, ["private-address"]),
    ("resolved", (), {"address": "other-host", "expected": "https://a", "found": "https://b"}, ["correct-address"]),
    ("resolved", (), {"address": "same-host", "expected": "https://a/1", "found": "https://a/2"}, ["other-page"]),
    ("no-url", (), {"address": "no-address", "expected": "https://a"}, ["correct-address"]),
    ("not-found", (), {"address": "no-address", "expected": "https://a"}, ["compare", "again"]),
    ("registered", (), {}, ["full"]),
    ("registered", ("unescaped-space",), {}, ["compare-meant", "full"]),
    ("no-url", (), {}, ["contact-agency"]),
    ("no-url", ("alias",), {"alias_of": "10.5555/b"}, ["contact-agency", "alias"]),
    ("no-url", ("alias-loop",), {"alias_of": "10.5555/b"}, ["alias-loop"]),
    ("no-values", (), {}, ["contact-agency"]),
    ("not-found", ("look-alike",), {"suggestion": "10.5555/b", "prefix_ra": "Crossref"}, ["take"]),
    ("not-found", (), {"suggestion": "10.5555/b", "doubtful": True, "prefix_ra": "Crossref"}, ["guess"]),
    ("not-found", ("cut-short",), {"suggestion": "10.5555/b"}, ["guess"]),
    ("not-found", ("cut-short",), {"prefix_ra": "Crossref"}, ["cut-short"]),
    ("not-found", (), {"rivals": ["10.5555/b", "10.5555/c"], "prefix_ra": "Crossref"}, ["rivals"]),
    ("not-found", (), {"prefix_ra": "Crossref"}, ["compare-suffix", "contact-agency", "report"]),
    ("not-found", (), {"prefix_status": "DOI does not exist"}, ["compare-prefix", "search"]),
    ("not-found", (), {"prefix_status": "Unknown"}, ["compare"]),
    ("not-found", (), {}, ["compare", "again"]),
    ("not-found", (), {"untried": True, "prefix_ra": "Crossref"}, ["untried", "compare-suffix"]),
    (
        "not-found",
        ("unescaped-hash",),
        {"meant": f"{NAME}#b", "prefix_ra": "OP"},
        ["compare-whole", "contact-agency", "report"],
    ),
    ("invalid", ("non-graphic",), {"suggestion": "10.5555/b"}, ["take"]),
    ("invalid", ("non-graphic",), {"meant": "10.5555/b", "untried": True}, ["untried", "non-graphic"]),
    ("invalid", ("non-graphic",), {"meant": "10.5555/b"}, ["non-graphic", "compare"]),
    ("invalid", ("missing-suffix",), {}, ["missing-suffix"]),
    ("invalid", ("no-doi",), {}, ["no-doi"]),
    ("invalid", ("template",), {}, ["template"]),
    ("invalid", ("no-doi", "test-prefix"), {"doi": "", "input": "https://sandbox.zenodo.org/"}, ["no-doi"]),
    ("not-found", ("test-prefix",), {"doi": "10.5072/a", "prefix_ra": "DataCite"}, ["no-doi"]),
    ("not-found", ("fake-resolver",), {"prefix_ra": "Crossref"}, ["fake-resolver"]),
    ("not-found", ("fake-resolver",), {"suggestion": "10.5555/b"}, ["take"]),
    ("not-found", ("template",), {"prefix_ra": "Crossref"}, ["template"]),
    ("not-found", ("test-prefix",), {"prefix_status": "Unknown"}, ["test-prefix"]),
    ("invalid", ("short-doi",), {}, ["short-doi", "again"]),
    ("invalid", ("short-doi",), {"suggestion": "10.5555/b"}, ["take"]),
    ("invalid", ("short-doi", "unproven-suggestion"), {"suggestion": "10.5555/b"}, ["unproven-suggestion"]),
    ("proxy-error", (), {}, ["again", "status"]),
    ("proxy-error", ("not-read",), {}, ["again", "not-read"]),
    ("not-found", ("unescaped-hash",), {"doi": f"{NAME}#b", "meant": NAME}, ["compare", "again"]),  # behind doi: (U7)
    ("unreachable", ("unescaped-hash",), {}, ["again", "status"]),
    ("", (), {}, ["wait"]),
]


@pytest.mark.parametrize(("outcome", "codes", "known", "expected"), SITUATIONS)
def test_each_situation_has_its_steps_in_order(
    outcome: str, codes: tuple[str, ...], known: dict[str, Any], expected: list[str]
):
    assert [step.code for step in steps(outcome, *codes, **known)] == expected


# One problem of each kind that the table tells apart.
KINDS = [
    "", "old-resolver", "from-link", "publisher-url", "unescaped-hash", "leftover", "trailing-slash", "unescaped-slash",
    "look-alike", "double-encoded", "several-dois", "other-not-registered", "link-differs", "short-doi", "no-doi",
    "missing-suffix", "cut-short", "unproven-suggestion", "fake-resolver", "deleted", "unsafe-url", "alias",
    "alias-loop", "empty", "template", "test-prefix", "leads-to-itself",
]  # fmt: skip
WRITINGS: list[dict[str, Any]] = [
    {},
    {"input": LINK, "form": "url"},
    {"input": LINK, "form": "url", "titled": True},
    {"input": f"http://dx.doi.org/{NAME}", "form": "url"},
    {"input": f"doi:{NAME}", "form": "uri", "titled": True},
    {"input": "10.5555%2Fa", "form": "name"},
    {"input": f"https://proxy.example/{NAME}", "form": "wrapped"},
]
BESIDE: list[dict[str, Any]] = [{}, {"others": [HERE]}, {"others": [HERE, GONE]}, {"others": [GONE, LATER]}]
ADDRESSES: list[dict[str, Any]] = [
    {},
    {"address": "same", "expected": "https://a.example/", "found": "https://a.example/"},
    {"address": "same-host", "expected": "https://a.example/1", "found": "https://a.example/2"},
    {"address": "other-host", "expected": "https://a.example/", "found": "https://b.example/"},
    {"address": "no-address", "expected": "https://a.example/"},
]
OF_EXISTING: list[dict[str, Any]] = [
    *ADDRESSES,
    {"alias_of": "10.5555/main", "ra": "DataCite"},
    *({"longer": [(f"{NAME}#b", exists)]} for exists in (True, False, None)),
]
OF_MISSING: list[dict[str, Any]] = [
    {},
    {"prefix_ra": "Crossref"},
    {"prefix_status": "DOI does not exist"},
    {"prefix_ra": "DataCite", "meant": f"{NAME}#b"},
    {"meant": f"{NAME}b", "untried": True, "prefix_ra": "DataCite"},
    {"suggestion": "10.5555/b", "prefix_ra": "Crossref"},
    {"suggestion": "10.5555/b", "doubtful": True},
    {"rivals": ["10.5555/b", "10.5555/c"], "prefix_ra": "Crossref"},
]


def walk_situations() -> Iterator[ResultFacts]:
    """Every outcome with every problem alone and with every two of the kinds, each with some of all that decides about
    the steps besides."""
    pairs = itertools.combinations([code for code in KINDS if not code or code in CATALOGUE], 2)
    codes = [(), *((code,) for code in CATALOGUE), *(tuple(filter(None, pair)) for pair in pairs)]
    for outcome, held in itertools.product((*Outcome, ""), codes):
        around = OF_EXISTING if outcome in EXISTS else OF_MISSING
        for place, known in enumerate(itertools.product(around, BESIDE, WRITINGS)):
            unlike = "other-not-registered" in held and GONE not in known[1].get("others", [])
            if place % 41 == len("".join(held)) % 41 and not unlike:
                yield build_facts(outcome, held, {**known[2], **known[1], **known[0]})


# Steps of one of these sets say opposite things.
OPPOSED = [
    {
        "store",
        "alias",
        "whole",
        "compare-rest",
        "compare-meant",
        "publisher-url",
        "compare-encoded",
        "leave",
        "nothing",
    },
    {"take", "guess", "rivals", "unproven-suggestion", "compare", "compare-suffix", "compare-prefix", "compare-whole"},
    {"take", "guess", "rivals", "unproven-suggestion", "cut-short", "untried", "contact-agency", "search", "again"},
    {"deleted", "store", "publisher-url"},
    {"deleted", "correct-address", "contact-agency", "unsafe-url", "other-page", "alias-loop"},
    {"whole", "contact-agency", "correct-address", "other-page"},
    {"take", "guess", "rivals", "short-doi", "empty", "template", "test-prefix"},
    {"take", "guess", "rivals", "no-doi"},
    {"take", "guess", "rivals", "missing-suffix"},
    {"untried", "contact-agency", "again"},
    {"others-missing", "nothing"},
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


def test_in_every_situation_the_steps_are_whole_sentences_with_their_pages_and_names(told: Told):
    for facts, listed, _codes in told:
        case = (facts, listed)
        assert listed, case
        for step in listed:
            assert step.sentence.endswith((".", "…", ":")), case
            assert step.sentence.endswith(":") <= bool(step.name), case
            assert "%(" not in step.sentence, case
            assert bool(step.href) == bool(step.words), case
            assert (step.href != "#others-title") or facts.result.others, case
            assert bool(step.button) <= bool(step.name), case


def test_what_is_to_be_stored_is_never_the_text_itself_and_a_link_only_for_links(told: Told):
    for facts, listed, _codes in told:
        case = (facts, listed)
        for step in listed:
            assert step.name != facts.result.input or step.code == "full", case
            if step.name and not step.button:
                is_link = facts.form in ("url", "wrapped") and "from-link" not in facts.codes
                assert step.name.startswith("https://doi.org/") == is_link, case


def test_nothing_is_called_registered_that_is_not_and_nothing_unregistered_that_is(told: Told):
    not_said = re.compile(r"prefix [0-9.]+ is registered|Neither \S+ nor \S+ is registered|None of [^.]+ is registered")
    for facts, listed, _codes in told:
        case = (facts, listed)
        said = not_said.sub("", " ".join(step.sentence for step in listed if step.code != "others-missing"))
        if facts.result.outcome in EXISTS:
            assert not re.search(rf"(?:{NAME}|yours|this DOI|the DOI) isn’t", said), case
        elif not facts.suggestion and not facts.rivals:
            assert not re.search(r"(?:is|are|It’s) registered|Registered\.", said), case


def test_what_needs_attention_is_never_said_to_be_right(told: Told):
    for facts, listed, codes in told:
        case = (facts, listed)
        outcome = facts.result.outcome
        group = find_row_group(outcome, facts.codes, facts.address if outcome in GOOD else "")
        if {"nothing", "leave"} & {*codes}:
            assert group in (RowGroup.FINE, RowGroup.TIDIER), case
            assert codes in (["nothing"], ["leave"]), case
        if "nothing" in codes:
            assert group == RowGroup.FINE, case
        if outcome in GOOD and group == RowGroup.NEEDS_WORK:
            assert codes != ["full"], case


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
            of_text = {"several-dois", "others-missing", "link-differs", "broken-link"}
            assert {*codes} <= {"again", "status", "not-read"} | of_text, case
            assert next(step for step in listed if step.code == "again").again, case
        assert sum(step.again for step in listed) <= 1, case


def test_no_other_doi_is_said_to_be_checked_that_was_not(told: Told):
    for facts, listed, _codes in told:
        case = (facts, listed)
        if LATER in facts.result.others:
            assert "We checked the other" not in " ".join(step.sentence for step in listed), case


def test_of_a_row_with_a_title_it_is_not_said_that_there_is_nothing_to_do():
    assert steps("resolved")[0].sentence == "Nothing to do. Keep this DOI as it is."
    assert steps("resolved", titled=True)[0].sentence == "Registered. We did not compare it with your title."


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("unescaped-hash", "The link ends at the “#”. "),
        ("unescaped-question-mark", "The link ends at the “?”. "),
        ("inner-space", "Check it against the publication, including the part that was cut off. "),
    ],
)
def test_of_a_link_that_ends_early_the_first_step_says_where(code: str, said: str):
    assert steps("not-found", code, meant=f"{NAME}x")[0].sentence.startswith(said)


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


def test_of_a_cut_text_the_step_names_the_rest():
    whole, encoded = (
        steps("resolved", "unescaped-hash", longer=[(f"{NAME}#b", exists)], input=f"{LINK}#b", form="url")[0]
        for exists in (True, False)
    )
    assert (whole.name, whole.sentence[:43]) == (f"{NAME}#b", "Use the full DOI, with “#b”: it is register")
    assert (encoded.name, encoded.button) == (LINK, "")
    assert "the rest of your text, “#b”, isn’t part of a registered DOI" in encoded.sentence


@pytest.mark.parametrize(
    ("text", "form", "codes", "stored"),
    [
        (f"http://dx.doi.org/{NAME}", "url", ("old-resolver",), LINK),
        ("10.5555%2Fa", "name", ("percent-in-name",), NAME),
        (f"See {NAME} there", "text", ("surrounding-text",), NAME),
        (LINK, "url", ("from-link",), NAME),
        (f"http://dx.doi.org/{NAME}", "url", ("from-link", "old-resolver"), NAME),
    ],
)
def test_a_name_is_stored_as_a_name_and_a_link_as_a_link(text: str, form: str, codes: tuple[str, ...], stored: str):
    [step] = steps("resolved", *codes, input=text, form=form)
    assert (step.sentence, step.name) == ("Store the DOI like this:", stored)


def test_other_dois_that_are_not_registered_are_named():
    (first, _several) = steps("resolved", "several-dois", others=[HERE, GONE])
    assert first.sentence == "Correct the other DOI in this text: 10.5555/c isn’t registered."
    (first, _several) = steps("resolved", "several-dois", others=[GONE] * 5)
    assert first.sentence.endswith("that aren’t registered: 10.5555/c, 10.5555/c, 10.5555/c….")


def test_the_agency_to_tell_is_named_with_its_page_and_one_that_nobody_knows_without():
    known, unknown, nobody = (steps("no-url", ra=ra)[0] for ra in ("DataCite", "New Agency", ""))
    assert (known.href, known.words) == ("https://support.datacite.org/", "Contact DataCite")
    assert "Ask DataCite to" in known.sentence
    assert (unknown.href, unknown.words) == ("", "")
    assert "Ask New Agency to" in unknown.sentence
    assert "Ask the publisher to" in nobody.sentence


def test_a_suggestion_has_a_button_that_names_it():
    (only,) = steps("not-found", prefix_ra="Crossref", suggestion="10.5555/b")
    assert (only.name, only.button, only.href) == ("10.5555/b", "Look up 10.5555/b", "")


def test_a_short_doi_has_a_button_that_names_the_doi_behind_it():
    (only,) = steps("invalid", "short-doi", suggestion="10.5555/b")
    assert only.button == "Look up 10.5555/b"


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


def test_a_very_long_name_is_cut_in_the_sentence_and_whole_where_it_is_taken():
    (first, *_rest) = steps("not-found", doi="10.5555/" + "x" * 9000, prefix_ra="Crossref")
    assert len(first.sentence) < 300
    (take,) = steps("not-found", suggestion="10.5555/" + "y" * 9000)
    assert len(take.name) > 9000
    (many,) = steps("not-found", rivals=["10.5555/" + "z" * 9000] * 1000)
    assert len(many.sentence) < 600


def test_a_short_doi_is_not_said_not_to_exist():
    [step] = list_next_steps(ResultFacts(Row(outcome="invalid"), ("short-doi",), suggestion="10.5555/b"))
    assert step.sentence == "Use the DOI that this shortDOI stands for: it is registered."


def test_a_text_that_is_no_doi_is_not_said_to_be_unregistered():
    said = {outcome: steps(outcome, suggestion="10.5555/b")[0].sentence for outcome in ("not-found", "invalid")}
    assert ["yours isn’t" in sentence for sentence in said.values()] == [True, False]


def test_another_page_of_the_expected_site_is_to_be_compared():
    [step] = steps("resolved", address=Target.SAME_HOST, expected="https://a.example/1", found="https://a.example/2")
    assert "(expected https://a.example/1, found https://a.example/2)" in step.sentence


def test_a_doi_is_stored_as_its_encoded_link():
    [step] = steps(
        "resolved", "unescaped-recommended", doi="10.5555/<a>", input="https://doi.org/10.5555/<a>", form="url"
    )
    assert step.name == encode("10.5555/<a>") == "https://doi.org/10.5555/%3Ca%3E"
