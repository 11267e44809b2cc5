"""Records of MARC whose lengths or end marks are at fault, and texts that are not in UTF-8."""

import pytest
from pymarc.marc8 import marc8_to_unicode

from resolver.sheets.bibliographic.marc.ansel import decode_ansel
from tests.sheets.bibliographic.made_files import make_marc
from tests.sheets.bibliographic.written import left_out, places, read, written


def make(number: int) -> bytes:
    return make_marc([(b"001", b"id%d" % number), (b"024", b"7 \x1fa10.1000/%d\x1f2doi" % number)])


FIRST, SECOND, THIRD = map(make, (1, 2, 3))
NEW = b"10.5555/new"


@pytest.mark.parametrize("length", [b"99999", b"09999", b"%05d" % (len(FIRST) + len(SECOND)), b"00030", b"00000"])
def test_a_wrong_length_in_the_leader_takes_no_bytes_of_the_next_record(length: bytes) -> None:
    data = length + FIRST[5:] + SECOND + THIRD
    assert [[place.text for place in record.places] for record in read("marc", data)] == [
        ["10.1000/1"],
        ["10.1000/2"],
        ["10.1000/3"],
    ]
    new = written("marc", data, {1: NEW.decode()})
    assert new.endswith(SECOND + THIRD)
    assert new[:5] == b"%05d" % (len(new) - len(SECOND + THIRD))


def test_a_record_without_its_end_mark_ends_before_the_next() -> None:
    data = FIRST[:-1] + SECOND + THIRD
    first, *others = read("marc", data)
    assert (bool(first.fault), first.end) == (True, len(FIRST) - 1)
    assert [record.places[0].text for record in others] == ["10.1000/2", "10.1000/3"]
    assert written("marc", data, {2: NEW.decode()}).startswith(FIRST[:-1])


def test_two_records_that_can_not_be_told_apart_are_not_written() -> None:
    data = b"99999" + FIRST[5:-1] + SECOND + THIRD
    first, second = read("marc", data)
    assert (bool(first.fault), second.places[0].text) == (True, "10.1000/3")


def test_bytes_behind_the_last_field_keep_the_record_from_being_written() -> None:
    data = FIRST[:-1] + b"more\x1d" + SECOND
    assert places("marc", data)[0].reason
    assert written("marc", data, {1: NEW.decode()}) == data


def test_a_record_longer_than_a_piece_that_is_read_stays_whole() -> None:
    long = make_marc([(b"024", b"7 \x1fa10.1000/1\x1f2doi"), *[(b"500", b"  \x1fa" + b"x" * 9_000)] * 10])
    assert [len(record.places) for record in read("marc", long * 5 + SECOND)] == [1] * 6


def test_a_byte_order_mark_at_the_start_is_passed_over() -> None:
    data = b"\xef\xbb\xbf" + FIRST + SECOND
    assert [place.text for place in places("marc", data)] == ["10.1000/1", "10.1000/2"]


@pytest.mark.parametrize(
    "raw", [b"K\xe8uln", b"caf\xe2e", b"\xa2re\xb2", b"Dvo\xe9r\xe2ak", b"Vi\xf2\xe3et Nam", b"10 \xb9", b"stra\xc7e"]
)
def test_letters_of_marc_8_are_read_as_pymarc_reads_them(raw: bytes) -> None:
    assert decode_ansel(raw) == marc8_to_unicode(raw)


@pytest.mark.parametrize("raw", [b"a\x1b$1!AB", b"a\xe8", b"\xe8 a", b"\xff"])
def test_what_is_no_letter_of_ansel_is_not_guessed(raw: bytes) -> None:
    assert "\ufffd" in decode_ansel(raw)


def test_a_value_that_is_not_ascii_is_not_changed_in_marc_8() -> None:
    data = make_marc([(b"024", b"7 \x1fa10.1000/\xe1e\x1f2doi")], coding=b" ")
    [place] = places("marc", data)
    assert (place.text, "MARC-8" in str(place.reason)) == ("10.1000/è", True)
    assert written("marc", data, {1: NEW.decode()}) == data


def test_unimarc_says_in_its_field_100_that_it_is_in_utf_8() -> None:
    fields = [
        (b"100", b"  \x1fa" + b"20010101d2001    m  y0frey50      ba"),
        (b"200", b"1 \x1faT"),
        (b"017", b"70\x1fa10.1000/1\x1f2doi"),
    ]
    data = make_marc(fields, coding=b" ")
    assert "10.1000/é".encode() in written("marc", data, {1: "10.1000/é"})
    other = data.replace(b"y50 ", b"y03 ")
    assert "MARC-8" in str(left_out("marc", other, {1: "10.1000/é"})[0].reason)


@pytest.mark.slow
def test_many_small_records_behind_a_large_one_are_read() -> None:
    data = b"y" * (4 << 20) + b"\x1d" + b"x\x1d" * 500_000
    assert len(read("marc", data)) == 500_001


@pytest.mark.parametrize("kind", ["marc", "mrk"])
def test_a_record_of_very_many_subfields_is_not_built(kind: str) -> None:
    data = b"=LDR  x\n=856  40" + b"$uhttps://doi.org/10.1000/1" * 30_000
    if kind == "marc":
        data = make_marc([(b"856", b"40" + b"\x1fu" * 4_900)] * 5)
    [record] = read(kind, data)
    assert "subfields" in str(record.fault)
