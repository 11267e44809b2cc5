"""What holds of every DOI name: how it is written, read back, compared, and found in its surroundings."""

import html
import re
import unicodedata
from urllib.parse import urlsplit

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from doi_reading import Doi, encode, fold, read
from doi_reading.name import Form, decode_once
from doi_reading.name.doi import is_graphic
from doi_reading.text import WHITE
from tests.doi_reading.strategies import (
    INVISIBLE,
    NAMES,
    ORDINARY,
    PROPERTY,
    WHITE_SPACE,
    WITH_ADDRESS,
    WITH_ENTITY,
    codes,
    is_plain,
)

OF_THE_NAME = {
    "double-encoded", "leftover", "look-alike", "non-graphic", "not-normalized", "repeated-prefix", "reserved-suffix",
    "cut-short", "glued-dois", "several-dois", "trailing-punctuation", "trailing-slash",
}  # fmt: skip


@pytest.mark.clause("E4", "E9", "E16", "U1", "U4", "N1", "N4", "S9", "U5", "P1")
@PROPERTY
@given(NAMES)
def test_each_presentation_of_a_name_is_read_as_that_name_in_its_own_case(name: str) -> None:
    presentations = {
        encode(name): "url",
        encode(name, "uri"): "uri",
        encode(name, "urn"): "urn",
        f"https://doi.org/{encode(name, 'urn')}": "url",
        f"info:doi/{encode(name, 'path')}": "info",
        f"https://doi.org/api/handles/{encode(name, 'path')}": "api-url",
        f"https://doi.org/doiRA/{encode(name, 'which-ra')}": "api-url",
    }
    assume(is_plain(name))
    for presentation, form in presentations.items():
        assert presentation.isascii()
        reading = read(presentation)
        assert (str(reading.doi), reading.form) == (name, form), presentation
        assert codes(reading) <= OF_THE_NAME, presentation
    # The scheme has a program ask with the URI's own characters, dots that browsers would fold among them (U5).
    assert str(read("https://doi.org/api/handles/" + encode(name, "uri").removeprefix("doi:")).doi) == name


@pytest.mark.clause("E9", "E14")
@PROPERTY
@given(st.one_of(WITH_ENTITY, WITH_ADDRESS))
def test_a_name_that_can_be_read_in_two_ways_is_offered_for_its_presentations(name: str) -> None:
    for presentation in (encode(name), encode(name, "uri"), encode(name, "urn")):
        reading = read(presentation)
        assert name in [str(reading.doi), *(one.doi for one in reading.candidates)], presentation


@pytest.mark.clause("E13", "U1", "U4")
@PROPERTY
@given(NAMES, st.data())
def test_any_character_of_a_name_may_be_encoded_and_the_scheme_be_in_any_case(name: str, data: st.DataObject) -> None:
    assume(is_plain(name))
    forms: tuple[Form, ...] = ("url", "uri", "urn")
    for form in forms:
        presentation = encode(name, form)
        start = presentation.index("10.")
        head, path = presentation[:start], presentation[start:]
        kept = {at + i for at in range(len(path)) if path[at] == "%" for i in range(3)}
        kept |= {path.index(":")} if form == "urn" else set()  # it stands for the slash, and is not of the name
        chosen = data.draw(st.sets(st.integers(0, len(path) - 1), max_size=5)) - kept
        in_hex = "%{:02x}" if data.draw(st.booleans()) else "%{:02X}"
        encoded = "".join(in_hex.format(ord(c)) if at in chosen else c for at, c in enumerate(path))
        written = data.draw(st.sampled_from([head, head.upper(), head.title()])) + encoded
        assert str(read(written).doi) == name, written


