"""A repository's batch CSV, as DSpace exports it: cells of several values, joined by two bars."""

import pytest

from resolver.sheets.input.read_as import list_notes
from tests.sheets.reader import SheetReader

HANDLE = "http://hdl.handle.net/123/456"


@pytest.mark.parametrize(
    "name",
    [
        "dc.identifier.uri[]",
        "dc.identifier.doi[en_US]",
        "dc.identifier.other",
        "dc.identifier",
        "dcterms.identifier[en]",
    ],
)
def test_values_joined_by_two_bars_are_read_one_by_one(reader: SheetReader, name: str):
    layout = reader(f"id,collection,{name}\n1,123/4,{HANDLE}||10.1000/1\n2,123/4,10.1000/2\n").layout
    assert (layout.column_name, layout.split) == (name, True)
    assert [note.code for note in list_notes(layout)] == ["values-read-one-by-one"]


@pytest.mark.parametrize(
    "content",
    [
        "id,dc.identifier.uri[]\n1,10.1000/1\n",
        "id,doi\n1,10.1000/1||10.1000/2\n",
        "id,dc.title||dc.identifier.uri\n1,10.1000/1\n",
        "id,dc.title[],dc.identifier.doi[]\n1,a||b,10.1000/1\n",
    ],
)
def test_a_cell_of_any_other_column_is_read_as_a_whole(reader: SheetReader, content: str):
    layout = reader(content).layout
    assert not layout.split
    assert list(list_notes(layout)) == []


@pytest.mark.parametrize("name", ["dc.identifier.doi[en_US]", "dc.identifier.doi[]", "DOI[de]"])
def test_the_language_of_a_field_does_not_hide_its_name(reader: SheetReader, name: str):
    layout = reader(f"dc.relation.uri[],{name}\nhttps://doi.org/10.1000/9,10.1000/1\n").layout
    assert layout.column_name == name
