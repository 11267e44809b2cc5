"""What the file of results is called after the upload."""

import pytest

from resolver.services.results.export import build_results_name


@pytest.mark.parametrize(
    ("filename", "expected"),
    [
        ("list.csv.gz", "list-checked.csv"),
        ("LIST.TXT.GZ", "LIST-checked.csv"),
        ("list.gz", "list-checked.csv"),
        (".gz", "dois-checked.csv"),
        ("list.gz.csv", "list.gz-checked.csv"),
    ],
)
def test_what_it_was_compressed_with_is_no_part_of_its_name(filename: str, expected: str):
    assert build_results_name(filename, "csv") == expected
