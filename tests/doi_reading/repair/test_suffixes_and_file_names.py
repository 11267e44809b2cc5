"""Texts that hold only a suffix, and the names they stand for."""

import pytest

from doi_reading import read
from doi_reading.repair.derived_names import LONGEST_WITHOUT_NAME, derive_names
from doi_reading.repair.suffixes_and_file_names import propose_names_of_suffix
from tests.doi_reading.corpus import NO_DOI, cases


def names(text: str) -> list[str]:
    return [candidate.doi for candidate in read(text).propose_late_candidates()]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("journal.pone.0012345", "10.1371/journal.pone.0012345"),
        ("s12864-019-5880-1", "10.1186/s12864-019-5880-1"),
        ("s41586-020-2649-2.pdf", "10.1038/s41586-020-2649-2"),
        ("10_1016_j_cell_2021_02_018", "10.1016/j.cell.2021.02.018"),
        ("10_1016_j_cell_2021_02_018.pdf", "10.1016/j.cell.2021.02.018"),
        ("10_1016__j_cell_2021_02_018.pdf", "10.1016/j.cell.2021.02.018"),
        ("fphys.2015360", "10.3389/fphys.2015.00360"),
        ("pone86386", "10.1371/journal.pone.0086386"),
        ("bmjopen-2015-1763", "10.1136/bmjopen-2015-001763"),
        ("bmjopen-2024-084560.R1", "10.1136/bmjopen-2024-084560"),
        ("nature12373 [pii]", "10.1038/nature12373"),
        ("10-1016-j-jenvman-2022-115365.pdf", "10.1016/j.jenvman.2022.115365"),
        ("https://doi.org/j.acha.2013.01.001.", "10.1016/j.acha.2013.01.001"),
        ("http://dx.doi.org/j.enganabound.2022.04.036", "10.1016/j.enganabound.2022.04.036"),
    ],
)
def test_the_name_that_it_stands_for_is_a_guess(text: str, meant: str) -> None:
    found = read(text).propose_late_candidates()
    assert meant in [one.doi for one in found if one.doubtful]


@pytest.mark.parametrize(
    "text",
    [
        "https://www.jstor.org/journal/econometrica",
        "https://www.notjstor.org/stable/1914185",
        "https://linkinghub.elsevier.com/retrieve/pii/S01406736096193345",
    ],
)
def test_the_address_of_a_journal_another_host_or_a_longer_number_stands_for_none(text: str) -> None:
    assert names(text) == []


def test_texts_without_a_doi_have_few_such_candidates_and_words_none() -> None:
    offered = {case.input: names(case.input) for case in cases() if case.kind == NO_DOI}
    assert max(map(len, offered.values())) <= 8
    assert names("Annual report of the library, 2019") == names("2101.00001") == names("978-3-16-148410-0") == []


@pytest.mark.parametrize("text", ["10_1000_" + "_" * 150, "arxiv" * 30, "s" * 190, "10_1016_" + "1_" * 90])
def test_a_hostile_text_has_at_most_eight(text: str) -> None:
    assert len(list(propose_names_of_suffix(text))) <= 8
    assert list(propose_names_of_suffix(text + "x" * LONGEST_WITHOUT_NAME)) == []
    assert len(derive_names(text)) <= 8
    assert derive_names(text + "x" * LONGEST_WITHOUT_NAME) == ()
