"""CSL-JSON as programs write it, and JSON that holds what other files can't."""

import pytest

from resolver.sheets.bibliographic.formats import find_format
from tests.sheets.bibliographic.written import places, read, written


@pytest.mark.parametrize("head", [b'{"items":[', b'{"kind": "x", "list": {"items": 1}, "items" : [ '])
def test_the_items_of_an_object_are_read(head: bytes) -> None:
    data = head + b'{"type":"book","id":"x","DOI":"10.1000/1"},{"DOI":"10.1000/2"}], "more": {"DOI": "10.1000/3"}}'
    form = find_format(data)
    assert form is not None
    assert form.kind == "csl-json"
    assert [place.text for place in places("csl-json", data)] == ["10.1000/1", "10.1000/2"]
    assert written("csl-json", data, {2: "10.5555/n"}) == data.replace(b"10.1000/2", b"10.5555/n")


def test_a_half_character_breaks_nothing_and_can_be_stored() -> None:
    data = rb'[{"type": "book", "title": "\ud800", "note": "\ud800 10.1000/182", "DOI": "10.1000/\udc00"}]'
    [record] = read("csl-json", data)
    record.work.title.encode()
    note, doi = record.places
    assert (note.text, bool(note.reason), doi.text) == ("10.1000/182", True, "10.1000/\ufffd")
    assert written("csl-json", data, {1: "10.5555/a", 2: "10.5555/b"}) == data.replace(rb"10.1000/\udc00", b"10.5555/b")


def test_a_file_in_windows_1252_is_read_and_written_in_it() -> None:
    data = '[{"title": "Müller", "note": "für 10.1000/1", "DOI": "10.1000/2"}]'.encode("cp1252")
    [record] = read("csl-json", data)
    assert (record.work.title, [place.text for place in record.places]) == ("Müller", ["10.1000/1", "10.1000/2"])
    expected = data.replace(b"10.1000/1", b"10.5555/n").replace(b"10.1000/2", b"10.5555/\xfc")
    assert written("csl-json", data, {1: "10.5555/n", 2: "10.5555/ü"}) == expected


def test_a_record_of_very_many_values_is_not_built() -> None:
    [record] = read("csl-json", b'[{"a": [' + b"{}," * 300_000 + b'1], "DOI": "10.1000/1"}]')
    assert "values" in str(record.fault)


@pytest.mark.slow
def test_many_small_objects_behind_a_large_one_are_read() -> None:
    data = b'[{"a": "' + b"y" * (4 << 20) + b'"},' + b"{}," * 300_000 + b"{}]"
    assert len(read("csl-json", data)) == 300_002
