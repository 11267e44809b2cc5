"""The entries of BibTeX files in which braces or quotation marks are at fault, and names that BibTeX would change."""

import pytest

from tests.sheets.bibliographic.written import left_out, places, read, written

WHOLE = b"@article{b,\n doi={10.1000/2}}\n"


def told(data: bytes) -> list[tuple[bool, list[str]]]:
    """Return of each record whether it is unreadable, and its DOIs."""
    return [(record.fault is not None, [place.text for place in record.places]) for record in read("bibtex", data)]


@pytest.mark.parametrize(
    "head", [b"@article{ b,", b"@article{b ,", b"@article{b(1)=x,", b'@article{b "x",', b"@article{doi = {10.1000/3},"]
)
def test_an_unbalanced_entry_ends_where_the_next_begins_however_its_key_is_written(head: bytes) -> None:
    data = b"@article{a,\n title={x, doi={10.1000/1}}\n\n" + head + b"\n doi={10.1000/2}}\n"
    first, second = read("bibtex", data)
    assert first.fault
    assert data[second.start :].startswith(head)


def test_an_unbalanced_value_ends_where_the_next_entry_begins() -> None:
    data = b"@article{a,\n title={x,\n doi={10.1000/1},\n\n" + WHOLE + b"\n" + WHOLE
    assert told(data) == [(True, []), (False, ["10.1000/2"]), (False, ["10.1000/2"])]


def test_a_line_in_a_value_that_looks_like_an_entry_is_none() -> None:
    data = b"@article{a,\n doi={10.1000/1},\n abstract={see\n@article{x, {y}},\n ok}\n}\n" + WHOLE
    assert told(data) == [(False, ["10.1000/1"]), (False, ["10.1000/2"])]


def test_fields_behind_a_brace_too_many_are_not_lost_without_a_row() -> None:
    data = b"@article{a,\n title={x}}, doi={10.1000/1}}\n\n" + WHOLE
    assert told(data) == [(True, []), (False, ["10.1000/2"])]
    assert read("bibtex", data)[0].end == data.index(WHOLE) - 1


def test_an_entry_in_parentheses_does_not_end_in_a_quoted_value() -> None:
    data = b'@article(a,\n title="x)", doi={10.1000/1})\n' + WHOLE
    assert told(data) == [(False, ["10.1000/1"]), (False, ["10.1000/2"])]


def test_the_url_command_around_an_address_stays() -> None:
    data = rb"@a{x, url = {\url{https://doi.org/10.1000/1}}}"
    assert written("bibtex", data, {1: "10.5555/n"}) == rb"@a{x, url = {\url{https://doi.org/10.5555/n}}}"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (rb"10.1000/a$<$b$>$", "10.1000/a<b>"),
        (rb"10.1000/a{\textless}b\textgreater{}", "10.1000/a<b>"),
        (rb"10.1000/a\textunderscore b", "10.1000/a_b"),
        (rb"10.1000/a\{b\}", "10.1000/a{b}"),
    ],
)
def test_escapes_of_tex_are_read(value: bytes, name: str) -> None:
    assert [place.text for place in places("bibtex", b"@a{x, doi = {" + value + b"}}")] == [name]


@pytest.mark.parametrize("name", ["10.5555/a\\_b", "10.5555/a\\", "10.5555/a$<$b"])
def test_a_name_that_bibtex_would_read_otherwise_is_not_written(name: str) -> None:
    data = b"@a{x, doi = {10.1000/1}}"
    assert len(left_out("bibtex", data, {1: name})) == 1
    assert written("bibtex", data, {1: name}) == data


def test_braces_nested_thousands_deep_are_read_in_one_pass() -> None:
    depth = 100_000
    data = b"@a{b, doi={" + b"{" * depth + b"x" + b"}" * depth + b"}}"
    assert written("bibtex", data, {}) == data
    assert len(places("bibtex", data)) == 1


@pytest.mark.slow
def test_many_small_entries_behind_a_large_one_are_read() -> None:
    data = b"@a{b, x={" + b"y" * (4 << 20) + b"}}\n" + b"@a{b,}\n" * 300_000
    assert len(read("bibtex", data)) == 300_001
