"""What to do next, for every outcome and situation."""

import itertools
from typing import Any

import pytest

from resolver.domain.problems.problem import CATALOGUE
from resolver.domain.report.destination import NOWHERE
from resolver.domain.report.outcome import Outcome
from resolver.models import Row
from resolver.web.lookups.next_steps import NextStep, ResultFacts, list_next_steps

NAME = "10.5555/a"
HERE, GONE = {"doi": "10.5555/b", "outcome": "resolved"}, {"doi": "10.5555/c", "outcome": "not-found"}


def steps(outcome: str, *codes: str, **known: Any) -> list[NextStep]:
    facts = {name: known.pop(name) for name in ("suggestion", "meant", "untried", "longer") if name in known}
    return list_next_steps(ResultFacts(Row(outcome=outcome, **{"doi": NAME, "input": NAME, **known}), codes, **facts))


SITUATIONS: list[tuple[str, tuple[str, ...], dict[str, Any], list[str]]] = [
    ("resolved", (), {}, ["nothing"]),
    ("resolved", ("old-resolver",), {}, ["use-link"]),
    ("resolved", ("leftover",), {"input": "10.5555\\a"}, ["use-link"]),
    ("resolved", ("unescaped-hash",), {"longer": [(f"{NAME}#b", True)]}, ["whole"]),
    ("resolved", ("unescaped-hash", "publisher-url"), {"longer": [(f"{NAME}#b", False)]}, ["use-link"]),
    ("resolved", ("inner-space",), {"longer": [(f"{NAME}b", False), (f"{NAME} b", None)]}, ["untried"]),
    ("registered", ("inner-space",), {"longer": [(f"{NAME}b", None), (f"{NAME} b", True)]}, ["whole"]),
    ("no-url", ("unescaped-hash",), {"longer": [(f"{NAME}#b", True)]}, ["whole", "tell"]),
    ("resolved", ("inner-space",), {"longer": [(f"{NAME}b", False)], "others": [HERE]}, ["several-dois"]),
    ("resolved", ("unescaped-hash",), {"doi": f"{NAME}#b", "meant": NAME}, ["use-link"]),  # behind doi: (U7)
    ("resolved", ("publisher-url",), {}, ["publisher-url", "use-link"]),
    ("resolved", ("trailing-slash",), {}, ["leave"]),
    ("resolved", ("double-encoded", "percent-in-name"), {}, ["compare-encoded"]),
    ("resolved", ("several-dois",), {"others": [HERE, HERE]}, ["several-dois"]),
    ("resolved", ("surrounding-text", "several-dois"), {"others": [GONE]}, ["others-missing", "several-dois"]),
    ("resolved", ("alias",), {"alias_of": "10.5555/b"}, ["alias"]),
    ("resolved", ("deleted",), {}, ["deleted"]),
    ("resolved", ("unsafe-url",), {}, ["unsafe-url"]),
    *(("resolved", (code,), {}, [code]) for code in NOWHERE),
    ("resolved", ("old-resolver", "private-address"), {}, ["private-address", "use-link"]),
    ("registered", (), {}, ["full"]),
    ("registered", ("unescaped-space",), {}, ["use-link", "full"]),
    ("no-url", (), {}, ["tell"]),
    ("no-url", ("alias",), {"alias_of": "10.5555/b"}, ["alias", "tell"]),
    ("no-url", ("alias-loop",), {"alias_of": "10.5555/b"}, ["tell"]),
    ("no-values", (), {}, ["tell"]),
    ("not-found", ("look-alike",), {"suggestion": "10.5555/b", "prefix_ra": "Crossref"}, ["take"]),
    ("not-found", (), {"prefix_ra": "Crossref"}, ["compare-suffix", "tell", "report"]),
    ("not-found", (), {"prefix_status": "DOI does not exist"}, ["compare-prefix", "search"]),
    ("not-found", (), {"prefix_status": "Unknown"}, ["compare"]),
    ("not-found", (), {}, ["compare", "again"]),
    ("not-found", (), {"untried": True}, ["untried", "compare"]),
    ("not-found", ("unescaped-hash",), {"meant": f"{NAME}#b", "prefix_ra": "OP"}, ["compare-whole", "tell", "report"]),
    ("invalid", ("non-graphic",), {"suggestion": "10.5555/b"}, ["take"]),
    ("invalid", ("non-graphic",), {"meant": "10.5555/b", "untried": True}, ["untried", "non-graphic"]),
    ("invalid", ("non-graphic",), {"meant": "10.5555/b"}, ["non-graphic", "compare"]),
    ("invalid", ("missing-suffix",), {}, ["missing-suffix"]),
    ("invalid", ("no-doi",), {}, ["no-doi"]),
    ("invalid", ("short-doi",), {}, ["short-doi", "again"]),
    ("invalid", ("short-doi",), {"suggestion": "10.5555/b"}, ["take"]),
    ("proxy-error", (), {}, ["again", "status"]),
    ("not-found", ("unescaped-hash",), {"doi": f"{NAME}#b", "meant": NAME}, ["compare", "again"]),
    ("unreachable", ("unescaped-hash",), {}, ["again", "status"]),
    ("", (), {}, ["wait"]),
]


