"""What holds of every text that a stranger may send: its reading, problems, spans and candidates.

    PROPERTY_EXAMPLES=20000 .venv/bin/python -m pytest tests/doi_reading/parsing/test_properties.py

tries more of them than `make test` does.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from doi_reading import CATALOGUE, Doi, Problem, find_all, read
from doi_reading.name import decode_once
from doi_reading.name.doi import is_graphic, is_unassigned
from doi_reading.text import WHITE
from tests.doi_reading.strategies import NEARLY_CLEAN, PROPERTY, TEXTS, WHITE_SPACE, codes, is_plain

FORMS = {"name", "label", "uri", "urn", "info", "url", "api-url", "wrapped", "publisher-url", "text", "none"}
OF_A_RECORD = {
    "deleted",
    "alias",
    "alias-loop",
    "unsafe-url",
    "several-homes",
}  # only an answer of the proxy can have them
WHITE_CONTROLS = set("\t\x0b\x0c")
INVISIBLE = {"control-character", "non-graphic"}
NO_NAME = {"no-doi", "too-long", "directory-code", "registrant-code", "missing-suffix", "broken-utf8"}


@pytest.mark.clause("E10", "E12", "E15")
@PROPERTY
@given(TEXTS)
def test_decoding_accounts_for_every_character(text: str) -> None:
    decoded = decode_once(text)
    ends = decoded.ends or range(1, len(text) + 1)
    places = list(zip(decoded.starts or range(len(text)), ends, strict=True))
    assert len(places) == len(decoded.text)
    assert [end for _, end in places[:-1]] == [start for start, _ in places[1:]], "no gap, no overlap"
    assert (places[0][0], places[-1][1]) == (0, len(text)) if places else text == ""
    assert all(text[at] == "%" and not re.match("[0-9A-Fa-f]{2}", text[at + 1 : at + 3]) for at in decoded.strays)
    assert all(re.fullmatch("(?:%[0-9A-Fa-f]{2})+", text[start:end]) for start, end in decoded.broken)
    for character, (start, end) in zip(decoded.text, places, strict=True):
        if end - start > 1 and (start, end) not in decoded.broken:
            assert bytes.fromhex(text[start:end].replace("%", "")) == character.encode()


@pytest.mark.clause("B1", "S2", "S12")
@PROPERTY
@given(TEXTS)
def test_whatever_comes_is_read_and_the_reading_is_whole(text: str) -> None:
    reading = read(text)
    told = codes(reading)
    event(reading.form)
    assert reading.input == text
    assert reading.form in FORMS
    assert reading.valid == (reading.doi is not None)
    assert [reading.url is None, reading.uri is None, reading.urn is None] == [not reading.valid] * 3
    assert (reading.form == "none") == bool(told & {"no-doi", "empty", "too-long"})
    assert "not-read" not in told
    assert reading.form != "none" or len(reading.problems) == 1
    assert not reading.doi or Doi.parse(str(reading.doi)) == reading.doi
    assert (reading.short_doi is not None) == ("short-doi" in told)
    assert not (reading.doi and reading.short_doi)


@pytest.mark.clause("S1", "S2", "S3", "S4", "S5", "E3", "E15")
@PROPERTY
@given(TEXTS)
def test_a_text_without_a_name_has_an_error_and_one_that_breaks_the_syntax_has_no_name(text: str) -> None:
    reading = read(text)
    errors = {problem.code for problem in reading.problems if problem.severity == "error"}
    # White space ends the name: that it is a control character too says nothing of what stands before it.
    told = [one for one in reading.problems if set(text[one.start : one.end]) - WHITE_CONTROLS]
    # An invisible character in the address before a name makes the link fail, not the name.
    start = text.rfind(f"{reading.doi.prefix}/") if reading.doi else -1  # the suffix may be encoded
    told = [one for one in told if one.severity == "error" and not (one.code in INVISIBLE and one.end <= start)]
    if {one.code for one in told} & (NO_NAME | INVISIBLE):
        assert reading.doi is None
    if reading.doi is None and reading.short_doi is None:
        assert errors or codes(reading) == {"empty"}


@pytest.mark.clause("B2")
@PROPERTY
@given(TEXTS)
def test_problems_are_those_of_the_catalogue_in_order_and_lie_inside_the_text(text: str) -> None:
    problems = read(text).problems
    assert [one.start for one in problems] == sorted(one.start for one in problems)
    for one in problems:
        assert one.code in CATALOGUE.keys() - OF_A_RECORD
        assert one.severity == CATALOGUE[one.code].severity or (one.code, one.severity) == ("non-graphic", "warning")
        assert 0 <= one.start < one.end <= len(text) or (
            one.code in ("no-doi", "empty") and one.start <= one.end <= len(text)
        )


@pytest.mark.clause("B1")
@PROPERTY
@given(TEXTS)
def test_candidates_are_at_most_eight_names_and_none_equivalent_to_another(text: str) -> None:
    reading = read(text)
    names = [Doi.parse(one.doi) for one in reading.candidates]
    assert len(names) <= 8
    assert len(set(names)) == len(names)
    assert reading.doi not in names
    assert all(one.reason and not one.reason.endswith(".") for one in reading.candidates)


@pytest.mark.clause("B1", "S8", "R2")
@PROPERTY
@given(TEXTS)
def test_other_dois_are_names_each_once_and_told_of_and_offered(text: str) -> None:
    reading = read(text)
    names = [Doi.parse(other) for other in reading.others]
    assert len(set(names)) == len(names)
    assert reading.doi not in names
    assert bool(names) == ("several-dois" in codes(reading))
    assert set(names[:3]) <= {Doi.parse(one.doi) for one in reading.candidates}


@pytest.mark.clause("E9", "E16")
@PROPERTY
@given(TEXTS)
def test_what_a_reading_gives_is_read_as_the_same_again(text: str) -> None:
    reading = read(text)
    assume(reading.doi and is_plain(str(reading.doi)))
    for presentation in (reading.url, reading.uri, reading.urn):
        again = read(presentation or "", longest=1_000_000)
        assert str(again.doi) == str(reading.doi), presentation
        assert (again.url, again.uri, again.urn) == (reading.url, reading.uri, reading.urn)


def assert_white_space_changes_nothing(text: str, before: str, after: str) -> None:
    reading, padded = read(text, longest=20_000), read(before + text + after, longest=20_000)
    assert (padded.doi, padded.form, padded.others) == (reading.doi, reading.form, reading.others)
    assert str(padded.doi) == str(reading.doi)
    assert padded.candidates == reading.candidates
    if reading.form != "none":  # then the span is that of the whole text
        moved = [(one.code, one.start - len(before), one.end - len(before)) for one in padded.problems]
        assert moved == [(one.code, one.start, one.end) for one in reading.problems]


@pytest.mark.clause("E18")
@PROPERTY
@given(TEXTS, WHITE_SPACE, WHITE_SPACE)
def test_white_space_around_a_text_changes_nothing(text: str, before: str, after: str) -> None:
    assert_white_space_changes_nothing(text, before, after)


@pytest.mark.clause("S6", "S10", "S15")
@PROPERTY
@given(NEARLY_CLEAN)
def test_the_short_way_of_reading_a_clean_text_reads_as_the_long_way(text: str) -> None:
    assert_white_space_changes_nothing(text, " ", "")  # with a space before it no text takes the short way


@pytest.mark.clause("S7")
@PROPERTY
@given(TEXTS, st.integers(0, 200))
def test_a_text_is_too_long_exactly_when_it_passes_the_bound(text: str, longest: int) -> None:
    reading = read(text, longest=longest)
    told = [(one.code, one.start, one.end) for one in reading.problems]
    if len(text) > longest:
        assert (told, reading.doi, reading.candidates) == ([("too-long", longest, len(text))], None, ())
    else:
        assert "too-long" not in codes(reading)


def all_of(pattern: str) -> Callable[[str], object]:
    return re.compile(f"(?:{pattern})+", re.DOTALL).fullmatch


def begins(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern, re.DOTALL).match


def is_invisible(text: str) -> bool:
    return all(not is_graphic(c) and unicodedata.category(c) != "Cc" for c in text) or all(map(is_unassigned, text))


# What the characters of a span are, once decoded as far as the form asks.
FAULTS = {
    "unescaped-hash": begins("#"),
    "unescaped-question-mark": begins(r"\?"),
    "unescaped-comma": begins(","),
    "unescaped-percent": all_of("%"),
    "unescaped-quote": all_of('"'),
    "unescaped-space": all_of(f"[{WHITE}]"),
    "inner-space": all_of(f"[{WHITE}]"),
    "unescaped-recommended": all_of(r"[<>{}^\[\]`|\\+]"),
    "unescaped-non-ascii": all_of("[^\x00-\x7f]"),
    "unescaped-slash": all_of("/"),
    "control-character": all_of("[\x00-\x1f\x7f-\x9f]"),
    "non-graphic": is_invisible,
    "look-alike": all_of("[^\x00-\x7f]"),
    "not-normalized": begins(".*[^\x00-\x7f]"),
    "double-encoded": begins(".*%[0-9A-Fa-f]{2}"),
    "percent-in-name": begins(".*%[0-9A-Fa-f]{2}"),
    "broken-utf8": all_of("%[0-9A-Fa-f]{2}"),
    "dot-segment": all_of(r"/(?:\.|%2[Ee]){1,2}"),
    "reserved-suffix": all_of("./"),
    "trailing-slash": all_of("/"),
    "trailing-punctuation": all_of(r"[^\w\s]|[/_]"),
    "html-entity": begins("&.*;"),
}


def stages(text: str) -> list[str]:
    """The text, and what HTML entities, a link service's signs and percent-encoding in it stand for."""
    found = [text]
    for _ in range(4):
        plain = html.unescape(found[-1])
        of_a_link_service = re.sub("-(?=[0-9A-F]{2})", "%", plain.replace("_", "/"))
        found += [plain, decode_once(of_a_link_service).text, decode_once(plain).text]
    return found


