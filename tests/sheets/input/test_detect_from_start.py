"""`detect_layout_from_start`: the layout from the beginning of a file; `read_table` tells the rest."""

import gzip
from pathlib import Path

import pytest

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import LayoutChoices
from resolver.sheets.input.layout_detection import LOOK_BYTES, LOOK_ROWS, detect_layout_from_start
from tests.sheets.made_workbooks import strings, xlsx
from tests.sheets.reader import read_table

MORE = LOOK_ROWS + 500
BELOW = "10.1000/1,A\n" * MORE


def _looked_at(folder: Path, content: bytes | str, declared_encoding: str = "") -> tuple[Path, Layout]:
    path = folder / "upload"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    choices = LayoutChoices(declared_encoding=declared_encoding)
    return path, Layout.from_json(detect_layout_from_start(path, choices=choices).to_json())


def test_a_file_that_is_no_longer_than_that_is_known_as_a_whole(tmp_path: Path):
    path, layout = _looked_at(tmp_path, "doi,t\n" + "10.1000/1,A\n" * (LOOK_ROWS - 1))
    assert (layout.complete, layout.total, len(list(read_table(path, layout)))) == (True, LOOK_ROWS - 1, LOOK_ROWS - 1)


@pytest.mark.parametrize("packed", [False, True])
def test_a_longer_file_is_read_to_its_end_by_rows(tmp_path: Path, packed: bool):
    content = f"doi,t\n{BELOW}".encode()
    path, layout = _looked_at(tmp_path, gzip.compress(content) if packed else content)
    assert (layout.complete, layout.total, layout.column_name) == (False, LOOK_ROWS, "doi")
    assert sum(1 for _ in read_table(path, layout)) == MORE


def test_a_few_long_rows_are_looked_at_and_not_all_of_them(tmp_path: Path):
    _, layout = _looked_at(tmp_path, "doi,t\n" + f"10.1000/1,{'x' * 900_000}\n" * 20)
    assert (layout.complete, layout.total < 12) == (False, True)


def test_empty_cells_count_as_what_is_read(tmp_path: Path):
    _, layout = _looked_at(tmp_path, "doi,t\n" + f"10.1000/1,A{',' * 16_000}\n" * 200)
    assert (layout.complete, layout.total < 60, layout.width) == (False, True, 2)


def test_a_row_that_cannot_be_read_further_down_is_told_with_its_line(tmp_path: Path):
    path, layout = _looked_at(tmp_path, f'doi,t\n{BELOW}10.1000/2,"open\n')
    source = read_table(path, layout)
    assert sum(1 for _, _ in zip(range(MORE), source, strict=False)) == MORE
    with pytest.raises(UnreadableFile) as caught:
        next(source)
    assert (caught.value.line, "never closed" in caught.value.reason) == (MORE + 2, True)


@pytest.mark.parametrize("cut", [8, 2_000])
def test_a_gzip_file_that_is_cut_off_is_told_with_a_line(tmp_path: Path, cut: int):
    text = "doi,t\n" + "".join(f"10.1000/{n * 7919 % 1_000_003},{n * n}{'x' * 700}\n" for n in range(12_000))
    path, layout = _looked_at(tmp_path, gzip.compress(text.encode())[:-cut])
    with pytest.raises(UnreadableFile, match="cut off or damaged"):
        list(read_table(path, layout))


def test_a_wider_row_further_down_keeps_its_cells(tmp_path: Path):
    path, layout = _looked_at(tmp_path, f"doi,t\n{BELOW}10.1000/2,B,C,,D,,\n")
    found = list(read_table(path, layout))
    assert (found[-2], found[-1]) == (["10.1000/1", "A"], ["10.1000/2", "B", "C", "", "D"])
    assert layout.extend(5, MORE + 1).header == ("doi", "t", "column 3", "column 4", "column 5")


@pytest.mark.parametrize(("told", "codec", "name"), [("", "cp1252", "Müller"), ("cp1251", "cp1251", "Иванов")])
def test_the_first_letter_beyond_ascii_may_be_in_another_encoding_than_utf_8_and_come_late(
    tmp_path: Path, told: str, codec: str, name: str
):
    content = f"doi,t\n{BELOW}".encode() + b"10.1000/2," + b"x" * 500_000 + b"\n"
    content += (b"10.1000/2," + b"x" * 500_000 + b"\n") * (LOOK_BYTES // 500_000) + f"10.1000/3,{name}\n".encode(codec)
    path, layout = _looked_at(tmp_path, content, told)
    assert list(read_table(path, layout))[-1] == ["10.1000/3", name]


def _sorted_sheet(name: str) -> bytes:
    """A sheet whose texts stand in reverse order, and are long enough not to be read to their end."""
    texts = [f"10.1000/{n}{'x' * 1_000}" for n in range(9_000)]
    cells = "".join(f'<row><c t="s"><v>{n}</v></c><c><v>1</v></c></row>' for n in [0, *range(9_000, 0, -1)])
    return xlsx(cells, xl__sharedStrings=strings(f"<t>{name}</t>", *(f"<t>{text}</t>" for text in texts)))


@pytest.mark.parametrize("name", ["doi", "reference"])
def test_the_column_of_a_sorted_sheet_is_found_by_its_name_or_else_by_its_texts(tmp_path: Path, name: str):
    path, layout = _looked_at(tmp_path, _sorted_sheet(name))
    found = list(read_table(path, layout))
    assert (layout.column_name, layout.complete, len(found)) == (name, False, 9_000)
    assert found[0][0].startswith("10.1000/8999x")


EMPTY_ROW = f'<row><c x="{"y" * 900}"/></row>'
EMPTY_ROWS = EMPTY_ROW * (LOOK_BYTES // 800)


def test_empty_rows_that_take_long_are_left_to_rows(tmp_path: Path):
    cells = '<row><c t="str"><v>doi</v></c></row><row><c t="str"><v>10.1000/1</v></c></row>'
    path, layout = _looked_at(tmp_path, xlsx(cells + EMPTY_ROWS))
    assert (layout.complete, layout.total, list(read_table(path, layout))) == (False, 1, [["10.1000/1"]])


def test_a_table_that_does_not_go_on_below_its_first_row_is_refused_in_these_words(tmp_path: Path):
    with pytest.raises(UnreadableFile, match="There is no text within 8,388,608 bytes after the first row"):
        _looked_at(tmp_path, xlsx('<row><c t="str"><v>doi</v></c></row>' + EMPTY_ROWS))


@pytest.mark.parametrize("content", [b"\n" * 600_000 + b"10.1000/1\n", xlsx(EMPTY_ROWS)], ids=["csv", "xlsx"])
def test_a_table_that_does_not_begin_is_refused(tmp_path: Path, content: bytes):
    with pytest.raises(UnreadableFile, match="does not begin within 8,388,608 bytes"):
        _looked_at(tmp_path, content)
