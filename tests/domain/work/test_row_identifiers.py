"""DOIs that the other cells of a row give: by a registrant's rule, or as a link."""

from time import perf_counter

import pytest

from resolver.domain.work.row_identifiers import (
    LONGEST_CELL,
    LONGEST_SHOWN,
    MOST_CELLS,
    MOST_IDENTIFIERS,
    RowIdentifier,
    find_row_identifiers,
)


def names(*cells: tuple[str, str], without: str = "") -> list[str]:
    return [one.doi for one in find_row_identifiers(cells, without=without)]


@pytest.mark.parametrize(
    ("column", "text", "meant"),
    [
        # a number in the column of its registrant
        ("arXiv", "2101.00001", "10.48550/arXiv.2101.00001"),
        ("arXiv ID", "2101.00001v3", "10.48550/arXiv.2101.00001"),
        ("arxiv_id", "math.GT/0309136", "10.48550/arXiv.math/0309136"),
        ("arXiv", "arXiv:2101.00001 [cs.CL]", "10.48550/arXiv.2101.00001"),
        ("PII", "S0140-6736(20)30183-5", "10.1016/S0140-6736(20)30183-5"),
        ("pii", "0304-3894(95)00119-0", "10.1016/0304-3894(95)00119-0"),
        ("JSTOR ID", "1914185", "10.2307/1914185"),
        ("Zenodo record", "6614829", "10.5281/zenodo.6614829"),
        ("figshare_id", "7504448", "10.6084/m9.figshare.7504448"),
        ("SSRN", "3755630", "10.2139/ssrn.3755630"),
        # an identifier that is all that the cell says
        ("Journal", "arXiv preprint arXiv:1706.03762", "10.48550/arXiv.1706.03762"),
        ("volume", "abs/1706.03762", ""),
        ("Journal", "CoRR, arXiv:1706.03762 (2017)", "10.48550/arXiv.1706.03762"),
        ("note", "arXiv:1706.03762", "10.48550/arXiv.1706.03762"),
        ("File", "journal.pone.0012345.pdf", "10.1371/journal.pone.0012345"),
        ("C7", "https://www.jstor.org/stable/1914185", "10.2307/1914185"),
        ("Source", "PLoS ONE 12(3): e0174567", "10.1371/journal.pone.0174567"),
        # links
        ("URL", "https://elifesciences.org/articles/61408", "10.7554/eLife.61408"),
        ("UR", "https://psyarxiv.com/ab3cd/", "10.31234/osf.io/ab3cd"),
        ("856 $u", "See https://www.jstor.org/stable/1914185", "10.2307/1914185"),
        ("Link", "https://www.biorxiv.org/content/10.1101/2020.03.05.978858v2", "10.1101/2020.03.05.978858"),
        ("Link", "https://doi.org/10.1000/182", "10.1000/182"),
        ("dc.identifier.uri", "https://journals.example.org/doi/full/10.1000/182", "10.1000/182"),
        ("accession", "doi:10.1000/182", "10.1000/182"),
        ("024 $a", "10.1000/182", "10.1000/182"),
        # texts of another work, or of none
        ("note", "https://doi.org/10.1000/182", ""),
        ("note", "Reprint of https://www.jstor.org/stable/1914185", ""),
        ("Title", "Comment on arXiv:1706.03762", ""),
        ("Title", "A reply to PLoS ONE 12(3): e0174567", ""),
        ("Abstract", "arXiv:1706.03762", ""),
        ("dc.relation.uri", "https://doi.org/10.1000/182", ""),
        ("Related identifiers", "arXiv:1706.03762", ""),
        ("Data link", "https://zenodo.org/record/6614829", ""),
        ("Journal URL", "https://doi.org/10.1000/182", ""),
        ("Pages", "2001.12345", ""),
        ("Issue", "1901.0001", ""),
        ("Price", "1901.0001", ""),
        ("Year", "2019", ""),
        ("Number", "1914185", ""),
        ("arXiv category", "2101.00001", ""),
        ("Identifiers", "S0140-6736(20)30183-5, Lancet", "10.1016/S0140-6736(20)30183-5"),
        ("arXiv", "2101.000001", ""),
        ("arXiv", "see 2101.00001", ""),
        ("JSTOR", "2019", ""),
        ("PII", "S0140-6736(20)3018-5", ""),
        ("PII", "S0140673620301836", ""),
        ("URL", "https://arxiv.org/abs/2101.00001 https://arxiv.org/abs/2101.00002", ""),
        ("URL", "https://www.jstor.org/journal/econometrica", ""),
        ("URL", "https://example.org/2001.12345", ""),
        ("", "", ""),
    ],
)
def test_a_cell_gives_a_doi_or_none(column: str, text: str, meant: str):
    assert names((column, text)) == ([meant] if meant else [])


