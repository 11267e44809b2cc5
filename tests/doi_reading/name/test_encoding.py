"""Every presentation of a name, and decoding once (spec.md, sections E, U and N)."""

import string

import pytest

from doi_reading import Doi, encode
from doi_reading.name import decode_once


@pytest.mark.clause("E1", "E2", "E17")
def test_the_url_encodes_the_two_tables_and_nothing_else_of_ascii() -> None:
    encoded = {c for c in map(chr, range(0x20, 0x7F)) if encode(f"10.1/x{c}y", "path") != f"10.1/x{c}y"}
    assert encoded == set('%"# ?') | set("<>{}^[]`|\\+")


@pytest.mark.clause("U2", "E17")
def test_the_uri_leaves_the_unreserved_characters_and_nothing_else() -> None:
    kept = {c for c in map(chr, range(0x20, 0x7F)) if encode(f"10.1/x{c}y", "uri") == f"doi:10.1/x{c}y"}
    assert kept == set(string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@")


@pytest.mark.clause("N1", "N2", "N4")
def test_the_urn_has_a_colon_for_the_first_slash_and_encodes_the_others() -> None:
    assert encode("10.123/456ABC/zyz", "urn") == "urn:doi:10.123:456ABC%2Fzyz"
    assert encode("10.123/a+b,c é", "urn") == "urn:doi:10.123:a%2Bb,c%20%C3%A9"


@pytest.mark.clause("U6")
@pytest.mark.parametrize(
    ("name", "uri"),
    [
        ("10.5594/SMPTE.ST2067-21.2020", "doi:10.5594/SMPTE.ST2067-21.2020"),
        ("10.6338/JDA.202212/SP_17(4).0000", "doi:10.6338/JDA.202212%2FSP_17(4).0000"),
        ("10.26321/Á.GUTIÉRREZ.ZARZA.02.2018.03", "doi:10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03"),
    ],
)
def test_the_scheme_s_own_examples_come_out(name: str, uri: str) -> None:
    assert encode(Doi.parse(name), "uri") == uri


@pytest.mark.clause("E5")
@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("10.1/a/./b", "10.1/a/.%2Fb"),
        ("10.1/a/../b", "10.1/a/..%2Fb"),
        ("10.1/a/..", "10.1/a%2F.."),
        ("10.1/../b", "10.1/..%2Fb"),
        ("10.1/..", "10.1%2F.."),
        ("10.1/a/../../b", "10.1/a/..%2F..%2Fb"),
        ("10.1/a/..b/.c", "10.1/a/..b/.c"),
        ("../x", "..%2Fx"),
        ("./../x", ".%2F..%2Fx"),
        (".x/y", ".x/y"),
    ],
)
def test_dot_segments_do_not_survive_as_such(name: str, path: str) -> None:
    assert encode(name, "path") == path
    assert not {".", ".."} & set(path.split("/"))


@pytest.mark.clause("E6")
def test_a_comma_is_encoded_for_which_ra_and_only_there() -> None:
    assert encode("10.1/a,b/c", "which-ra") == "10.1/a%2Cb/c"
    assert encode("10.1/a,b/c", "path") == "10.1/a,b/c"


@pytest.mark.clause("E6", "R2")
def test_every_comma_of_a_name_is_encoded_for_which_ra() -> None:
    assert encode("10.1/a,b,c,", "which-ra") == "10.1/a%2Cb%2Cc%2C"


@pytest.mark.clause("E9", "E10", "E12", "E13", "E15")
@pytest.mark.parametrize(
    ("text", "decoded"),
    [("456%23789", "456#789"), ("%2523", "%23"), ("100%", "100%"), ("%4a%4A", "JJ"), ("%zz%41", "%zzA")],
)
def test_decoding_happens_once(text: str, decoded: str) -> None:
    assert decode_once(text).text == decoded


@pytest.mark.clause("E15")
@pytest.mark.parametrize("text", ["%E9", "%C3", "%ED%A0%80", "%C0%AF", "a%80b", "%F5%80%80%80"])
def test_bytes_that_are_no_utf8_are_told(text: str) -> None:
    assert decode_once(text).broken


@pytest.mark.clause("E15")
@pytest.mark.parametrize(
    ("text", "decoded", "broken"),
    [("a%E2%82b", "a\ufffdb", ((1, 7),)), ("%F0%9F%98", "\ufffd", ((0, 9),)), ("%E2%82%AC%C3", "€\ufffd", ((9, 12),))],
)
def test_the_bytes_of_a_character_cut_short_are_one_span(
    text: str, decoded: str, broken: tuple[tuple[int, int], ...]
) -> None:
    found = decode_once(text)
    assert (found.text, found.broken) == (decoded, broken)


def test_an_unknown_form_is_an_error() -> None:
    with pytest.raises(ValueError, match="no form of a name: 'link'"):
        encode("10.1000/1", "link")  # type: ignore[arg-type]
