"""Names that a text beside the DOI gives by its registrant's rule."""

import time

import pytest

from doi_reading import Doi, read
from doi_reading.repair import find_names_by_rule
from doi_reading.repair.derived_names import LONGEST_WITHOUT_NAME
from doi_reading.tables.publisher_urls import ADDRESSES, NUMBERED_ADDRESSES
from doi_reading.tables.registrant_numbers import NUMBERS
from doi_reading.tables.registrants import REGISTRANTS
from doi_reading.tables.suffix_patterns import PREFIX_OF_JOURNAL, SURE_SUFFIXES
from tests.doi_reading.corpus import NO_DOI, cases
from tests.doi_reading.long_texts import UNITS, repeated

EXAMPLES = [rule.example for rule in (*NUMBERS, *ADDRESSES, *NUMBERED_ADDRESSES)]


def names(text: str) -> list[str]:
    return [one.doi for one in find_names_by_rule(text)]


@pytest.mark.parametrize(("given", "meant"), EXAMPLES)
def test_the_example_of_each_rule_gives_the_name_and_its_registrant(given: str, meant: str) -> None:
    found = {one.doi: one.registrant for one in find_names_by_rule(given)}
    assert found[meant] == REGISTRANTS[meant.partition("/")[0]]


def test_each_registrant_whose_prefix_a_rule_writes_has_a_name() -> None:
    written = {meant.partition("/")[0] for _, meant in EXAMPLES}
    written |= {prefix for _, prefix in SURE_SUFFIXES} | set(PREFIX_OF_JOURNAL.values())
    assert written <= REGISTRANTS.keys()
    assert all(prefix == Doi.parse(f"{prefix}/x").prefix for prefix in REGISTRANTS)


