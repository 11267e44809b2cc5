"""Reading is streamed: memory does not grow with the file, whatever its kind."""

import gzip
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from resolver.sheets.input.layout_detection import detect_table_layout
from tests.sheets.made_workbooks import ods, ods_row, strings, xlsx
from tests.sheets.reader import read_table

_ABSTRACT = "An abstract. " * 25


def _csv(count: int) -> bytes:
    return ("doi,abstract\n" + "".join(f"10.1000/{n},{n} {_ABSTRACT}\n" for n in range(count))).encode()


def _xlsx(count: int) -> bytes:
    cells = '<c t="inlineStr"><is><t>{}</t></is></c>'.format
    return xlsx(
        f"<row>{cells('doi')}</row>"
        + "".join(f"<row>{cells(f'10.1000/{n}')}{cells(f'{n} {_ABSTRACT}')}</row>" for n in range(count))
    )


def _ods(count: int) -> bytes:
    return ods(ods_row("doi") + "".join(ods_row(f"10.1000/{n}", f"{n} {_ABSTRACT}") for n in range(count)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "made", [_csv, lambda count: gzip.compress(_csv(count)), _xlsx, _ods], ids=["csv", "gzip", "xlsx", "ods"]
)
def test_ten_times_the_rows_take_no_more_memory(tmp_path: Path, made: Callable[[int], bytes]):
    small, large = (_peak(tmp_path / str(count), made(count), count) for count in (600, 6_000))
    assert large < small + 500_000


def _peak(path: Path, content: bytes, count: int) -> int:
    path.write_bytes(content)
    del content
    tracemalloc.start()
    try:
        layout = detect_table_layout(path)
        assert sum(1 for _ in read_table(path, layout)) == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_rows_that_refer_to_long_texts_are_built_one_at_a_time(tmp_path: Path):
    texts = strings("<t>doi</t>", *(f"<t>{number}{'x' * 900_000}</t>" for number in range(40)))
    cells = '<row><c t="s"><v>0</v></c></row>' + "".join(f'<row><c t="s"><v>{n}</v></c></row>' for n in range(1, 41))
    assert _peak(tmp_path / "upload", xlsx(cells, xl__sharedStrings=texts), 40) < 15_000_000


def test_a_quotation_mark_in_a_long_text_of_a_table_with_tabs_takes_little_memory(tmp_path: Path):
    content = ("doi\tt\n" + f'10.1000/1\t"{"x" * 900_000}"\n' * 2).encode()
    assert _peak(tmp_path / "upload", content, 2) < 15_000_000
