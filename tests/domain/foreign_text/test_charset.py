"""Names of charsets in headers: those that read texts are known, and any other is harmless."""

import encodings

import pytest

from resolver.domain.foreign_text import find_codec


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("utf-8", "utf-8"),
        ("UTF8", "utf-8"),
        ("us-ascii", "ascii"),
        ("Windows-1251", "cp1251"),
        ("ISO-8859-1", "iso8859-1"),
        ("macintosh", "mac-roman"),
        ("gb2312", "gb2312"),
    ],
)
def test_a_charset_has_the_codec_that_reads_it(charset: str, codec: str) -> None:
    assert find_codec(charset) == codec


@pytest.mark.parametrize(
    "charset",
    ["", "no-such", "rot13", "base64", "mbcs", "idna", "undefined", "utf-8\0x", "\0", "\ud800", "é", "x" * 8000],
)
def test_what_reads_no_texts_has_none(charset: str) -> None:
    assert find_codec(charset) == ""


def test_punycode_which_reads_a_long_text_for_minutes_is_none() -> None:
    assert "x".encode("punycode").decode("punycode") == "x"
    assert find_codec("punycode") == ""


def test_a_name_that_is_not_known_is_not_kept_in_memory() -> None:
    kept = encodings._cache  # type: ignore[attr-defined]  # where Python keeps it, says no interface
    before = len(kept)
    for number in range(20):
        find_codec(f"no-such-{number}")
    assert len(kept) == before
