"""The score on the corpus, offline: what the reader finds in text that people really paste."""

import pytest

from doi_reading import fold, read
from tests.doi_reading.corpus import AS_IT_IS, DAMAGED, FOLDER, NO_DOI, Case, cases, offered, read_cases, table

SHARE = 0.95


def of_group(group: str) -> list[Case]:
    return [case for case in cases() if case.group == group]


def test_of_damaged_texts_the_right_name_is_offered_in_95_percent() -> None:
    met = [(case, case.is_met_by(offered(case.input))) for case in of_group(DAMAGED)]
    assert sum(is_met for _, is_met in met) >= SHARE * len(met), table(met)


@pytest.mark.clause("S4")
def test_text_in_which_nothing_is_a_doi_yields_neither_a_name_nor_a_candidate() -> None:
    found = {case.input: names for case in of_group(NO_DOI) if (names := offered(case.input))}
    assert not found


@pytest.mark.clause("S4", "S15")
def test_registered_names_are_read_as_they_stand_however_odd() -> None:
    readings = {case.expected: str(read(case.input).doi) for case in of_group(AS_IT_IS)}
    assert {name: doi for name, doi in readings.items() if fold(name) != fold(doi)} == {}


def test_no_text_of_the_corpus_means_two_names() -> None:
    names: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.tsv")):
        for case in read_cases(path):
            assert fold(names.setdefault(case.input, case.expected)) == fold(case.expected), (path.name, case)


def test_the_corpus_holds_500_texts_without_a_doi_and_100_odd_names() -> None:
    assert len(of_group(NO_DOI)) >= 500
    assert len(of_group(AS_IT_IS)) >= 100
