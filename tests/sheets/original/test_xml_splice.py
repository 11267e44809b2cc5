"""A part of a workbook with splices: every other byte is the part's own."""

import sqlite3
from collections.abc import Iterator

import pytest

from resolver.sheets.errors import UnreadableFile
from resolver.sheets.original.xml_splice import Splices, WrittenXml
from resolver.sheets.workbook.temporary_database import open_temporary_database

BODY = '<!-- a > b --><x:a xmlns:x="u"><x:b é="1>2" c=\'"\' />\r\n<d><![CDATA[<b>]]></d><x:b\n>ü&amp;</x:b ></x:a>'


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    with open_temporary_database() as database:
        yield database


def cut(content: bytes, size: int) -> Iterator[bytes]:
    return (content[at : at + size] for at in range(0, len(content), size))


def find_tags(content: bytes, size: int) -> tuple[WrittenXml, list[tuple[str, int, str]]]:
    """Each start and end of an element with the byte where it stands, and the start's tag as it is written."""
    xml = WrittenXml(cut(content, size), "part")
    found: list[tuple[str, int, str]] = []
    xml.handle_elements(
        lambda name, _: found.append((xml.local[name], xml.at, xml.read_tag())),
        lambda name: found.append(("/" + xml.local[name], xml.at, "")),
    )
    while xml.read():
        pass
    return xml, found


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ("", "utf-8"),
        ('<?xml version="1.0" encoding="UTF-8"?>', "utf-8-sig"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1"),
        ('<?xml version="1.0" encoding="UTF-16"?>', "utf-16"),
        ("\ufeff", "utf-16-be"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 65_536])
def test_tags_are_found_where_they_are_written_in_any_encoding(head: str, codec: str, size: int) -> None:
    content = (head + BODY).encode(codec)
    xml, found = find_tags(content, size)
    assert [(name, tag) for name, _, tag in found] == [
        ("a", '<x:a xmlns:x="u">'),
        ("b", '<x:b é="1>2" c=\'"\' />'),
        ("/b", ""),
        ("d", "<d>"),
        ("/d", ""),
        ("b", "<x:b\n>"),
        ("/b", ""),
        ("/a", ""),
    ]
    for _, at, tag in found:
        assert content[at:].startswith(xml.encode(tag))
    ends = [content[at:] for name, at, _ in found if name == "/b"]
    behind_the_tag, before_the_tag = ends
    assert behind_the_tag.startswith(xml.encode("\r\n<d>"))
    assert before_the_tag.startswith(xml.encode("</x:b >"))


def test_a_character_that_the_encoding_does_not_have_becomes_a_reference() -> None:
    xml, _ = find_tags(b'<?xml version="1.0" encoding="us-ascii"?><a/>', 9)
    assert xml.encode("aü一") == b"a&#252;&#19968;"


@pytest.mark.parametrize("size", [1, 3, 100])
def test_splices_stand_where_they_were_put_whatever_the_order_and_the_blocks(
    database: sqlite3.Connection, size: int
) -> None:
    splices = Splices(database)
    splices.add(8, 8, "late")
    splices.add(2, 6, "<ü>")
    splices.add(0, 0, "first ")
    splices.add(8, 8, ", later")
    splices.add(6, 7, "")
    assert len(splices) == 5
    assert b"".join(splices.copy(cut(b"0123456789", size), str.encode)) == "first 01<ü>7late, later89".encode()


def test_what_stands_behind_the_last_byte_is_written(database: sqlite3.Connection) -> None:
    splices = Splices(database)
    splices.add(4, 4, "end")
    splices.add(4, 4, "!")
    for blocks in ([b"01", b"23"], [b"0123"]):
        assert b"".join(splices.copy(iter(blocks), str.encode)) == b"0123end!"


def test_no_splices_are_no_change(database: sqlite3.Connection) -> None:
    splices = Splices(database)
    assert not splices
    assert b"".join(splices.copy(cut(b"0123456789", 4), str.encode)) == b"0123456789"


@pytest.mark.parametrize(
    "content",
    [
        b"<a" + b' b="c"' * 300_000 + b"/>",
        b"<!DOCTYPE a><a/>",
        b"<a>" * 200,
        b"<a></b>",
        b'<?xml version="1.0" encoding="cp1252"?><a/>',
    ],
    ids=["long tag", "document type", "deep", "broken", "encoding"],
)
def test_what_reading_refuses_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableFile):
        find_tags(content, 65_536)
