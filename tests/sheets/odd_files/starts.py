"""Tables that begin like something else, and bibliographic files: they are read all the same."""

from tests.sheets.odd_files.odd_file import read

_DOIS = ("10.1000/1", "10.1000/2")


def _header(first: str) -> str:
    """A table of three columns whose first name is this."""
    return f"{first};doi;title\nx;10.1000/1;A\ny;10.1000/2;B\n"


_LEADER = b"00714cam a2200205 a 4500001001300000\x1e"
STARTS = [
    read(f"begins-like-{kind}.csv", _header(first), *_DOIS)
    for kind, first in {
        "bzip2": "BZh",
        "bzip2-with-its-level": "BZh9 archive",
        "gif": "GIF89a",
        "parquet": "PAR1",
        "rar": "Rar! number",
        "pdf": "%PDF",
        "postscript": "%!PSx",
        "rtf": "{\\rtfx}",
        "ris": "TY  - kind",
        "bibtex": "@Smith (2001)",
        "endnote": "%0 of all",
        "pubmed": "PMID - number",
        "web-of-science": "FN ISI number",
        "aleph": "123456789 LDR",
        "marcedit": "=LDR  of the record",
        "json": "[] of all",
        "json-object": '{"id"}',
        "cff": "cff-version: text",
        "mht": "MIME-Version: name",
        "refworks": "RT Number",
        "scopus": "Scopus EID",
        "sqlite": "SQLite format 3",
        "access": "abcdStandard ACE DB",
    }.items()
] + [
    # --- bibliographic files; a damaged record is an empty text
    read("cut-off.mrc", _LEADER + b"\x1d", ""),
    read("cut-off-in-marc-8.mrc", _LEADER + b"M\xe8uller \x88the \x89\x81\xff\x1d", ""),
    read("cut-off-unimarc.mrc", b"01234cam0 22002771  450 001000900000\x1e\x1d", ""),
    read("records.mrk", "=LDR  00714cam a2200205 a 4500\n=024  7\\$a10.1000/1$2doi\n", "10.1000/1"),
    read("records.ris", "TY  - JOUR\r\nDO  - 10.1000/1\r\nER  - \r\n", "10.1000/1"),
    read("records.bib", "% Encoding: UTF-8\n\n@Article{a,\n  doi = {10.1000/1}\n}\n", "10.1000/1"),
    read("endnote.enw", "\ufeff%0 Journal Article\n%R 10.1000/1\n", "10.1000/1"),
    read("pubmed.nbib", "\nPMID- 123\nLID - 10.1000/1 [doi]\n", "10.1000/1"),
    read("records.json", '[{"DOI": "10.1000/1"}]', "10.1000/1"),
    # --- tables
    read("ustar-in-a-title.csv", ("doi;title\n10.1000/1;" + "x" * 236 + "ustar\n10.1000/2;B\n"), *_DOIS),
    read("list-that-begins-like-sylk.csv", "ID;PMID;DOI\n1;2;10.1000/1\n3;4;10.1000/2\n", *_DOIS),
    read("webp-letters.csv", "id;title;WEBP;doi\n1;2;3;10.1000/1\n3;4;5;10.1000/2\n", *_DOIS),
    read("heic-letters.csv", "abcdftyphei;doi\nx;10.1000/1\ny;10.1000/2\n", *_DOIS),
    read(
        "numbered-references.txt",
        "[[1]] Smith. 10.1000/1\n[[2]] Doe. 10.1000/2\n",
        "[[1]] Smith. 10.1000/1",
        "[[2]] Doe. 10.1000/2",
    ),
]