@pytest.mark.parametrize(("outcome", "codes", "known", "expected"), SITUATIONS)
def test_each_situation_has_its_steps_in_order(
    outcome: str, codes: tuple[str, ...], known: dict[str, Any], expected: list[str]
):
    assert [step.code for step in steps(outcome, *codes, **known)] == expected


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


def test_every_outcome_with_every_problem_says_something_whole():
    others: list[dict[str, Any]] = [{}, {"ra": "X", "prefix_ra": "X", "meant": "10.5555/b", "alias_of": "10.5555/c"}]
    for outcome, code, known in itertools.product((*Outcome, ""), CATALOGUE, others):
        told = steps(outcome, code, **known)
        assert told, (outcome, code)
        for step in told:
            assert step.sentence.endswith((".", "…")), step
            assert "%(" not in step.sentence, step
            assert bool(step.href) == bool(step.words), step


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


def test_of_a_cut_text_the_step_names_the_rest():
    whole, encoded = (
        steps("resolved", "unescaped-hash", longer=[(f"{NAME}#b", exists)])[0] for exists in (True, False)
    )
    assert (whole.name, whole.sentence[:43]) == (f"{NAME}#b", "Use the full DOI, with “#b”: it is register")
    assert (encoded.name, encoded.button) == (f"https://doi.org/{NAME}", "")
    assert encoded.sentence == "Use this link. The rest of your text, “#b”, isn’t part of a registered DOI."


def test_other_dois_that_are_not_registered_are_named():
    (first, _several) = steps("resolved", "several-dois", others=[HERE, GONE])
    assert first.sentence == "Correct the other DOI in this text: 10.5555/c isn’t registered."
    (first, _several) = steps("resolved", "several-dois", others=[GONE] * 5)
    assert first.sentence.endswith("which aren’t registered: 10.5555/c, 10.5555/c, 10.5555/c….")


def test_the_agency_to_tell_is_named_with_its_page_and_one_that_nobody_knows_without():
    known, unknown, nobody = (steps("no-url", ra=ra)[0] for ra in ("DataCite", "New Agency", ""))
    assert (known.href, known.words) == ("https://support.datacite.org/", "Contact DataCite")
    assert "contact DataCite: " in known.sentence
    assert (unknown.href, unknown.words) == ("", "")
    assert "contact New Agency: " in unknown.sentence
    assert "contact the publisher: " in nobody.sentence


def test_nobody_is_told_where_a_suggestion_shows_that_the_fault_is_in_the_text():
    (only,) = steps("not-found", prefix_ra="Crossref", suggestion="10.5555/b")
    assert (only.name, only.button, only.href) == ("10.5555/b", "Look up 10.5555/b", "")


def test_where_nothing_could_be_asked_the_first_step_has_the_button():
    assert steps("unreachable")[0].again


def test_a_very_long_name_is_cut_in_the_sentence_and_whole_where_it_is_taken():
    (first, *_rest) = steps("not-found", doi="10.5555/" + "x" * 9000, prefix_ra="Crossref")
    assert len(first.sentence) < 300
    (take,) = steps("not-found", suggestion="10.5555/" + "y" * 9000)
    assert len(take.name) > 9000


def test_a_short_doi_is_not_said_not_to_exist():
    [step] = list_next_steps(ResultFacts(Row(outcome="invalid"), ("short-doi",), suggestion="10.5555/b"))
    assert step.sentence == "Use the DOI that this shortDOI stands for: it is registered."


def test_a_text_that_is_no_doi_is_not_said_to_be_unregistered():
    said = {outcome: steps(outcome, suggestion="10.5555/b")[0].sentence for outcome in ("not-found", "invalid")}
    assert ["yours isn’t registered" in sentence for sentence in said.values()] == [True, False]
