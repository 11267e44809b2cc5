"""Odd files of each format: their DOIs are found, nothing fails, and a correction changes nothing else."""

import pytest

from doi_reading import fold
from doi_reading.command.file_text import FileText, RefusedFile
from doi_reading.command.findings import find_in_file
from doi_reading.command.fixes import apply_edits
from doi_reading.command.formats import FORMATS
from tests.doi_reading.command.odd_files import ODD_FILES

CASES = [(suffix, *case) for suffix, cases in ODD_FILES.items() for case in cases]
IDS = [f"{suffix[1:]}{number}" for suffix, cases in ODD_FILES.items() for number in range(len(cases))]
OLD, NEW = "http://dx.doi.org/", "https://doi.org/"


@pytest.mark.parametrize(("suffix", "text", "names"), CASES, ids=IDS)
def test_the_dois_of_an_odd_file_are_found(suffix: str, text: str, names: list[str]) -> None:
    found = find_in_file(FileText(text), f"odd{suffix}")
    assert [name for name in found.names if name] == [fold(name) for name in names]
    for one in found.findings:
        assert 0 <= one.start <= one.end <= len(text)


@pytest.mark.parametrize(("suffix", "text", "names"), CASES, ids=IDS)
def test_a_corrected_odd_file_has_the_same_dois_and_nothing_more_to_correct(
    suffix: str, text: str, names: list[str]
) -> None:
    text = text.replace(NEW, OLD)
    found = find_in_file(FileText(text), f"odd{suffix}")
    corrected = found.correct()
    again = find_in_file(FileText(corrected), f"odd{suffix}")
    assert again.names == found.names
    assert again.edits == []
    if found.edits and all(edit.new == NEW for edit in found.edits):
        assert corrected == text.replace(OLD, NEW)


def test_there_are_ten_odd_files_of_each_format() -> None:
    assert set(ODD_FILES) == set(FORMATS) - {".htm", ".xhtml"}
    assert min(map(len, ODD_FILES.values())) >= 10


@pytest.mark.parametrize(
    "text", ["", "{", "[1,]", '{"DOI": "10.1000/182"', "[" * 100_000, "9" * 5_000, "'a'", "\ufeff[]"]
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(RefusedFile):
        find_in_file(FileText(text), "odd.json")


def test_edits_are_put_in_at_their_places() -> None:
    found = find_in_file(FileText(f"{OLD}10.1000/1 {OLD}10.1000/2"), "a.txt")
    assert apply_edits(found.source.text, found.edits) == f"{NEW}10.1000/1 {NEW}10.1000/2"
