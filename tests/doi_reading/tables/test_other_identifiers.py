"""Texts that are another identifier say which; a bare number that may be anything doesn't."""

import time

import pytest

from doi_reading import read
from doi_reading.tables.other_identifiers import LONGEST_IDENTIFIER, find_other_identifier

KINDS = {
    "a PubMed ID": (
        "PMID: 12345678",
        "pmid:12345678",
        "PMID 1",
        "PMID\uff1a12345678.",
        "PubMed ID: 12345678",
        "12345678 [pmid]",
        "info:pmid/12345678",
        "https://pubmed.ncbi.nlm.nih.gov/12345678/",
        "http://www.ncbi.nlm.nih.gov/pubmed/12345678",
        "https://europepmc.org/article/MED/12345678",
        "PMID: 12345678; PMCID: PMC1234567",
        "PMID: 12345678 PMCID: PMC1234567",
    ),
    "a PubMed Central ID (PMCID)": (
        "PMC1234567",
        "PMCID: PMC1234567",
        "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1234567/",
        "https://pmc.ncbi.nlm.nih.gov/articles/PMC1234567/",
        "https://europepmc.org/article/PMC/PMC1234567",
    ),
    "an ISBN": (
        "978-3-16-148410-0",
        "9783161484100",
        "978 3 16 148410 0",
        "9783161484100 (pbk.)",
        "ISBN 978-3-16-148410-0",
        "eISBN: 9783161484100",
        "ISBN-10: 0-306-40615-2",
        "0-306-40615-2",
        "3-16-148410-X",
        "urn:isbn:9783161484100",
        "978-3-16-148410-0, 0-306-40615-2",
    ),
    "an ISSN": (
        "ISSN 0317-8471",
        "0317-8471",
        "2049-3630 (Online)",
        "eISSN: 2049-3630",
        "ISSN-L 0317-8471",
        "1050-124X",
    ),
    "a Handle": (
        "hdl:2027/mdp.39015012345678",
        "https://hdl.handle.net/2027/mdp.39015012345678",
        "hdl.handle.net/11858/00-001M",
        "https://hdl.handle.net/20.500.12345/678",
        "http://repository.example.edu/handle/1721.1/12345",
        "http://repository.example.edu/xmlui/handle/1721.1/12345",
    ),
    "an ARK": (
        "ark:/12148/btv1b8449691v",
        "ark:12148/btv1b8449691v",
        "https://n2t.net/ark:/67531/metadc107835/",
        "https://gallica.bnf.fr/ark:/12148/btv1b8449691v",
    ),
    "a URN": (
        "urn:nbn:de:101:1-201102033592",
        "URN:NBN:fi-fe19981001",
        "https://nbn-resolving.org/urn:nbn:de:101:1-201102033592",
        "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
    ),
    "an arXiv number": (
        "arXiv:2101.00001",
        "arXiv:2101.00001v2 [math.AG]",
        "2101.00001v2",
        "hep-th/9901001",
        "arXiv:hep-th/9901001",
        "https://arxiv.org/abs/2101.00001",
        "https://arxiv.org/pdf/2101.00001v1.pdf",
    ),
    "an ORCID iD": (
        "0000-0002-1825-0097",
        "0000-0002-1694-233X",
        "ORCID: 0000-0002-1825-0097",
        "https://orcid.org/0000-0002-1825-0097",
    ),
}


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in KINDS.items() for text in texts])
def test_a_text_that_is_another_identifier_says_which_in_its_only_problem(kind: str, text: str) -> None:
    [problem] = read(text).problems
    assert problem.code == "no-doi"
    assert problem.message.startswith(f"This is {kind}, not a DOI: ")


@pytest.mark.parametrize(
    "text",
    [
        "12345678", "2019", "0306406152", "2101.00001", "1234-1243", "1990-1996", "2000-2002",
        "978-3-16-148410-1", "ISBN 978-3-16-148410-1", "ISSN 1234-5678", "0000-0002-1825-0098",
        "Smith 2019, PMID: 12345678", "WOS:000301234567890", "n/a", "-", "NULL", "1234/567", "handle with care",
        "urn", "ark", "PMID", "ISBN", "https://example.org/12345678",
    ],
)  # fmt: skip
def test_other_texts_and_bare_numbers_are_no_identifier(text: str) -> None:
    assert find_other_identifier(text) is None


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("PMID: 12345678", "https://pubmed.ncbi.nlm.nih.gov/12345678"),
        ("pmc1234567", "https://pmc.ncbi.nlm.nih.gov/articles/pmc1234567"),
        ("hdl:2027/mdp.1", "https://hdl.handle.net/2027/mdp.1"),
        ("9783161484100", ""),
    ],
)
def test_an_identifier_has_the_address_of_its_page_if_there_is_one(text: str, page: str) -> None:
    found = find_other_identifier(text)
    assert found is not None
    assert found.page == page


@pytest.mark.parametrize("piece", ["9", "978-", "(", " ", "urn:a/", "http://a/", "PMID 1;", "0-", "arxiv:", "\u2028"])
def test_hostile_texts_are_read_at_once(piece: str) -> None:
    text = (piece * LONGEST_IDENTIFIER)[:LONGEST_IDENTIFIER]
    before = time.process_time()
    find_other_identifier(text)
    find_other_identifier(f"ISBN {text}"[:LONGEST_IDENTIFIER])
    assert time.process_time() - before < 0.1
