"""A DOI with letters beyond ASCII is written only where the encoding of the file is known."""

import pytest

from tests.sheets.bibliographic.written import left_out, written

NAME = "10.1234/über.1"
FIELDS = {
    "ris": "TY  - JOUR\nAU  - {author}\nER  - \n\nTY  - JOUR\nDO  - {doi}\nER  - \n",
    "bibtex": "@article{{a, author = {{{author}}}}}\n@article{{b, doi = {{{doi}}}}}\n",
    "nbib": "PMID- 1\nAU  - {author}\n\nPMID- 2\nAID - {doi} [doi]\n",
    "mrk": "=LDR  00000nam a2200000 a 4500\n=100  1\\$a{author}\n\n"
    "=LDR  00000nam a2200000 a 4500\n=024  7\\$a{doi}$2doi\n",
}


@pytest.mark.parametrize("kind", FIELDS)
@pytest.mark.parametrize("author", ["Müller", "Miller"])
def test_in_a_file_in_utf_8_it_is_written(kind: str, author: str) -> None:
    before = FIELDS[kind].format(author=author, doi="doi:10.1234/%C3%BCber.1").encode()
    after = FIELDS[kind].format(author=author, doi=NAME).encode()
    assert written(kind, before, {1: NAME}) == after


@pytest.mark.parametrize("kind", FIELDS)
def test_in_a_file_in_another_encoding_it_is_left_out_with_the_letter(kind: str) -> None:
    before = FIELDS[kind].format(author="Müller", doi="doi:10.1234/%C3%BCber.1").encode("cp1252")
    assert written(kind, before, {1: NAME}) == before
    (left,) = left_out(kind, before, {1: NAME})
    assert "“ü”" in str(left.reason)
    assert left.name == NAME


@pytest.mark.parametrize("kind", FIELDS)
def test_in_a_value_that_shows_the_encoding_it_is_written_in_that(kind: str) -> None:
    before = FIELDS[kind].format(author="Müller", doi="doi:10.1234/über.1").encode("cp1252")
    assert written(kind, before, {1: NAME}) == before.replace(b"doi:10", b"10")
