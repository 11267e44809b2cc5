"""The DOIs of a long text, each with its place."""

import subprocess
import sys
from pathlib import Path

import pytest

from doi_reading import LONGEST_DOCUMENT, Doi, find_all

ROOT = Path(__file__).parents[3]
BOUND = 240  # seconds: some ten would do; what takes the square of its length needs hours
SLOW = """
from itertools import islice
from doi_reading import find_all
from tests.doi_reading.long_texts import texts
count = 0
for text in islice(texts(60_000), 0, None, 7):
    for one in find_all(text):
        assert 0 <= one.start < one.end <= len(text)
    count += 1
print(count)
"""


def found_in(text: str) -> list[tuple[str, str | None, list[str]]]:
    """The text of each DOI, its name and its problems."""
    return [
        (text[one.start : one.end], str(one.reading.doi or "") or None, [each.code for each in one.reading.problems])
        for one in find_all(text)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("No DOI, and 10.5 percent of https://doi.org/ too.", []),
        ("See https://doi.org/10.1000/182.", [("https://doi.org/10.1000/182", "10.1000/182", [])]),
        ("(DOI: 10.1000/182)", [("DOI: 10.1000/182", "10.1000/182", [])]),
        ("[it](https://doi.org/10.1000/a(b)c).", [("https://doi.org/10.1000/a(b)c", "10.1000/a(b)c", [])]),
        ("**10.1000/182**", [("10.1000/182", "10.1000/182", [])]),
        ("doi:doi:10.1000/1", [("doi:doi:10.1000/1", "10.1000/1", ["repeated-prefix"])]),
        ("http://doi.org/10.1000/1", [("http://doi.org/10.1000/1", "10.1000/1", ["old-resolver"])]),
        ("DOI: https://doi.org/10.1000/9", [("https://doi.org/10.1000/9", "10.1000/9", [])]),
        ("doi:https://doi.org/10.1000/9", [("doi:https://doi.org/10.1000/9", "10.1000/9", ["repeated-prefix"])]),
        ("https://doi.org/10/abc!", [("https://doi.org/10/abc", None, ["short-doi"])]),
        ("https://doi.org/10.1000a/182, x", [("https://doi.org/10.1000a/182", None, ["registrant-code"])]),
        ("doi:11.1000/5;", [("doi:11.1000/5", None, ["directory-code"])]),
        ("10.1002/e3.1... x", [("10.1002/e3.1...", "10.1002/e3.1...", ["trailing-punctuation", "cut-short"])]),
        ("10.1093/nar/ 25.17.3389 x", [("10.1093/nar/ 25.17.3389", "10.1093/nar/", ["trailing-slash", "inner-space"])]),
        ("10.1000/1 10.1000/1", [("10.1000/1", "10.1000/1", [])] * 2),
        ("10.1000/a- 10.1000/b", [("10.1000/a-", "10.1000/a-", []), ("10.1000/b", "10.1000/b", [])]),
        ("10.1000/a-\n\nb", [("10.1000/a-", "10.1000/a-", [])]),
        ("10.1002/(A)1 <1::B>3 x", [("10.1002/(A)1 <1::B>3", "10.1002/(A)1", ["inner-space"])]),
    ],
)  # fmt: skip
def test_each_doi_is_found_with_its_place_and_its_problems(
    text: str, found: list[tuple[str, str | None, list[str]]]
) -> None:
    assert found_in(text) == found


@pytest.mark.parametrize(
    ("link", "name", "code"),
    [
        ("https:/doi.org/10.1000/182", "10.1000/182", "damaged-resolver"),
        ("https//doi.org/10.1000/182", "10.1000/182", "damaged-resolver"),
        ("hftps://doi.org/10.1000/182", "10.1000/182", "damaged-resolver"),
        ("https://doi.org/ 10.1000/182", "10.1000/182", "unescaped-space"),
        ("https://doi.org/10. 1000/182", None, "unescaped-space"),
        ("https://doi.org/1O.1000/182", None, "directory-code"),
        ("https://doi.org/0.1000/182", None, "directory-code"),
        ("https://doi.org/110.1000/182", None, "directory-code"),
        ("https://doi.org/10:1000/182", None, "directory-code"),
        ("https:/doi.org/10,1000/182", None, "directory-code"),
        ("doi.org/1O.1000/182", None, "directory-code"),
        ("doi:10,1000/182", None, "directory-code"),
        ("doi:101000/182", None, "directory-code"),
    ],
)
@pytest.mark.parametrize("around", ["See {}, and on.", "[x]({})", "<{}>", "\n- {}\n- next"])
def test_a_damaged_link_is_found_as_it_is_read_alone(around: str, link: str, name: str | None, code: str) -> None:
    (found,) = found_in(around.format(link))
    assert (found[0], found[1], code in found[2]) == (link, name, True)


@pytest.mark.parametrize(
    "after",
    [
        "\n\n</details>\n", " <br>", " </p>", "\n</div>\n  </div>", " | next |", "\n- next", "\n\nnext", ' "title")',
        ") and", " <me@x.org>", "\n<!-- x -->", " \u2014 <1 mm>", " <2020>", " <10 mm/s>", "</sup> x",
    ],
)  # fmt: skip
def test_what_follows_a_doi_is_no_part_of_it(after: str) -> None:
    assert found_in(f"See https://doi.org/10.1000/182{after}") == [("https://doi.org/10.1000/182", "10.1000/182", [])]


@pytest.mark.parametrize(
    "text",
    ["doi:1234567", "doi:2020.01", "doi:2020/01/01", "https://doi.org/help", "https://doi.org/2020/x", "DOI:100.20/3"],
)
def test_a_number_after_a_label_is_no_damaged_doi(text: str) -> None:
    assert found_in(f"See {text} here") == []


def test_far_into_a_text_of_a_megabyte_the_places_are_right() -> None:
    text = "word " * 200_000 + "https://doi.org/10.1000/182\n"
    (one,) = find_all(text)
    assert (text[one.start : one.end], one.reading.doi) == ("https://doi.org/10.1000/182", Doi.parse("10.1000/182"))


def test_a_text_that_is_too_long_is_not_read_and_says_so() -> None:
    (one,) = find_all("10.1000/182 " * 2, longest=20)
    assert (one.start, one.end, one.reading.doi) == (20, 24, None)
    assert [(each.code, each.message.details["most"]) for each in one.reading.problems] == [("too-long", 20)]
    assert LONGEST_DOCUMENT == 10_000_000


def test_an_empty_text_has_none() -> None:
    assert find_all("") == []


@pytest.mark.clause("S7")
def test_long_texts_made_to_be_slow_are_all_read() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SLOW], cwd=ROOT, capture_output=True, text=True, timeout=BOUND, check=True
    )
    assert int(done.stdout) > 100
