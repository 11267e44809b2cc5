"""A DOI added to an entry that has none: one field more, in the entry's own style, and every other byte as it was."""

import pytest

from tests.sheets.bibliographic.written import added, left_out, places, read

NAME = "10.5555/new"
STYLES = {
    "no comma behind the last field": (
        "@article{k,\n  title = {A},\n  year = 2001\n}\n",
        "@article{k,\n  title = {A},\n  year = 2001,\n  doi = {?}\n}\n",
    ),
    "a comma behind the last field": (
        "@article{k,\n  title = {A},\n}\n",
        "@article{k,\n  title = {A},\n  doi = {?},\n}\n",
    ),
    "the end on the line of the last field": ("@article{k,\n\ttitle={A}}", "@article{k,\n\ttitle={A},\n\tdoi={?}}"),
    "one line": ("@article{k, title={x}}", "@article{k, title={x}, doi={?}}"),
    "one line without blanks": ("@article{k,title={x},year=1}", "@article{k,title={x},year=1,doi={?}}"),
    "one line with a comma": ("@article{k, title={x}, }", "@article{k, title={x}, doi={?}, }"),
    "parentheses": ("@book(k,\n title = {A)}\n)", "@book(k,\n title = {A)},\n doi = {?}\n)"),
    "quotation marks": (
        '@book{k,\n  title = "A",\n  year = 1,\n}',
        '@book{k,\n  title = "A",\n  year = 1,\n  doi = "?",\n}',
    ),
    "quotation marks of a value put together": (
        '@book{k,\n  month = "1~" # jan,\n  note = x # " y"\n}',
        '@book{k,\n  month = "1~" # jan,\n  note = x # " y",\n  doi = "?"\n}',
    ),
    "a number alone": ("@book{k, year = 2001}", "@book{k, year = 2001, doi = {?}}"),
    "commas at the start of lines": (
        "@a{k\n, title = {A}\n, year = {1}\n}",
        "@a{k\n, title = {A}\n, year = {1}\n, doi = {?}\n}",
    ),
    "names of one width": (
        "@a{k,\n  title     = {A},\n  publisher = {B},\n}",
        "@a{k,\n  title     = {A},\n  publisher = {B},\n  doi       = {?},\n}",
    ),
    "values of one width": (
        "@a{k,\n  title= {A},\n  year=  {1},\n}",
        "@a{k,\n  title= {A},\n  year=  {1},\n  doi=   {?},\n}",
    ),
    "capitals": ("@A{k,\n  TITLE = {A}\n}", "@A{k,\n  TITLE = {A},\n  DOI = {?}\n}"),
    "capital letters first": ("@A{k,\n  Title={A}\n}", "@A{k,\n  Title={A},\n  Doi={?}\n}"),
    "two fields in a line": (
        "@a{k,\n  title = {A}, year = 1,\n  volume = 3, pages = {4}\n}",
        "@a{k,\n  title = {A}, year = 1,\n  volume = 3, pages = {4},\n  doi = {?}\n}",
    ),
    "no line of its own for a field": ("@a{k, title = {A}\n}", "@a{k, title = {A}, doi = {?}\n}"),
    "a value of several lines": ("@a{k,\n title = {A\n  b},\n}", "@a{k,\n title = {A\n  b},\n doi = {?},\n}"),
    "a comment behind the comma": ("@a{k,\n  title = {A}, % b\n}", "@a{k,\n  title = {A}, % b\n  doi = {?},\n}"),
    "a comment without a comma": ("@a{k,\n  title = {A} % b\n}", "@a{k,\n  title = {A}, % b\n  doi = {?}\n}"),
    "a comment behind the only line": ("@a{k, title = {A} % b\n}", "@a{k, title = {A}, % b\n  doi = {?}\n}"),
    "a comment of a line": (
        "@a{k,\n  title = {A},\n  % b = {}\n}",
        "@a{k,\n  title = {A},\n  doi = {?},\n  % b = {}\n}",
    ),
    "an empty field": ("@a{k,\n  doi = {},\n  title = {A}\n}", "@a{k,\n  doi = {?},\n  title = {A}\n}"),
    "an empty field in two braces": ('@a{k, DOI = "{ }"}', '@a{k, DOI = "{ ?}"}'),
    "two empty fields": ("@a{k, doi = {}, doi = {}}", "@a{k, doi = {?}, doi = {}}"),
    "no key": ("@a{ title = {A}}", "@a{ title = {A}, doi = {?}}"),
    "a key alone": ("@misc{key}", "@misc{key, doi = {?}}"),
    "a key and a comma": ("@misc{key,}", "@misc{key, doi = {?}}"),
    "a key on a line": ("  @misc{key,\n  }\n", "  @misc{key,\n    doi = {?}\n  }\n"),
    "a key on a line without a comma": ("@misc(key\n)", "@misc(key,\n  doi = {?}\n)"),
    "neither a key nor a field": ("@misc{}", "@misc{, doi = {?}}"),
    "a comma alone": ("@misc{,}", "@misc{, doi = {?}}"),
}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("before", "after"), STYLES.values(), ids=STYLES)
def test_the_field_is_written_as_the_others_are(before: str, after: str, end: str) -> None:
    data, expected = (text.replace("\n", end).encode() for text in (before, after))
    new = added("bibtex", data, {1: NAME})
    assert new == expected.replace(b"?", NAME.encode())
    assert [place.text for place in places("bibtex", new)] == [NAME]
    assert [(each.name, each.work) for each in read("bibtex", new)] == [
        (each.name, each.work) for each in read("bibtex", data)
    ]


