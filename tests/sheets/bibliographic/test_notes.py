"""DOIs in notes: the whole of a name is read, or nothing is written there; links of others stay."""

from collections.abc import Callable

import pytest

from tests.sheets.bibliographic.written import left_out, places, written

SICI = "10.1002/(SICI)1097-0258(19991115)18:21<1::AID-SIM>3.0.CO;2-#"


def ris(note: str) -> bytes:
    return f"TY  - JOUR\nN1  - {note}\nER  - \n".encode()


def csl(note: str) -> bytes:
    return f'[{{"type": "book", "note": "{note}"}}]'.encode()


def bibtex(note: str) -> bytes:
    return f"@article{{a, note = {{{note}}}}}".encode()


@pytest.mark.parametrize(("kind", "make"), [("ris", ris), ("csl-json", csl), ("bibtex", bibtex)])
def test_a_name_with_angle_brackets_is_read_and_replaced_as_a_whole(kind: str, make: Callable[[str], bytes]) -> None:
    data = make(f"{SICI}. More")
    assert [place.text for place in places(kind, data)] == [SICI]
    assert written(kind, data, {1: "10.5555/new"}) == make("10.5555/new. More")


@pytest.mark.parametrize(
    ("written_name", "name"),
    [
        (r"10.1000/a{\_}b", "10.1000/a_b"),
        (r"10.1000/a$<$b", "10.1000/a<b"),
        (r"10.1000/a{\textless}b$>$c", "10.1000/a<b>c"),
    ],
)
def test_a_name_in_a_note_of_bibtex_is_read_with_its_escapes(written_name: str, name: str) -> None:
    data = bibtex(f"See {written_name}.")
    assert [place.text for place in places("bibtex", data)] == [name]
    assert written("bibtex", data, {1: "10.5555/new"}) == bibtex("See 10.5555/new.")


@pytest.mark.parametrize(
    "note",
    [
        "10.1000/a<b",
        "10.1000/a|b",
        '10.1000/a"b',
        "10.1000/182</p>",
        "10.1000/182<br>More",
        "10.1000/1,10.1000/2",
        "10.1000/182 and id10.1000/183",
        "10.1000/" + "x" * 600,
        "10.1000/a’b",
    ],
)
def test_where_the_end_of_a_name_is_not_sure_nothing_is_written(note: str) -> None:
    data = ris(note)
    *_, last = places("ris", data)
    assert last.reason
    assert written("ris", data, {len(places("ris", data)): "10.5555/new"}) == data


@pytest.mark.parametrize("note", [r"10.1000/a\textless b", "10.1000/182~(in press)", r"10.1000/182\\More"])
def test_into_a_note_with_commands_of_tex_at_its_name_nothing_is_written(note: str) -> None:
    data = bibtex(note)
    assert places("bibtex", data)[0].reason
    assert written("bibtex", data, {1: "10.5555/new"}) == data


@pytest.mark.parametrize(
    "link",
    [
        r"\url{https://pub.com/a\_b/doi/10.1000/182}",
        "www.pub.com/doi/10.1000/182",
        "ftp://x.org/10.1000/182",
        "https://pub.com/x?doi=10.1000/182",
        "https://proxy.edu/login?url=https://doi.org/10.1000/182",
        r"\url{https://pub.com/a{\_}10.1000/182}",
        "http://dx.doi.org.proxy.edu/10.1000/182",
    ],
)
def test_a_link_of_others_in_a_note_is_not_changed(link: str) -> None:
    data = bibtex(f"See {link}.")
    [place] = places("bibtex", data)
    assert place.reason
    assert written("bibtex", data, {1: "10.5555/new"}) == data


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("doi:10.1000/182.", "doi:10.5555/new."),
        ("(DOI 10.1000/182)", "(DOI 10.5555/new)"),
        ("<10.1000/182>", "<10.5555/new>"),
        ("doi.org/10.1000/182, p. 3", "https://doi.org/10.5555/new, p. 3"),
        ("“https://doi.org/10.1000/182”", "“https://doi.org/10.5555/new”"),
        ("doi/10.1000/182", "doi/10.5555/new"),
    ],
)
def test_a_name_or_the_resolver_s_link_is_replaced_and_what_surrounds_it_stays(before: str, after: str) -> None:
    assert written("csl-json", csl(f"See {before}"), {1: "10.5555/new"}) == csl(f"See {after}")


@pytest.mark.parametrize("name", ["10.5555/a|b", "10.5555/new.", "10.5555/a(b", "10.5555/a b", "10.5555/a<b"])
def test_a_name_that_would_be_read_otherwise_in_a_note_is_not_written(name: str) -> None:
    data = ris("10.1000/182 (in press)")
    assert len(left_out("ris", data, {1: name})) == 1
    assert written("ris", data, {1: name}) == data
