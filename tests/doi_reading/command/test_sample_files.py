"""The sample repository: what is found in each file, and what is corrected."""

from pathlib import Path

import pytest

from doi_reading.command.command_line import main
from doi_reading.command.file_text import read_text
from doi_reading.command.findings import find_in_file
from tests.doi_reading.command.sample_files import FILES, SampleFile


@pytest.mark.parametrize("sample", FILES, ids=[one.name for one in FILES])
def test_the_problems_of_each_file_are_found_and_what_is_certain_is_corrected(
    sample: SampleFile, tmp_path: Path
) -> None:
    path = tmp_path / sample.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(sample.before)
    with path.open("rb") as stream:
        found = find_in_file(read_text(stream), sample.name)
    assert tuple(one.code for one in found.findings) == sample.codes
    main(["--fix", str(path)])
    assert path.read_bytes() == sample.after


def test_the_sample_has_30_files() -> None:
    assert len(FILES) == 30
