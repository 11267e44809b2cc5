"""Sentences that quote a long part of a text say that they shorten it, and agree with it in number."""

import pytest

from doi_reading import read
from doi_reading.problems import merge_messages

MOST = 24


def said(text: str, code: str) -> str:
    return merge_messages([one.message for one in read(text).problems if one.code == code])


ONE, OTHER, ESCAPED, OTHER_ESCAPED = "\u65e5", "\u672c", "%E6%97%A5", "%E6%9C%AC"


@pytest.mark.clause("E4")
@pytest.mark.parametrize(
    ("characters", "shown", "escaped"),
    [
        (ONE, ONE, ESCAPED),
        (f"{ONE}a{ONE}", ONE, ESCAPED),
        (ONE + OTHER, ONE + OTHER, ESCAPED + OTHER_ESCAPED),
        (f"{ONE}a{OTHER}", f"{ONE}, {OTHER}", f"{ESCAPED}, {OTHER_ESCAPED}"),
        (f"{ONE}{OTHER}a{ONE}", f"{ONE}{OTHER}, {ONE}", f"{ESCAPED}{OTHER_ESCAPED}, {ESCAPED}"),
        (ONE * 12, ONE * 12, ESCAPED * 12),
        (ONE * MOST, ONE * MOST, ESCAPED * MOST),
        (ONE * 25, ONE * MOST + "\u2026", ESCAPED * MOST + "\u2026"),
    ],
)
def test_characters_beyond_ascii_are_all_told_or_the_sentence_says_that_it_is_shortened(
    characters: str, shown: str, escaped: str
) -> None:
    words = f"{shown} are not ASCII characters. In a URL, write them as {escaped}, or"
    if len(shown) == 1:
        words = f"{shown} is not an ASCII character. In a URL, write it as {escaped}, or"
    assert said(f"https://doi.org/10.60001/{characters}", "unescaped-non-ascii").startswith(words)


@pytest.mark.clause("E2")
@pytest.mark.parametrize(
    ("characters", "shown", "escaped"),
    [
        ("<a", "<", "%3C"),
        ("<>", "<>", "%3C%3E"),
        ("<>{}^[]`|\\+", "<>{}^[]`|\\+", "%3C%3E%7B%7D%5E%5B%5D%60%7C%5C%2B"),
        ("{}" * 13, "{}" * 12 + "\u2026", "%7B%7D" * 12 + "\u2026"),
    ],
)
def test_signs_to_encode_are_all_told_or_the_sentence_says_that_it_is_shortened(
    characters: str, shown: str, escaped: str
) -> None:
    assert said(f"https://doi.org/10.60001/all{characters}", "unescaped-recommended") == (
        f"Write {shown} as {escaped}: some programs cut the link there."
    )


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("https://doi.org/10.1000/182?src=" + "x" * 60, "tracking-parameter", "src=" + "x" * 36 + "\u2026 was"),
        ("https://doi.org/abs/abs/10.1000/182", "damaged-resolver", "\u201chttps://doi.org/abs/abs/\u201d is"),
        ("https://doi.org/" + "abstracts/" * 4 + "10.1000/182", "damaged-resolver",
         "\u201chttps://doi.org/abstracts/abstracts/abst\u2026\u201d is"),
        ("10.1000/a" + "\u2013" * 30 + "b", "look-alike",
         "\u201c" + "\u2013" * MOST + "\u2026\u201d look like \u201c" + "-" * MOST + "\u2026\u201d but are"),
        ("10.1000/a\u2013b", "look-alike", "\u201c\u2013\u201d looks like \u201c-\u201d but is"),
    ],
)  # fmt: skip
def test_every_part_that_is_quoted_ends_in_an_ellipsis_where_it_is_cut(text: str, code: str, words: str) -> None:
    assert said(text, code).startswith(words)


def test_of_many_invisible_characters_the_first_ten_kinds_are_told() -> None:
    kinds = [chr(code) for code in range(0x200B, 0x2010)] + [chr(code) for code in range(0x202A, 0x202F)]
    few, many = (
        said(f"10.1000/a{''.join(kinds)}b", "non-graphic"),
        said(f"10.1000/a{''.join(kinds)}\u2060b", "non-graphic"),
    )
    assert ("U+202E)" in few, "\u2026" in few) == (True, False)
    assert "U+202E \u2026)" in many
    assert "\u2026" not in said("10.1000/a" + "\u200b" * 40 + "b", "non-graphic")
