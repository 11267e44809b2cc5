"""The records of XML files: tags without text, texts beside other marks, and files made to be large."""

import tracemalloc

import pytest

from resolver.sheets.bibliographic.xml_leaves import read_xml_records
from resolver.sheets.errors import UnreadableFile
from tests.sheets.bibliographic.written import places, read, written


def endnote(records: bytes) -> bytes:
    return b'<?xml version="1.0"?><xml><records>' + records + b"</records></xml>"


def test_a_style_directly_in_a_record_is_passed_over() -> None:
    assert [record.places for record in read("endnote-xml", endnote(b"<record><style>x</style></record>"))] == [()]


def test_text_before_a_style_makes_one_place_that_is_not_changed() -> None:
    value = b"doi:<style>10.1000/182</style>"
    data = endnote(b"<record><electronic-resource-num>" + value + b"</electronic-resource-num></record>")
    [place] = places("endnote-xml", data)
    assert (place.text, bool(place.reason)) == ("doi:10.1000/182", True)
    assert written("endnote-xml", data, {1: "10.5555/new"}) == data


def test_text_behind_a_style_is_a_part_of_its_place() -> None:
    head, tail = b"<record><electronic-resource-num><style>", b"</electronic-resource-num></record>"
    data = endnote(head + b"10.1000/</style>182" + tail)
    assert [place.text for place in places("endnote-xml", data)] == ["10.1000/182"]
    assert written("endnote-xml", data, {1: "10.5555/new"}) == endnote(head + b"10.5555/new</style>" + tail)


@pytest.mark.parametrize(
    "tag", [b"<record/>", b'<record a=">"/>', b"<record></record>", b"<record>/></record>", b"<record><a/></record>"]
)
def test_a_record_ends_with_its_own_tag(tag: bytes) -> None:
    doi = b"<record><electronic-resource-num>10.1000/1</electronic-resource-num></record>"
    data = endnote(tag + doi + tag)
    found = read("endnote-xml", data)
    assert [data[record.start : record.end] for record in found] == [tag, doi, tag]


@pytest.mark.parametrize("opening", [b'<record a="', b"<!--", b"<?x "])
def test_a_tag_or_comment_without_an_end_is_refused(opening: bytes) -> None:
    with pytest.raises(UnreadableFile, match="longer than"):
        read("marcxml", b"<collection>" + opening + b"y" * (8 << 20))


class _Endless:
    """A file of one text that is much longer than what may be kept."""

    def __init__(self) -> None:
        self.left = 40 << 20
        self.head = b"<collection><record><datafield><subfield>"

    def read(self, count: int) -> bytes:
        if self.head:
            head, self.head = self.head, b""
            return head
        if self.left > 0:
            self.left -= count
            return b"y" * count
        tail, self.tail = self.tail, b""
        return tail

    tail = b"</subfield></datafield></record></collection>"


def test_of_a_text_that_is_too_long_nothing_is_kept() -> None:
    tracemalloc.start()
    try:
        [record] = read_xml_records(_Endless(), "record")  # type: ignore[arg-type]
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert record.fault
    assert most < 40 << 20