def test_nothing_is_added_to_what_is_no_entry() -> None:
    data = b"""@comment{jabref-meta: @book{x, title = {A}}}
@string{j = "Journal"}
@preamble{"\\newcommand{\\x}{}"}
% @book{y, title = {A}}
@book{k, title = {A}, journal = j}
@comment{end}
"""
    assert added("bibtex", data, {1: NAME}) == data.replace(b"journal = j", b"journal = j, doi = {10.5555/new}")


def test_an_entry_with_a_doi_and_a_damaged_one_stay() -> None:
    data = b"@a{a, title={A}}\n@a{b, doi={10.1000/1}}\n@a{c, title={open\n@a{d, title={D}}\n"
    expected = data.replace(b"title={A}", b"title={A}, doi={10.5555/1}").replace(
        b"title={D}", b"title={D}, doi={10.5555/4}"
    )
    assert added("bibtex", data, {1: "10.5555/1", 4: "10.5555/4"}) == expected


@pytest.mark.parametrize(
    ("before", "written"),
    [
        (r"@a{x, doi = {10.1000/a\_b}}", r"10.5555/a\_b\%c"),
        (r"@a{x, doi = {10.1000/a{\_}b}}", r"10.5555/a{\_}b{\%}c"),
        ("@a{x, doi = {10.1000/a_b}}", "10.5555/a_b%c"),
        ("", "10.5555/a_b%c"),
    ],
)
def test_signs_are_escaped_as_in_the_entries_before(before: str, written: str) -> None:
    data = (before + "\n@a{k, title={A}}").encode()
    number = 2 if before else 1
    assert added("bibtex", data, {number: "10.5555/a_b%c"}) == data[:-1] + b", doi={" + written.encode() + b"}}"


def test_a_name_with_a_quotation_mark_is_put_into_braces() -> None:
    assert added("bibtex", b'@a{k, title="A"}', {1: '10.5555/a"b'}) == b'@a{k, title="A", doi={10.5555/a"b}}'


def test_a_name_that_bibtex_cannot_hold_is_left_out() -> None:
    data = b'@a{a, title="A"}\n@a{b, title={B}}\n@a{c, doi=""}'
    found = left_out("bibtex", data, {1: "10.5555/}{", 2: r"10.5555/\_", 3: '10.5555/"'}, with_missing=True)
    assert [(each.number, each.record, each.field, each.text) for each in found] == [
        (1, "a", "doi", ""),
        (2, "b", "doi", ""),
        (3, "c", "doi", ""),
    ]
    assert added("bibtex", data, {1: "10.5555/}{"}) == data


@pytest.mark.parametrize("other", ["", "@a{x, title={Ä}}\n"])
def test_a_letter_is_written_in_the_encoding_of_the_file(other: str) -> None:
    plain, accented = "@a{k, title={A}}", "@a{k, title={Ö}}"
    for codec in ("utf-8", "cp1252"):
        for text in (plain, accented):
            data = (other + text).encode(codec)
            name = "10.5555/ü"
            new = added("bibtex", data, {2 if other else 1: name})
            if not text.isascii() or not other or codec == "utf-8":
                expected = "utf-8" if data.isascii() else codec
                assert new == data[:-1] + b", doi={" + name.encode(expected) + b"}}"
            else:
                assert new == data  # the entry doesn't show its encoding


def test_a_letter_that_the_encoding_does_not_have_is_left_out() -> None:
    data = "@a{k, title={Ö}}".encode("cp1252")
    [left] = left_out("bibtex", data, {1: "10.5555/Ж"}, with_missing=True)
    assert "Ж" in str(left.reason)
    assert added("bibtex", data, {1: "10.5555/Ж"}) == data
