"""Address fields and fields for names: what stands beside the DOI is never lost."""

import pytest

from tests.sheets.bibliographic import made_files
from tests.sheets.bibliographic.written import left_out, places, written


def ris(field: str, value: str) -> bytes:
    return f"TY  - JOUR\n{field}  - {value}\nER  - \n".encode()


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("UR", "https://doi.org/10.1000/182; https://www.example.com/full.pdf", "other text beside"),
        ("UR", "https://doi.org/10.1000/182;https://www.example.com/full.pdf", "other text beside"),
        ("L1", "10.1000/182 (accessed 2020)", "other text beside"),
        ("M3", "doi 10.1000/182 Article", "other text beside"),
        ("UR", "https://doi.org/10.1000/1, see https://doi.org/10.1000/2", "more than one"),
        ("UR", "https://doi.org/api/handles/10.1000/1", "another page"),
        ("UR", "https://doi.org/10.1000/1?nosfx=y", "another page"),
        ("UR", "https://pub.com/doi/10.1000/182", "publisher"),
        ("UR", "https://doi.org/10.1000/\n182", "next line"),
        ("L3", "info:doi/10.1000/5", "info:"),
        ("L3", "urn:doi:10.1000/5", "urn:"),
        ("DO", "10.1000/18210.1000/183", "more than one"),
        ("DO", "10.1000/\n182", "next line"),
    ],
)
def test_with_other_text_in_the_value_it_is_not_changed_and_says_why(field: str, value: str, why: str) -> None:
    data = ris(field, value)
    [place] = places("ris", data)
    assert why in str(place.reason)
    assert written("ris", data, {1: "10.5555/new"}) == data


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("mrk", b"=LDR  00000nam a2200000 a 4500\n=856  40$uhttps://doi.org/10.1000/1 ; https://b.org/full$zx\n"),
        ("marc", made_files.make_marc([(b"787", b"0 \x1fo10.1000/8 (online)")])),
        (
            "endnote-xml",
            b"<xml><records><record><urls><related-urls><url><style>https://doi.org/10.1000/</style>"
            b"<style>1 https://b.org/x</style></url></related-urls></urls></record></records></xml>",
        ),
    ],
)
def test_the_same_holds_for_other_formats(kind: str, data: bytes) -> None:
    assert places(kind, data)[0].reason
    assert written(kind, data, {1: "10.5555/new"}) == data


@pytest.mark.parametrize(
    "value",
    [
        "doi.org/10.1000/182",
        "www.doi.org/10.1000/182",
        "https://hdl.handle.net/10.1000/182",
        "doi:https://doi.org/10.1000/182",
        "<https://doi.org/10.1000/182>",
    ],
)
def test_a_link_of_the_resolver_in_another_form_is_replaced(value: str) -> None:
    assert written("ris", ris("UR", value), {1: "10.5555/new"}) == ris("UR", "https://doi.org/10.5555/new")


def test_what_stands_behind_a_link_is_lost_only_if_the_name_has_it() -> None:
    data = ris("UR", "https://doi.org/10.1000/182#page=3")
    assert "#page=3" in str(left_out("ris", data, {1: "10.1000/182"})[0].reason)
    assert written("ris", data, {1: "10.1000/182"}) == data
    assert written("ris", data, {1: "10.1000/182#page=3"}) == ris("UR", "https://doi.org/10.1000/182%23page=3")


def test_what_follows_readers_is_removed_from_a_link() -> None:
    data = ris("UR", "https://doi.org/10.1000/182?utm_source=x")
    assert written("ris", data, {1: "10.1000/182"}) == ris("UR", "https://doi.org/10.1000/182")


def test_a_value_that_begins_in_the_next_line_keeps_its_line_break() -> None:
    data = b"%0 Book\n%T Another\n%R\n doi:10.1000/456\n"
    assert written("enw", data, {1: "10.5555/new"}) == data.replace(b"doi:10.1000/456", b"10.5555/new")


def test_each_line_with_an_address_of_its_own_is_a_place() -> None:
    data = ris("UR", "https://doi.org/10.1000/1\r\nhttps://pub.com/x\r\nhttps://doi.org/10.1000/2")
    assert [place.text for place in places("ris", data)] == ["https://doi.org/10.1000/1", "https://doi.org/10.1000/2"]
    assert written("ris", data, {2: "10.5555/n"}) == data.replace(b"10.1000/2", b"10.5555/n")


def test_a_date_is_no_place() -> None:
    assert places("ris", ris("M3", "10.12.2020")) == []


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("S1 [pii] 10.1000/456 [doi]", "S1 [pii] 10.5555/new [doi]"),
        ("10.1000/456 [doi] S1 [pii]", "10.5555/new [doi] S1 [pii]"),
        ("10.1000/456[doi]", "10.5555/new[doi]"),
        ("S1 10.1000/456 [doi]", "S1 10.5555/new [doi]"),
        ("10.1000/456\r\n      [doi]", "10.5555/new\r\n      [doi]"),
    ],
)
def test_in_nbib_only_the_identifier_before_its_mark_is_replaced(value: str, after: str) -> None:
    data = f"PMID- 1\r\nLID - {value}\r\n".encode()
    assert [place.text for place in places("nbib", data)] == ["10.1000/456"]
    assert written("nbib", data, {1: "10.5555/new"}) == f"PMID- 1\r\nLID - {after}\r\n".encode()


@pytest.mark.parametrize("name", ["10.5555/a\x1d", "10.5555/a\tb", "10.5555/a\x7f"])
def test_no_control_character_is_written(name: str) -> None:
    data = made_files.MARC
    assert "control character" in str(left_out("marc", data, {1: name})[0].reason)
    assert written("marc", data, {1: name}) == data
