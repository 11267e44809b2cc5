"""What is read of a bibliographic file while a person waits."""

from pathlib import Path

from resolver.sheets.input.layout_detection import detect_layout_from_start

BOUNDS = {"max_rows": 1_000_000, "max_field": 131_072, "max_expanded": 1 << 30}


def test_a_file_whose_first_thousands_of_records_have_no_doi_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "long.bib"
    path.write_bytes(b"@a{b, title={x}}\n" * 10_001 + b"@a{b, doi={10.1000/1}}\n")
    layout = detect_layout_from_start(path, **BOUNDS)
    assert (layout.kind, layout.total, layout.complete) == ("bibtex", 0, False)
    path.write_bytes(b"@a{b, title={x}}\n" * 9_000 + b"@a{b, doi={10.1000/1}}\n")
    assert detect_layout_from_start(path, **BOUNDS).total == 1
