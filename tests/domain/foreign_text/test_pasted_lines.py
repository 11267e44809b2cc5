"""One thing or a list: what a pasted text is."""

import pytest

from resolver.domain.foreign_text import is_single_lookup, split_nonblank_lines, strip_empty_lines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10.1000/182",
        "\n\n 10.1000/182 \r\n \n",
        "10.1000/182 and 10.1000/183 in one line",
        "Smith, J. (2020). A title that is\nwrapped. A Journal, 12(3).\nhttps://doi.org/10.1000/182",
        "10.1000/\r\n182",
        "https://doi.org/10.\n1000/182",
        "no name\nin any\nof these",
    ],
)
def test_one_thing(text: str):
    assert is_single_lookup(text)


@pytest.mark.parametrize(
    "text",
    ["10.1000/1\n10.1000/2", "DOI\r\n10.1000/1\r\n\r\ndoi:10.1000/2", "a 10.1000/1\rb 10.1000/1", "title\n" * 2000],
)
def test_a_list(text: str):
    assert not is_single_lookup(text)


def test_a_long_text_of_one_line_stays_one_thing_and_of_several_is_none():
    assert is_single_lookup("x" * 50, longest=20)
    assert not is_single_lookup("10.1000/1\n" + "x" * 50, longest=20)


def test_lines_without_anything_in_them_are_left_out():
    assert split_nonblank_lines("\ufeff\n 10.1000/1 \r\n\t\r\n10.1000/2\r\r") == ["\ufeff", " 10.1000/1 ", "10.1000/2"]


def test_the_empty_ends_go_and_all_else_stays():
    assert strip_empty_lines("\r\n \r\n 10.1000/a\r\n\r\n b \r\n") == " 10.1000/a\n\n b "
    assert strip_empty_lines(" \n ") == ""
