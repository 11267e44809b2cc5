"""Damaged files: rows or a refusal, never a traceback, and no byte changes that nobody accepted."""

import random

import pytest

from resolver.sheets.bibliographic.formats import FORMATS, find_format
from resolver.sheets.errors import UnreadableFile
from tests.sheets.bibliographic import made_files
from tests.sheets.bibliographic.written import places, read, written

SEEDS = {**{kind: text.encode() for kind, text in made_files.TEXTS.items()}, "marc": made_files.MARC}
ODD = b'{}"\\@\x1d\x1e\x1f<>&#\n\r \x00'


def damage(data: bytes, dice: random.Random) -> bytes:
    """Return the bytes with a few of them changed, left out or added."""
    found = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 5, 20))):
        at, way = dice.randrange(len(found) or 1), dice.random()
        if way < 0.6 and found:
            found[at] = dice.randrange(256)
        elif way < 0.8:
            del found[at : at + dice.randrange(1, 30)]
        else:
            found[at:at] = bytes(dice.choice(ODD) for _ in range(dice.randrange(1, 4)))
    return bytes(found)


@pytest.mark.parametrize("kind", sorted(SEEDS))
def test_of_damaged_files_every_byte_that_was_not_accepted_stays(kind: str) -> None:
    dice = random.Random(kind)
    for _ in range(300):
        data = damage(SEEDS[kind], dice)
        try:
            found = read(kind, data)
        except UnreadableFile:
            continue
        at = 0
        for record in found:
            assert at <= record.start <= record.end <= len(data)
            at = record.end
            for place in record.places:
                if place.reason is None:
                    assert all(record.start <= start <= end <= record.end for start, end in place.spans)
        assert written(kind, data, {}) == data


@pytest.mark.parametrize(
    ("kind", "damaged", "whole"),
    [
        ("marc", b"00026nam a22000xx  4500\x1ex\x1d", made_files.make_marc(made_files.MARC_FIELDS[0])),
        ("ris", b"DO  - 10.1000/1\nER  - \n", b"TY  - JOUR\nDO  - 10.1000/182\nER  - \n"),
        ("bibtex", b"@article{a, doi = {10.1000/1}, title = {open\n", b"@article{b, doi = {10.1000/182}}\n"),
        ("csl-json", b'[{"DOI": bad}, ', b'{"DOI": "10.1000/182"}]'),
    ],
)
def test_after_a_damaged_record_the_next_one_is_read(kind: str, damaged: bytes, whole: bytes) -> None:
    data = damaged + whole
    broken, *others = read(kind, data)
    assert broken.fault
    assert "10.1000/182" in [place.text for record in others for place in record.places]
    assert written(kind, data, {2: "10.5555/new"}).startswith(damaged)


@pytest.mark.parametrize("kind", ["marcxml", "endnote-xml"])
def test_xml_that_is_not_well_formed_is_refused_with_its_line(kind: str) -> None:
    data = SEEDS[kind].replace(b"</record>", b"</wrong>").replace(b"</m:record>", b"</m:wrong>")
    with pytest.raises(UnreadableFile) as refusal:
        read(kind, data)
    assert refusal.value.line


@pytest.mark.parametrize("kind", ["marcxml", "endnote-xml"])
def test_xml_with_a_document_type_is_refused(kind: str) -> None:
    head, rest = SEEDS[kind].split(b"?>", 1)
    bomb = b'?><!DOCTYPE x [<!ENTITY a "10.1000/182"><!ENTITY b "&a;&a;&a;">]>'
    with pytest.raises(UnreadableFile, match="DOCTYPE"):
        read(kind, head + bomb + rest)


@pytest.mark.slow
def test_a_record_without_an_end_is_one_row_and_not_kept_in_memory() -> None:
    data = b"@article{a, title = {" + b"x{" * (5 << 20)
    assert [bool(record.fault) for record in read("bibtex", data)] == [True]


def test_the_places_of_one_record_are_bounded() -> None:
    data = b"TY  - JOUR\n" + b"DO  - 10.1000/182\n" * 1000 + b"ER  - \n"
    assert len(places("ris", data)) == 200


def test_fields_that_share_their_bytes_are_not_read_again_and_again() -> None:
    whole = made_files.make_marc(
        [(b"856", b"40\x1fuhttps://doi.org/10.1000/" + b"1" * 9_000), *[(b"856", b"x")] * 5_000]
    )
    shared = whole[:24] + whole[24:36] * 5_001 + whole[24 + 12 * 5_001 :]
    assert [bool(record.fault) for record in read("marc", shared)] == [False]
    assert places("marc", shared)[0].reason


def test_a_value_that_is_too_long_for_a_doi_keeps_its_beginning_and_refuses_no_file() -> None:
    data = b"TY  - JOUR\nDO  - 10.1000/" + b"1" * 2_000_000 + b"\nER  - \n"
    [place] = places("ris", data)
    assert (len(place.text), "longer than" in str(place.reason)) == (10_001, True)


@pytest.mark.parametrize("encoding", [b"UuF-8", b"UTF-7", b"Big5"])
def test_xml_in_an_encoding_that_we_do_not_know_is_refused(encoding: bytes) -> None:
    with pytest.raises(UnreadableFile, match="encoding"):
        read("marcxml", SEEDS["marcxml"].replace(b"UTF-8", encoding))


@pytest.mark.parametrize(
    "piece",
    [
        b"\n",
        b" ",
        b"\r\n ",
        b"1.\n",
        b"%\n",
        b"<?x?> ",
        b"<!-- -->",
        b"@a ",
        b"[ ",
        b"00000",
        b"\n@a{ x ",
        b"\nTY  ",
        b"\n@ ",
        b"%A \n",
    ],
)
def test_a_beginning_that_only_repeats_itself_is_told_at_once(piece: bytes) -> None:
    assert find_format(piece * (8192 // len(piece))) is None


def test_objects_in_objects_without_an_end_are_told_at_once_too() -> None:
    form = find_format(b'{"a":' * 1600)
    assert form is not None
    assert form.kind == "json"


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(FORMATS))
@pytest.mark.parametrize(
    "piece", [b" ", b"\n", b"@a{b,", b"x = ", b'"', b"{", b"\\", b"<a>", b"$", b"\x1f", b"%0 ", b"TY  - "]
)
def test_a_file_that_only_repeats_itself_is_read_to_its_end(kind: str, piece: bytes) -> None:
    data = SEEDS[kind][:150] + piece * (200_000 // len(piece))
    try:
        assert written(kind, data, {}) == data
    except UnreadableFile:
        assert kind in ("marcxml", "endnote-xml")
