"""The layout stored with a job."""

from resolver.sheets.input.layout import Layout
from tests.sheets.reader import SheetReader, read_table


def test_a_layout_that_an_earlier_version_stored_still_reads_its_file(reader: SheetReader):
    stored = reader("id,doi\n1,10.1000/1\n").layout.to_json()
    del stored["gzipped"]
    assert list(read_table(reader.path, Layout.from_json(stored))) == [["1", "10.1000/1"]]