@pytest.mark.clause("E1", "E2", "E3", "E4", "E17", "U2", "N2", "N4")
@PROPERTY
@given(NAMES)
def test_a_presentation_holds_only_characters_that_stay_what_they_are(name: str) -> None:
    assert re.fullmatch(r"https://doi\.org/(?:[A-Za-z0-9\-._~!$&'()*,;=:@/]|%[0-9A-F]{2})+", encode(name))
    assert "%2F" not in encode(name) or re.search(r"/\.{1,2}(?:/|\Z)", name), "slashes stay (E17)"
    assert re.fullmatch(r"doi:10[0-9.]+/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-F]{2})+", encode(name, "uri"))
    assert re.fullmatch(r"urn:doi:10[0-9.]+:(?:[A-Za-z0-9\-._~!$&'()*,;=:@]|%[0-9A-F]{2})+", encode(name, "urn"))


@pytest.mark.clause("E5", "E7", "E8", "U3")
@PROPERTY
@given(NAMES)
def test_nothing_of_a_name_is_a_query_a_fragment_or_a_segment_that_browsers_fold(name: str) -> None:
    parts = urlsplit(encode(name))
    assert (parts.query, parts.fragment) == ("", "")
    segments = {segment.lower().replace("%2e", ".") for segment in parts.path.split("/")}
    assert not segments & {".", ".."}


@pytest.mark.clause("E6", "R2")
@PROPERTY
@given(st.lists(NAMES, min_size=1, max_size=4))
def test_the_items_of_a_which_ra_request_come_apart_again(names: list[str]) -> None:
    items = ",".join(encode(name, "which-ra") for name in names).split(",")
    assert [decode_once(item).text for item in items] == names


@pytest.mark.clause("E14")
@PROPERTY
@given(NAMES)
def test_a_link_copied_out_of_html_source_is_read_as_the_same_name(name: str) -> None:
    assume(is_plain(name))
    source = html.escape(encode(name))
    reading = read(source)
    assert str(reading.doi) == name
    assert ("html-entity" in codes(reading)) == (source != encode(name))


@pytest.mark.clause("E11", "U7", "U8", "S1", "S5", "S9")
@PROPERTY
@given(NAMES, st.sampled_from(["", "doi:", "DOI: ", "doi "]))
def test_a_plain_name_means_itself_with_or_without_its_label(name: str, label: str) -> None:
    prefix, _, suffix = name.partition("/")
    assume(re.match("10[.][0-9]{4}", prefix))  # 10.50/copy is a price
    assume(is_plain(name) and not re.search(f"[%;,|{WHITE}]", suffix))
    reading = read(label + name)
    assert str(reading.doi) == name
    assert reading.form in (("uri", "label") if label else ("name",))
    told = codes(reading) - OF_THE_NAME - {"unescaped-slash", "dot-segment"}
    signs = {"#": "hash", "?": "question-mark", '"': "quote", **dict.fromkeys("<>{}^[]`|\\", "recommended")}
    illegal = {signs.get(character, "non-ascii") for character in suffix if character in signs or character > "\x7f"}
    assert told == ({f"unescaped-{sign}" for sign in illegal} if label == "doi:" else set()), "U7, U8"


# Equivalence


def same(one: str, other: str) -> bool:
    """S8 in its own words: code point for code point, but A-Z as a-z."""
    pairs = zip(one, other, strict=False)
    alike = all(a == b or (a.isascii() and b.isascii() and a.lower() == b.lower()) for a, b in pairs)
    return len(one) == len(other) and alike


