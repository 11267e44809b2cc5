"""What goes back into a catalogue, by the outcome, the problems and the decision of a row."""

import pytest

from resolver.domain.report.correction import PERSONAL, Correction, find_correction, find_proposal, is_plain

NAME, OTHER = "10.1000/182", "10.17487/RFC3651"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        # outcome, problems, the rest; correction, corrected DOI
        (("resolved", ""), ("unchanged", NAME)),
        (("registered", ""), ("unchanged", NAME)),
        (("no-url", ""), ("unchanged", NAME)),
        (("no-values", ""), ("unchanged", NAME)),
        (("resolved", "old-resolver", {"text": f"http://dx.doi.org/{NAME}"}), ("cleaned", NAME)),
        (("resolved", "surrounding-text publisher-url wrapped", {"text": "see it"}), ("cleaned", NAME)),
        (("resolved", "from-link", {"text": f"https://doi.org/{NAME}"}), ("cleaned", NAME)),
        (("resolved", "trailing-punctuation trailing-slash look-alike"), ("unchanged", NAME)),
        (("resolved", "double-encoded"), ("unchanged", NAME)),
        (("resolved", "alias", {"alias_of": OTHER}), ("main-doi", OTHER)),
        (("resolved", "alias several-dois", {"alias_of": OTHER}), ("review", "")),
        (("no-url", "alias", {"alias_of": OTHER}), ("review", "")),  # the main name isn't registered
        (("resolved", "alias", {"alias_of": "20.500/x"}), ("review", "")),  # it is no DOI
        (("resolved", "alias", {"alias_of": "10.1000"}), ("review", "")),  # it is only a prefix
        (("no-values", "alias", {"alias_of": OTHER}), ("main-doi", OTHER)),
        (("resolved", "unescaped-comma"), ("review", "")),
        (("no-url", "alias-loop"), ("review", "")),
        (("resolved", "unescaped-hash"), ("review", "")),
        (("resolved", "unescaped-question-mark"), ("review", "")),
        (("resolved", "unescaped-space"), ("review", "")),
        (("resolved", "inner-space surrounding-text"), ("review", "")),
        (("registered", "leftover"), ("review", "")),
        (("resolved", "glued-dois"), ("review", "")),
        (("resolved", "deleted"), ("review", "")),
        (("resolved", "several-dois"), ("review", "")),
        (("resolved", "unsafe-url"), ("review", "")),
        (("resolved", "link-differs"), ("review", "")),
        (("not-found", "", {"suggestion": OTHER}), ("suggested", OTHER)),
        (("invalid", "no-doi", {"suggestion": OTHER}), ("suggested", OTHER)),
        (("not-found", "unescaped-hash", {"suggestion": OTHER}), ("suggested", OTHER)),
        (("not-found", "", {"suggestion": OTHER, "doubtful": True}), ("review", "")),
        (("not-found", "several-dois", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "glued-dois", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "link-differs", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "unproven-suggestion", {"suggestion": OTHER}), ("review", "")),
        (("invalid", "no-doi unproven-suggestion", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "other-not-registered", {"suggestion": OTHER}), ("review", "")),
        (("not-found", "cut-short", {"suggestion": OTHER}), ("review", "")),
        (("resolved", "cut-short"), ("review", "")),
        (("not-found", ""), ("not-registered", "")),
        (("not-found", "several-dois"), ("not-registered", "")),
        (("invalid", "no-doi"), ("no-doi", "")),
        (("invalid", "missing-suffix"), ("no-doi", "")),
        (("proxy-error", ""), ("unchecked", "")),
        (("unreachable", "unescaped-hash"), ("unchecked", "")),
        (("", ""), ("unchecked", "")),
        (("not-found", "", {"decision": "accepted", "decided_doi": OTHER}), ("accepted", OTHER)),
        (("resolved", "several-dois", {"decision": "accepted", "decided_doi": NAME}), ("accepted", NAME)),
        (("invalid", "no-doi", {"decision": "edited", "decided_doi": OTHER}), ("edited", OTHER)),
        (("not-found", "", {"suggestion": OTHER, "decision": "rejected"}), ("rejected", "")),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_row_has_one_correction_and_a_doi_only_where_it_is_certain_or_decided(
    row: tuple[str, str] | tuple[str, str, dict[str, str]], expected: tuple[str, str]
) -> None:
    outcome, problems, *rest = row
    options = rest[0] if rest else {}
    options = {"text": NAME} | options
    assert find_correction(outcome, NAME, problems.split(), **options) == (Correction(expected[0]), expected[1])  # type: ignore[arg-type]  # the options of a case


