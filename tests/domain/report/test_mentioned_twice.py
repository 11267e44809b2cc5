"""A text that mentions one DOI twice, cut and whole or damaged and whole, mentions one DOI."""

import pytest

from doi_reading import fold, read
from resolver.domain.handle.answers import MissingHandle, Resolution
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.report.judge import ProxyAnswers, judge, judge_other

FOUND = Resolution(Record("10.1000/b", (HandleValue(1, "URL", "string", "https://a/"),)))


def codes(text: str) -> set[str]:
    return {one.code for one in read(text).problems}


def suggested(text: str, *registered: str) -> str:
    """The suggestion where only these names are registered, and the name of the text isn't."""
    reading = read(text)
    known = set(map(fold, registered))
    exists = {fold(one.doi): fold(one.doi) in known for one in reading.candidates}
    others = tuple(
        judge_other(name, FOUND if fold(name) in known else Resolution(MissingHandle())) for name in reading.others
    )
    report = judge(reading, ProxyAnswers(Resolution(MissingHandle()), exists=exists, others=others))
    return report.suggestion.doi if report.suggestion else ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.1007/978-    10.1007/978-8", "10.1007/978-8"),
        ("10.1073/pnas. and then doi: 10.1073/pnas.2423301122.", "10.1073/pnas.2423301122"),
        ("doi: 10.1093/nar/\ngkx372. URL https://example.org/doi/10.1093/nar/gkx372.", "10.1093/nar/gkx372"),
        (
            "[10.1016/j.cell.2010.01.](https://doi.org/10.1016/j.cell.2010.01.001) in 10.1016/j.cell",
            "10.1016/j.cell.2010.01",
        ),
    ],
)
def test_of_a_doi_that_is_there_cut_and_whole_the_whole_is_read(text: str, name: str) -> None:
    assert str(read(text).doi) == name


@pytest.mark.parametrize(
    ("text", "whole", "shorter"),
    [
        ("doi: 10.7717/peerj-cs. 1203. URL https://doi.org/10.7717/peerj-cs.120", "10.7717/peerj-cs.1203", ".120"),
        ("https://doi.org/10.7717/peerj-cs.\n1203 (10.7717/peerj-cs.120)", "10.7717/peerj-cs.1203", ".120"),
        ("10.1186/1471-2407- 14-522 10.1186/1471-2407-14-52", "10.1186/1471-2407-14-522", "14-52"),
    ],
)
def test_a_cut_doi_that_goes_on_to_another_than_the_whole_one_is_another(text: str, whole: str, shorter: str) -> None:
    reading = read(text)
    assert "several-dois" in codes(text)
    assert whole in {one.doi for one in reading.candidates}
    assert [name[-len(shorter) :] for name in reading.others] == [shorter]


def test_a_journal_that_the_text_cut_off_is_no_suggestion() -> None:
    text = r"doi: 10.1162/neco a 01574. URL https://doi.org/10.1162/neco\_a\_01574."
    assert suggested(text, "10.1162/neco") == ""
    assert suggested(text, "10.1162/neco", "10.1162/neco_a_01574") == "10.1162/neco_a_01574"


def test_a_shortened_text_of_a_link_is_no_doi_of_its_own() -> None:
    text = '<a href="https://doi.org/10.1002/ece3.1015">https://doi.org/10.1002/ece3.1...</a>'
    assert (str(read(text).doi), read(text).others) == ("10.1002/ece3.1015", ())
    assert "cut-short" not in codes(text)


def test_two_names_without_a_digit_are_two_even_if_one_begins_the_other() -> None:
    assert read("10.5555/missing 10.5555/missing-too").others == ("10.5555/missing-too",)


@pytest.mark.parametrize(
    "text",
    [
        "10.1007/978-    10.1007/978-8",
        "10.1007/s11230-004-6348-4, 10.1007/s11230–004–6348–4",
        "10.1007/s11230-004-6348-4 10.1007/s11230-004-6348-4",
        "DOI: 10.1000/182 https://doi.org/10.1000/182.",
    ],
)
def test_one_doi_twice_is_a_repetition_and_not_several_dois(text: str) -> None:
    assert "several-dois" not in codes(text)
    assert read(text).others == ()


def test_a_doi_that_is_there_with_look_alikes_is_corrected_by_its_other_mention() -> None:
    text = "[10.1007/978–3–662–54455–6_8](https://doi.org/10.1007/978-3-662-54455-6_8)"
    assert suggested(text, "10.1007/978-3-662-54455-6_8") == "10.1007/978-3-662-54455-6_8"


def test_another_doi_that_a_rule_gives_for_the_first_is_its_suggestion() -> None:
    text = '"http://doi.org/10.1016//j.x.2001.4", "10.1016/j.x.2001.4"'
    assert suggested(text, "10.1016/j.x.2001.4") == "10.1016/j.x.2001.4"


def test_of_two_mentions_of_which_one_begins_the_other_the_longer_is_the_suggestion() -> None:
    text = "10.1038/s41586-020 and 10.1038/s41586-020-2649-2"
    assert suggested(text, "10.1038/s41586-020-2649-2") == "10.1038/s41586-020-2649-2"


@pytest.mark.parametrize(
    ("text", "registered"),
    [
        ("10.5281/zenodo.123 and 10.5281/zenodo.1234", "10.5281/zenodo.1234"),
        ("10.1371/journal.pone.0012345, 10.1371/journal.pone.0012345.g001", "10.1371/journal.pone.0012345.g001"),
        ("10.1234/abc.7 and 10.1234/abc.7.v2", "10.1234/abc.7.v2"),
        ("10.1234/abc.7.12 and 10.1234/abc.7", "10.1234/abc.7"),
        ("10.1000/a1 and 10.1000/b1", "10.1000/b1"),
    ],
)
def test_a_part_a_version_or_another_work_beside_it_is_no_suggestion(text: str, registered: str) -> None:
    assert suggested(text, registered) == ""
    assert "several-dois" in codes(text)


def test_a_journal_is_not_suggested_for_a_name_that_goes_on_at_the_next_line() -> None:
    assert suggested("doi: 10.1093/nar/\ngkx372 and more", "10.1093/nar") == ""
