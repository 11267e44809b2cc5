"""Files as they are uploaded, from tables: each has its name and what must happen."""

import pytest

from tests.sheets.odd_files.attacks import ATTACKS
from tests.sheets.odd_files.cells import CELLS
from tests.sheets.odd_files.odd_file import Odd
from tests.sheets.odd_files.refusals import REFUSALS
from tests.sheets.odd_files.starts import STARTS
from tests.sheets.odd_files.texts import TEXTS
from tests.sheets.odd_files.workbooks import ODS, XLSX
from tests.sheets.reader import SheetReader

_ALL = [*TEXTS, *STARTS, *CELLS, *ATTACKS, *XLSX, *ODS, *REFUSALS]


@pytest.mark.parametrize("odd", [odd for odd in _ALL if not odd.refused], ids=lambda odd: odd.name)
def test_it_is_read(reader: SheetReader, odd: Odd):
    found = reader(odd.content)
    assert tuple(found.dois) == odd.dois
    assert odd.header in (None, found.layout.header)


@pytest.mark.parametrize("odd", [odd for odd in _ALL if odd.refused], ids=lambda odd: odd.name)
def test_it_is_refused(reader: SheetReader, odd: Odd):
    error = reader.refused(odd.content)
    assert odd.refused in error.reason
    assert error.line == odd.line


def test_many_xml_comments_take_no_time(reader: SheetReader):
    assert "XML" in reader.refused(b"<?xml ?>" + b"<!-- -->" * 10_000).reason
