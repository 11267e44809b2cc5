"""Texts that hold only a suffix, and the names they stand for."""

import pytest

from resolver.domain.parsing.doubtful_candidates import propose_doubtful_candidates
from resolver.domain.parsing.parse import read_input
from resolver.domain.repair.bare_suffixes import LONGEST, propose_names_of_suffix
from tests.corpus import NO_DOI, cases


def names(text: str) -> list[str]:
    return [candidate.doi for candidate in propose_doubtful_candidates(read_input(text))]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("journal.pone.0012345", "10.1371/journal.pone.0012345"),
        ("s12864-019-5880-1", "10.1186/s12864-019-5880-1"),
        ("s41586-020-2649-2.pdf", "10.1038/s41586-020-2649-2"),
        ("10_1016_j_cell_2021_02_018", "10.1016/j.cell.2021.02.018"),
        ("10_1016_j_cell_2021_02_018.pdf", "10.1016/j.cell.2021.02.018"),
        ("1-s2.0-S0092867421002191-main.pdf", "10.1016/S0092-8674(21)00219-1"),
        ("10-1016-j-jenvman-2022-115365.pdf", "10.1016/j.jenvman.2022.115365"),
        ("https://doi.org/j.acha.2013.01.001.", "10.1016/j.acha.2013.01.001"),
        ("http://dx.doi.org/j.enganabound.2022.04.036", "10.1016/j.enganabound.2022.04.036"),
        ("arXiv:2101.00001", "10.48550/arXiv.2101.00001"),
        ("arXiv:2101.00001v2", "10.48550/arXiv.2101.00001"),
        ("https://arxiv.org/abs/hep-th/9901001", "10.48550/arXiv.hep-th/9901001"),
        ("https://www.jstor.org/stable/1914185", "10.2307/1914185"),
        ("http://www.jstor.org/stable/1914185?origin=crossref", "10.2307/1914185"),
        ("https://www-jstor-org.proxy.lib.example.edu/stable/1914185", "10.2307/1914185"),
        ("https://www.jstor.org.proxy.lib.example.edu/stable/1914185", "10.2307/1914185"),
        ("https://www.jstor.org/stable/j.ctt4cgd90.10", "10.2307/j.ctt4cgd90.10"),
        ("https://linkinghub.elsevier.com/retrieve/pii/S0140673609619334", "10.1016/S0140-6736(09)61933-4"),
        ("https://linkinghub.elsevier.com/retrieve/pii/S0140-6736(09)61933-4", "10.1016/S0140-6736(09)61933-4"),
    ],
)
def test_the_name_that_it_stands_for_is_offered(text: str, meant: str) -> None:
    assert meant in names(text)


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
    assert list(propose_names_of_suffix(text + "x" * LONGEST)) == []