def test_every_value_of_correction_that_has_a_doi_is_one_of_six() -> None:
    assert set(Correction) - {"unchanged", "cleaned", "suggested", "main-doi", "accepted", "edited"} == {
        "rejected", "review", "not-registered", "no-doi", "unchecked",
    }  # fmt: skip
    assert {"accepted", "edited", "rejected"} == PERSONAL


@pytest.mark.parametrize(
    ("known", "proposal"),
    [
        ({}, NAME),
        ({"alias_of": OTHER}, OTHER),
        ({"also_registered": ["10.1000/182#789"]}, "10.1000/182#789"),
        ({"alias_of": OTHER, "also_registered": ["10.1000/182#789"]}, "10.1000/182#789"),
        ({"suggestion": OTHER, "also_registered": ["10.1000/9"]}, OTHER),
    ],
)
def test_the_proposal_is_the_suggestion_then_the_whole_name_then_the_main_doi(
    known: dict[str, str], proposal: str
) -> None:
    assert find_proposal(NAME, **known) == proposal  # type: ignore[arg-type]  # the options of a case


SICI = "10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        (NAME, NAME),
        (f" {NAME}\t\r\n", NAME),
        ("10.1000/ABC", "10.1000/abc"),
        (f"https://doi.org/{NAME}", NAME),
        (f"HTTPS://DOI.ORG/{NAME}", NAME),
        (SICI, SICI),
        ("https://doi.org/10.1002/(SICI)1096-8644(199601)99:1%3C1::AID-AJPA1%3E3.0.CO;2-1", SICI),
        ("https://doi.org/10.1002/%28SICI%291096-8644%28199601%2999%3a1%3C1%3A%3AAID-AJPA1%3e3.0.CO%3B2-1", SICI),
        ("https://doi.org/10.1000/a%23b%3Fc%25d", "10.1000/a#b?c%d"),
        ("https://doi.org/10.1000/a%2528", "10.1000/a%28"),
        ("10.1000/a#b", "10.1000/a#b"),
        ("https://doi.org/10.1000/%C3%A9", "10.1000/é"),
        ("10.1000/182.", "10.1000/182."),
    ],
)
def test_a_doi_and_its_encoded_link_are_plain(text: str, doi: str) -> None:
    assert is_plain(text, doi)


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        (f"http://doi.org/{NAME}", NAME),
        (f"https://dx.doi.org/{NAME}", NAME),
        (f"https://www.doi.org/{NAME}", NAME),
        (f"doi.org/{NAME}", NAME),
        (f"https://doi.org/https://doi.org/{NAME}", NAME),
        (f"doi:{NAME}", NAME),
        (f"DOI: {NAME}", NAME),
        (f"info:doi/{NAME}", NAME),
        (f"urn:doi:{NAME.replace('/', ':')}", NAME),
        (f"\u00a0{NAME}", NAME),
        (f"{NAME}\u200b", NAME),
        (f"{NAME}.", NAME),
        (f"({NAME})", NAME),
        (f"https://doi.org/{NAME}?utm_source=x", NAME),
        (f"https://doi-org.ezproxy.lib.example.edu/{NAME}", NAME),
        ("10.1371%2Fjournal.pone.0147776", "10.1371/journal.pone.0147776"),
        ("https://doi.org/10.1371%2Fjournal.pone.0147776", "10.1371/journal.pone.0147776"),
        ("https://doi.org/10.1371/journal%2Epone", "10.1371/journal.pone"),
        ("https://doi.org/10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1", SICI),
        ("https://doi.org/10.1000/a%252528", "10.1000/a%28"),
        ("https://doi.org/10.1000/é", "10.1000/é"),
        ("10.1002/a&lt;b", "10.1002/a<b"),
    ],
)
def test_a_text_that_holds_more_or_writes_the_doi_otherwise_is_not_plain(text: str, doi: str) -> None:
    assert not is_plain(text, doi)
