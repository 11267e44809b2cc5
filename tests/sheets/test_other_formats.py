"""What is no table is refused by its name, and says what to export instead."""

import gzip
import io
import zipfile

import pytest

from tests.sheets.reader import Reader


def archive(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), ".xls"),
        (gzip.compress(b"doi\n10.1000/1\n", mtime=0), "gzip"),
        (b"TY  - JOUR\r\nDO  - 10.1000/1\r\nER  - \r\n", "RIS"),
        (b"\xef\xbb\xbfTY  - JOUR\r\nDO  - 10.1000/1\r\nER  - \r\n", "RIS"),
        (b"@article{a,\n  doi = {10.1000/1}\n}\n", "BibTeX"),
        (b"% made by hand\n\n@book{a,\n  doi = {10.1000/1}\n}\n", "BibTeX"),
        (b"PMID- 123\nLID - 10.1000/1 [doi]\n", "PubMed"),
        (b"FN Clarivate Analytics Web of Science\nVR 1.0\n", "Web of Science"),
        (b"00714cam a2200205 a 4500001001300000\x1e\x1d", "MARC"),
        (b"=LDR  00714cam a2200205 a 4500\n=024  7\\$a10.1000/1$2doi\n", "MARC"),
        (b'<?xml version="1.0"?>\n<collection xmlns="http://www.loc.gov/MARC21/slim">', "MARCXML"),
        (b'<?xml version="1.0"?><rdf/>', "XML"),
        (b"<!DOCTYPE html><html></html>", "HTML"),
        (b'[{"DOI": "10.1000/1"}]', "JSON"),
        (b'{"DOI": "10.1000/1"}\n{"DOI": "10.1000/2"}', "JSON"),
        (archive(**{"word/document.xml": "<x/>"}), "Word"),
        (archive(mimetype="application/vnd.oasis.opendocument.spreadsheet"), ".ods"),
        (archive(**{"xl/workbook.bin": ""}), ".xlsb"),
        (archive(**{"list.csv": "doi\n10.1000/1\n"}), "ZIP"),
        (b"PK\x03\x04 cut off", "damaged"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
    ],
)
def test_it_is_refused_by_name(reader: Reader, content: bytes, name: str):
    assert name in reader.refused(content).reason


def test_many_xml_comments_take_no_time(reader: Reader):
    assert "XML" in reader.refused(b"<?xml ?>" + b"<!-- -->" * 10_000).reason
