"""By what a bibliographic file is told from a table: also by an odd beginning."""

import pytest

from resolver.sheets.bibliographic.formats import find_format
from tests.sheets.bibliographic import made_files
from tests.sheets.bibliographic.written import places

RECORD = made_files.make_marc(made_files.MARC_FIELDS[0])
ODD = {
    "database writes first.ris": (
        "ris",
        b"Provider: A database\r\nContent: text/plain\r\n\r\nTY  - JOUR\r\nDO  - 10.1000/1\r\n",
    ),
    "mark behind a space.ris": ("ris", b" \xef\xbb\xbf\r\nTY  - JOUR\r\nDO  - 10.1000/1\r\nER  - \r\n"),
    "text before.bib": (
        "bibtex",
        b"This file was made with a program.\nEncoding: UTF-8\n\n@book{a, doi = {10.1000/1}}",
    ),
    "comments with tabs.bib": ("bibtex", b'% a\tb "c", d\n%\n@book{a, doi = {10.1000/1}}'),
    "no key.bib": ("bibtex", b"@techreport{\n  journal = {J}, doi = {10.1000/1}}"),
    "no comma behind the key.bib": ("bibtex", b"@article{test\n  title = {T}, doi = {10.1000/1}}"),
    "author first.enw": ("enw", b"%A Doe, Jane\n%T A title\n%R 10.1000/1\n"),
    "empty type.enw": ("enw", b"%0\n%A Doe, Jane\n%R 10.1000/1\n"),
    "without a PMID.nbib": ("nbib", b"\r\nOWN - ERIC\r\nTI  - A title\r\nAID - 10.1000/1 [doi]\r\n"),
    "no space.nbib": ("nbib", b"PMID-22664220\nPT  - Report\nAID - 10.1000/1 [doi]\n"),
    "no 45 in the leader.mrc": ("marc", RECORD[:10] + b"  " + RECORD[12:20] + b"    " + RECORD[24:]),
    "leader overwritten.mrc": ("marc", b"x" * 24 + RECORD[24:] + RECORD),
}
TABLES = {
    "header.csv": b"TY,DO\nJOUR,10.1000/1\n",
    "quoted.csv": b'"a","b"\nx,y\n@book{a, doi = {10.1000/1}}\n',
    "tabs.tsv": b"doi\ttitle\n10.1000/1\tx\nTY  - JOUR\n",
    "addresses.txt": b"doi,contact\n10.1000/1,jane@example.org\n10.1000/2,@group\n",
    "numbers.txt": b"012345678901\n012345678901\n012345678901\n012345678901\n",
    "long numbers.txt": b"1" * 100 + b"\n10.1000/1\n",
    "percent.txt": b"% of all\n10.1000/1\n",
    "a name of a person.csv": b"OWNER - Jane\n10.1000/1\n",
}


@pytest.mark.parametrize("name", sorted(ODD))
def test_an_odd_beginning_is_recognised_and_its_doi_found(name: str) -> None:
    kind, data = ODD[name]
    found = find_format(data)
    assert found is not None
    assert found.kind == kind
    assert "10.1000/" in places(kind, data)[0].text


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_is_none_of_these(name: str) -> None:
    assert find_format(TABLES[name]) is None