@pytest.mark.parametrize("rule", NUMBERS, ids=lambda rule: rule.example[0])
def test_a_number_with_its_label_is_no_guess_in_the_doi_column_either(rule) -> None:
    given, meant = rule.example
    found = {one.doi: one.doubtful for one in read(given).propose_late_candidates()}
    assert found[meant] is False
    assert rule.source


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("arXiv:2101.00001v2 [cs.CL]", "10.48550/arXiv.2101.00001"),
        ("https://arxiv.org/abs/math.GT/0309136", "10.48550/arXiv.math/0309136"),
        ("journal.pone.0012345", "10.1371/journal.pone.0012345"),
        ("journal.pcbi.1003285.pdf", "10.1371/journal.pcbi.1003285"),
        ("eLife.61408", "10.7554/eLife.61408"),
        ("eLife 12345", "10.7554/eLife.12345"),
        ("eLife 8:e45403", "10.7554/eLife.45403"),
        ("eLife 2012;1:e00013.", "10.7554/eLife.00013"),
        ("PLOS ONE. 2017;12(3):e0174567.", "10.1371/journal.pone.0174567"),
        ("PLoS Computational Biology, 9(10), e1003285", "10.1371/journal.pcbi.1003285"),
        ("fmicb.2020.00123", "10.3389/fmicb.2020.00123"),
        ("s41586-020-2649-2", "10.1038/s41586-020-2649-2"),
        ("s12864-019-5880-1.pdf", "10.1186/s12864-019-5880-1"),
        ("nature12373 [pii]", "10.1038/nature12373"),
        ("PhysRevLett.114.098105", "10.1103/PhysRevLett.114.098105"),
        ("bmjopen-2015-008737", "10.1136/bmjopen-2015-008737"),
        ("S0140-6736(20)30183-5", "10.1016/S0140-6736(20)30183-5"),
        ("1-s2.0-S0140-6736(20)30183-5-main.pdf", "10.1016/S0140-6736(20)30183-5"),
        ("https://www.cambridge.org/core/services/x/view/S0956796806006046", "10.1017/S0956796806006046"),
        ("https://www-jstor-org.proxy.lib.example.edu/stable/1914185", "10.2307/1914185"),
        ("https://genomebiology.biomedcentral.com/articles/s13059-014-0550-8", "10.1186/s13059-014-0550-8"),
        ("https://www.medrxiv.org/content/10.1101/2020.03.05.20031898v1.full.pdf", "10.1101/2020.03.05.20031898"),
        ("bioRxiv preprint 2020.03.05.978858v1", "10.1101/2020.03.05.978858"),
        ("https://zenodo.org/records/6614829", "10.5281/zenodo.6614829"),
        ("Zenodo ID: 6614829", "10.5281/zenodo.6614829"),
        ("NBER Working Paper w24567", "10.3386/w24567"),
        ("SSRN abstract ID 3755630", "10.2139/ssrn.3755630"),
        # near misses
        ("2101.00001", ""),
        ("1901.0001", ""),
        ("pp. 2001.12345", ""),
        ("EUR 1901.0001", ""),
        ("2020-01-12345", ""),
        ("12/2/2001", ""),
        ("1914185", ""),
        ("parxiv:2101.00001", ""),
        ("arXiv:2101.000011", ""),
        ("arXiv:2101.00001 and arXiv:2101.00002", ""),
        ("arXiv:2101.00001; zenodo.6614829", ""),
        ("S0140-6736(20)3018-5", ""),
        ("S0140-6736(20)301835-5", ""),
        ("S01406736203018350", ""),
        ("S0140673620301836", ""),
        ("https://www.jstor.org/book/12345", ""),
        ("https://www.jstor.org/journal/econometrica", ""),
        ("JSTOR 2019", ""),
        ("eLife 2019", ""),
        ("eLife 8, 1234567", ""),
        ("eLife.61408.001", ""),
        ("mid-eLife 12345", ""),
        ("in their life 12345", ""),
        ("PLoS ONE 6(3): e18234", ""),
        ("PLoS Biol 2(1): e13", ""),
        ("PLoS ONE e01745678", ""),
        ("journal.pone.001234", ""),
        ("journal.pone.0012345 and others", ""),
        ("s10115-020-01234-5", ""),
        ("s41586-020-2649", ""),
        ("j.gastro.2010.01.001", ""),
        ("NBER Working Paper 2019", ""),
        ("SSRN 2019", ""),
        ("bioRxiv 2025.03.05.978858", ""),
        ("dryad.org", ""),
        ("PANGAEA 2019", ""),
        ("RFC 1016", ""),
        ("https://osf.io/preprints/unknown/ab3cd", ""),
        ("https://notosf.io/ab3cd", ""),
        ("https://pubs.er.usgs.gov/publication/70012345", ""),
        # a text with a DOI is read as one
        ("https://doi.org/10.5281/zenodo.6614829", ""),
        ("https://doi.org/10.1017/S0007123411000202", ""),
        ("10.1000/arXiv:2101.00001", ""),
        ("https://zenodo.org/record/6614829?doi=10.1000/182", ""),
        ("", ""),
    ],
)
def test_a_text_gives_one_name_or_none(text: str, meant: str) -> None:
    assert names(text) == ([meant] if meant else [])


def test_of_the_texts_that_are_no_doi_only_arxiv_numbers_jstor_numbers_and_item_identifiers_give_one() -> None:
    giving = [case.input.lower() for case in cases() if case.kind == NO_DOI and names(case.input)]
    assert giving
    assert [text for text in giving if not any(label in text for label in ("arxiv", "jstor", "pii"))] == []


@pytest.mark.parametrize(
    "head", ["", "arXiv:", "https://", "S0140-6736(", "PLoS ONE ", "eLife ", "NBER ", "https://osf.io/", "journal.p"]
)
def test_a_hostile_text_takes_no_time(head: str) -> None:
    started = time.perf_counter()
    for unit in UNITS:
        assert len(names(repeated(head, unit, "", LONGEST_WITHOUT_NAME))) <= 3
    assert time.perf_counter() - started < 5
    assert names(repeated(head, "1", "", LONGEST_WITHOUT_NAME + 1)) == []