@pytest.mark.parametrize(
    ("cells", "meant"),
    [
        ([("eprint", "2101.00001"), ("archivePrefix", "arXiv")], "10.48550/arXiv.2101.00001"),
        ([("eprinttype", "arxiv"), ("eprint", "hep-th/9901001")], "10.48550/arXiv.hep-th/9901001"),
        ([("eprint", "2101.00001"), ("primaryClass", "cs.CL")], "10.48550/arXiv.2101.00001"),
        ([("eprint", "1914185"), ("eprinttype", "jstor")], "10.2307/1914185"),
        ([("eprint", "2101.00001")], ""),
        ([("eprint", "2101.00001"), ("archiveprefix", "hdl")], ""),
        ([("eprint", "1914185"), ("eprinttype", "pubmed")], ""),
    ],
)
def test_the_eprint_of_bibtex_needs_its_archive(cells: list[tuple[str, str]], meant: str):
    assert names(*cells) == ([meant] if meant else [])


def test_each_doi_is_returned_once_and_that_of_the_row_never():
    cells = (
        ("URL", "https://arxiv.org/abs/2101.00001v2"),
        ("arXiv", "2101.00001"),
        ("Link", "https://doi.org/10.1000/ABC"),
    )
    assert names(*cells, without="10.1000/abc") == ["10.48550/arXiv.2101.00001"]


def test_several_are_all_returned():
    cells = (("URL", "https://doi.org/10.1000/1; https://doi.org/10.1000/2"), ("arXiv", "2101.00001"))
    assert names(*cells) == ["10.1000/1", "10.1000/2", "10.48550/arXiv.2101.00001"]


def test_an_item_identifier_without_signs_may_be_of_three_registrants():
    assert {(one.doi, one.registrant) for one in find_row_identifiers([("PII", "S0140673620301835")])} == {
        ("10.1016/S0140-6736(20)30183-5", "Elsevier"),
        ("10.1017/S0140673620301835", "Cambridge University Press"),
        ("10.1107/S0140673620301835", "International Union of Crystallography"),
    }


def test_the_evidence_names_the_cell_and_whose_rule_it_is():
    by_rule, written = find_row_identifiers([("eprint", "arXiv:2101.00001"), ("url", "https://doi.org/10.1000/182")])
    assert by_rule == RowIdentifier("10.48550/arXiv.2101.00001", "arXiv", "eprint", "arXiv:2101.00001")
    assert dict(by_rule.sentence.details) == {
        "column": "eprint",
        "text": "arXiv:2101.00001",
        "doi": "10.48550/arXiv.2101.00001",
        "registrant": "arXiv",
    }
    assert written.registrant == ""
    assert "registrant" not in written.sentence.details


@pytest.mark.parametrize(
    "text",
    [
        "https://" + "a/" * 496,
        "https://doi.org/10.1000/1 " * 38,
        "//" * 500,
        "arXiv:" * 33,
        "PLoS ONE 1" + "(1" * 90 + "e0174567",
        "eLife " * 33,
        "NBER " * 40,
        "S" + "0" * 190,
        "preprint " * 20 + "arXiv:2101.00001",
        "10.1000/" * 120,
        "Ａ" * 200,
        "\x00" * 1000,
    ],
    ids=lambda text: text[:12].encode("unicode_escape").decode(),
)
def test_a_hostile_row_is_bounded(text: str):
    started = perf_counter()
    found = find_row_identifiers([("url", text[:LONGEST_CELL])] * MOST_CELLS)
    assert perf_counter() - started < 2
    assert len(found) <= MOST_IDENTIFIERS
    assert all(len(one.text) <= LONGEST_SHOWN for one in found)


def test_cells_beyond_the_limits_are_not_read():
    link = ("url", "https://doi.org/10.1000/182")
    assert names(*[("url", "")] * MOST_CELLS, link) == []
    assert names(("url", link[1] + " " * LONGEST_CELL)) == []
    assert names(("url " * LONGEST_CELL, link[1])) == []