def covers(text: str, problem: Problem) -> bool:
    return any(FAULTS[problem.code](stage) for stage in stages(text[problem.start : problem.end]))


MOST = 50  # of one code; the last of them reaches to the end of the last fault, over what stands between


@pytest.mark.clause("B2", "E1", "E2", "E3", "E4", "E5", "E6", "E10", "E12", "E15", "S2", "S6", "S10", "S11", "S15")
@PROPERTY
@given(TEXTS)
def test_a_span_covers_the_characters_at_fault(text: str) -> None:
    reading = read(text)
    seen: Counter[str] = Counter()
    for problem in reading.problems:
        event(problem.code)
        seen[problem.code] += 1
        if problem.code in FAULTS and seen[problem.code] < MOST:
            assert covers(text, problem), (problem, text[problem.start : problem.end])
        if problem.code == "html-entity":
            assert (text[problem.start], text[problem.end - 1]) == ("&", ";")
        if problem.code in ("trailing-punctuation", "trailing-slash") and reading.doi:
            assert any(str(reading.doi).endswith(stage) for stage in stages(text[problem.start : problem.end]))


@PROPERTY
@given(
    st.lists(
        st.sampled_from(
            [
                "10.1000/a-",
                "10.1000/b",
                "https://doi.org/",
                "https:/",
                "doi:",
                "10. 1000/1",
                "<1::A>",
                " ",
                "\n",
                "...",
                "x",
                "/",
            ]
        ),
        max_size=20,
    ).map("".join)
)
def test_occurrences_are_in_order_and_do_not_overlap(text: str) -> None:
    done = 0
    for one in find_all(text):
        assert done <= one.start < one.end <= len(text)
        assert one.reading.input == text[one.start : one.end]
        done = one.end
