"""Well-known readers find the same records after DOIs were written, with only these values changed."""

import io
import json
from typing import Any

import bibtexparser
import pymarc
import rispy

from tests.sheets.bibliographic import made_files
from tests.sheets.bibliographic.written import written

NAME = "10.5555/a_new/one"


def test_pymarc_reads_the_same_records() -> None:
    def told(data: bytes) -> list[dict[str, Any]]:
        return [record.as_dict() for record in pymarc.MARCReader(data) if record is not None]

    new = written("marc", made_files.MARC, {1: NAME, 2: NAME, 6: NAME})
    expected = told(made_files.MARC)
    expected[0]["fields"][2]["024"]["subfields"][0]["a"] = NAME
    expected[0]["fields"][5]["856"]["subfields"][0]["u"] = f"https://doi.org/{NAME}"
    expected[2]["fields"][1]["017"]["subfields"][0]["a"] = NAME
    found = told(new)
    for record, old in zip(found, expected, strict=True):
        assert record.pop("leader")[5:12] == old.pop("leader")[5:12]
    assert found == expected


def test_a_record_of_marc_that_was_written_back_has_true_lengths() -> None:
    [first, second, third] = pymarc.MARCReader(written("marc", made_files.MARC, {1: NAME, 5: NAME}))
    assert len(first.as_marc()) == int(str(first.leader)[:5])
    assert len(second.as_marc()) == int(str(second.leader)[:5])
    assert third.as_marc() == made_files.make_marc(made_files.MARC_FIELDS[2])


def test_rispy_reads_the_same_records() -> None:
    text = made_files.RIS.replace("DO  - 10.1000/a second one\n", "")
    expected = rispy.loads(text)
    expected[0]["doi"], expected[0]["urls"] = NAME, [f"https://doi.org/{NAME}"]
    assert rispy.loads(written("ris", text.encode(), {1: NAME, 2: NAME}).decode()) == expected


def test_bibtexparser_reads_the_same_entries() -> None:
    def told(text: str) -> list[tuple[str, dict[str, str]]]:
        library = bibtexparser.parse_string(text)
        return [(entry.key, {field.key: field.value for field in entry.fields}) for entry in library.entries]

    expected = told(made_files.BIBTEX)
    expected[0][1]["doi"] = NAME.replace("_", "\\_")
    expected[0][1]["url"] = "https://doi.org/" + NAME.replace("_", "\\_")
    assert told(written("bibtex", made_files.BIBTEX.encode(), {1: NAME, 2: NAME}).decode()) == expected


def test_json_has_the_same_items() -> None:
    expected = json.loads(made_files.CSL_JSON)
    expected[0]["DOI"], expected[0]["URL"] = NAME, f"https://doi.org/{NAME}"
    assert json.loads(written("csl-json", made_files.CSL_JSON.encode(), {1: NAME, 2: NAME})) == expected


def test_pymarc_reads_the_same_records_of_marcxml() -> None:
    def told(data: bytes) -> list[dict[str, Any]]:
        return [record.as_dict() for record in pymarc.parse_xml_to_array(io.BytesIO(data)) if record is not None]

    expected = told(made_files.MARCXML.encode())
    expected[0]["fields"][1]["024"]["subfields"][0]["a"] = f" {NAME} "
    assert told(written("marcxml", made_files.MARCXML.encode(), {1: NAME})) == expected