CHANGES = [str, str.upper, str.lower, str.swapcase, str.casefold, str.title,
           *(lambda text, form=form: unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC"))]  # fmt: skip


@pytest.mark.clause("S8", "S9", "S11", "U4")
@PROPERTY
@given(NAMES, st.lists(st.sampled_from(CHANGES), min_size=2, max_size=2))
def test_equivalence_is_ascii_case_and_nothing_else_and_an_equivalence(name: str, changes: list) -> None:
    texts = [name, *(Doi.parse(name).prefix + "/" + change(name.partition("/")[2]) for change in changes)]
    assume(all(map(is_graphic, "".join(texts))))
    one, two, three = map(Doi.parse, texts)
    for a in (one, two, three):
        assert a == a
        for b in (one, two, three):
            assert (a == b) == (b == a) == (fold(str(a)) == fold(str(b))) == same(str(a), str(b))
            assert a != b or hash(a) == hash(b)
    if one == two and two == three:
        assert one == three
    assert [str(one), str(two), str(three)] == texts, "the case is kept"


# Damaged names


@pytest.mark.clause("S2", "E3")
@PROPERTY
@given(ORDINARY, INVISIBLE, st.data())
def test_a_character_that_no_name_may_hold_leaves_no_name_and_the_name_is_offered(
    name: str, character: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(name) - 1))
    reading = read(name[:at] + character + name[at:])
    assert reading.doi is None
    assert codes(reading) & {"control-character", "non-graphic"}
    assert name in [one.doi for one in reading.candidates]


@pytest.mark.clause("E1", "E18")
@PROPERTY
@given(ORDINARY, st.sampled_from(["", "doi:", "https://doi.org/"]), WHITE_SPACE, st.data())
def test_white_space_within_a_name_is_told_and_the_joined_name_offered(
    name: str, head: str, white: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(name.index("/") + 2, len(name) - 1))
    reading = read(head + name[:at] + white + name[at:])
    if str(reading.doi) == name:
        assert name[at] in "/_.", "a sign that begins no sentence"
        assert codes(reading) & {"inner-space", "unescaped-space"}
        return
    assert str(reading.doi) == name[:at]
    if codes(reading) & {"inner-space", "unescaped-space"}:
        assert name in [one.doi for one in reading.candidates]
    else:
        assert reading.form == "text", "a word like “and” goes on with the sentence"


@pytest.mark.clause("E10")
@PROPERTY
@given(NAMES)
def test_a_name_encoded_twice_is_told_and_offered(name: str) -> None:
    path = encode(name, "path")
    assume("%" in path and "/" in path and "%" not in name and is_plain(name))
    reading = read("https://doi.org/" + path.replace("%", "%25"))
    assert str(reading.doi) == path, "decoded once"
    assert "double-encoded" in codes(reading)
    assert name in [one.doi for one in reading.candidates]


# Names in their surroundings


@pytest.mark.clause("E7", "E8", "U3")
@PROPERTY
@given(NAMES, st.sampled_from("#?"), st.from_regex(r"[a-z][a-z0-9]{0,6}", fullmatch=True))
def test_a_hash_or_question_mark_ends_the_name_and_the_whole_is_offered_first(name: str, mark: str, tail: str) -> None:
    assume(is_plain(name + mark + tail) and not re.search(r"(?i)%[0-9a-f]?\Z", name))
    reading = read(encode(name) + mark + tail)
    assert str(reading.doi) == name
    assume(not codes(reading) & {"proxy-parameter", "tracking-parameter"})
    assert ("unescaped-hash" if mark == "#" else "unescaped-question-mark") in codes(reading)
    assert reading.candidates[0].doi == name + mark + tail


@pytest.mark.clause("B2", "S15")
@PROPERTY
@given(
    ORDINARY, st.sampled_from(["See {}.", "({})", "[{}],", "“{}”", "<{}>", "{}, p. 5", "Vgl. <{}>!", "{}\nand more"])
)
def test_an_ordinary_name_is_found_in_a_sentence(name: str, sentence: str) -> None:
    reading = read(sentence.format(name))
    assert str(reading.doi) == name
    assert reading.form == "text"


@pytest.mark.clause("B1")
@PROPERTY
@given(st.lists(ORDINARY, min_size=2, max_size=6), st.sampled_from(["; ", ", ", "\n", " and ", " | "]))
def test_of_several_names_the_first_is_taken_and_the_others_are_told(names: list[str], between: str) -> None:
    reading = read(between.join(names))
    others = list(dict.fromkeys(name for name in names if name != names[0]))
    assume(others)
    assert (str(reading.doi), list(reading.others)) == (names[0], others)
    assert set(others) <= {one.doi for one in reading.candidates}
