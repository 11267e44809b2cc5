"""Reading text: forms, spans, candidates, and the time it takes; test_properties.py has what holds of every text."""

import time

import pytest

from doi_reading import read


def marked(text: str) -> set[tuple[str, str]]:
    """The codes, each with the characters that its span covers."""
    return {(problem.code, text[problem.start : problem.end]) for problem in read(text).problems}


@pytest.mark.clause("B1", "U1", "U7", "N1", "S12", "P14")
@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("10.1000/182", "name"),
        ("  10.1000/182\n", "name"),
        ("DOI: 10.1000/182", "label"),
        ("doi 10.1000/182", "label"),
        ("doi:10.1000/a<b>", "label"),
        ("doi:10.1000/182", "uri"),
        ("DOI:10.1000/182", "uri"),
        ("urn:doi:10.1000:182", "urn"),
        ("URN:DOI:10.1000:182", "urn"),
        ("info:doi/10.1000/182", "info"),
        ("https://doi.org/10.1000/182", "url"),
        ("HTTPS://DOI.ORG:443/10.1000/182", "url"),
        ("doi.org/10.1000/182", "url"),
        ("https://hdl.handle.net/10.1000/182", "url"),
        ("https://doi.org/doi:10.1000/182", "url"),
        ("https://doi.org/api/handles/10.1000/182", "api-url"),
        ("https://doi.org/doiRA/10.1000/182", "api-url"),
        ("https://doi.org.proxy.lib.edu/10.1000/182", "wrapped"),
        ("https://proxy.lib.edu/login?url=https%3A%2F%2Fdoi.org%2F10.1000%2F182", "wrapped"),
        ("https://www.google.com/url?q=https://doi.org/10.1000/182&sa=D", "wrapped"),
        ("https://x.lib.edu/sfx?sid=a&id=doi:10.1000/182", "wrapped"),
        ("https://pubs.acs.org/doi/full/10.1000/182", "publisher-url"),
        ("http://iopscience.iop.org/article/10.1000/182/meta", "publisher-url"),
        ("See 10.1000/182, please.", "text"),
        ("<10.1000/182>", "text"),
        ('"10.1000/182"', "text"),
    ],
)
def test_each_form_is_known_and_gives_the_same_name(text: str, form: str) -> None:
    reading = read(text)
    assert (reading.form, str(reading.doi)) == (form, "10.1000/a<b>" if "<b>" in text else "10.1000/182")


@pytest.mark.parametrize("text", ["not a doi", "1.1/1.1", "10.1", "10.50", "192.168.1.1/24", "10.0.0.1/24",
                                  "https://doi.org/", "doi:", "n/a", "NULL", "?", ">", "10gf4gqc end"])  # fmt: skip
def test_a_text_without_a_doi_gives_none(text: str) -> None:
    reading = read(text)
    assert (reading.form, reading.doi, reading.candidates) == ("none", None, ())
    assert [problem.code for problem in reading.problems] == ["no-doi"]


@pytest.mark.parametrize(
    "text",
    ["", " ", "\t\r\n", "\u00a0", "\u3000", "\u200b", "\ufeff \u200e", "\u00ad", "\x00", "\ud800", "\u2800", "\u3164",
     "&nbsp;", "&#8203; "],
)  # fmt: skip
def test_a_text_without_a_visible_character_is_empty(text: str) -> None:
    reading = read(text)
    assert (reading.form, reading.doi, reading.candidates) == ("none", None, ())
    [problem] = reading.problems
    assert (problem.code, problem.severity, problem.start, problem.end) == ("empty", "info", 0, len(text))


@pytest.mark.parametrize("text", [">\n>", "# \n# \n", " // \n // \n", '""', "()"])
def test_a_text_of_marks_alone_has_no_doi_and_is_not_empty(text: str) -> None:
    assert [problem.code for problem in read(text).problems] == ["no-doi"]


@pytest.mark.clause("E1", "E2", "E4", "E5", "E7", "E8", "S6", "S10", "B2")
@pytest.mark.parametrize(
    ("text", "code", "fault"),
    [
        (" https://doi.org/10.1000/456#789", "unescaped-hash", "#789"),
        ("https://doi.org/10.1/a?b#c", "unescaped-question-mark", "?b"),
        ('https://doi.org/10.1/a"b', "unescaped-quote", '"'),
        ("https://doi.org/10.1/a b", "unescaped-space", " "),
        ("https://doi.org/10.1/a%b", "unescaped-percent", "%"),
        ("https://doi.org/10.1/a<b>c", "unescaped-recommended", "<"),
        ("https://doi.org/10.1/a+b", "unescaped-recommended", "+"),
        ("https://doi.org/10.1/aéb", "unescaped-non-ascii", "é"),
        ("urn:doi:10.1:é", "unescaped-non-ascii", "é"),
        ("info:doi/10.1/a#b", "unescaped-hash", "#b"),
        ("https://doi.org/10.1/aa/../b", "dot-segment", "/.."),
        ("https://doi.org/10.1/aa/%2e%2E/b", "dot-segment", "/%2e%2E"),
        ("https://doi.org/10.1/a%2523", "double-encoded", "%2523"),
        ("10.1000/a/b", "reserved-suffix", "a/"),
        ("10.1000/1/x", "reserved-suffix", "1/"),
        ("10.1000/é/x", "reserved-suffix", "é/"),
        ("10.1000/ab/", "trailing-slash", "/"),
        ("10.1000/ab).", "trailing-punctuation", ")."),
        ("10.1/&amp;lt;", "html-entity", "&amp;lt;"),
        ("10.1/a\u200bb", "non-graphic", "\u200b"),
        ("https://doi.org/10.1/a%00b", "control-character", "%00"),
        ("http://doi.org/10.1000/1", "old-resolver", "http://doi.org"),
        ("dx.doi.org/10.1000/1", "old-resolver", "dx.doi.org"),
        ("www.doi.org/10.1000/1", "old-resolver", "www.doi.org"),
        ("https://doi.org/https://doi.org/10.1000/1", "repeated-prefix", "https://doi.org/"),
        ("10.1000/10.1000/182", "repeated-prefix", "10.1000/"),
        ("doi:doi:10.1000/1", "repeated-prefix", "doi:doi:"),
        ("10.1000/1;10.1000/2", "several-dois", "10.1000/2"),
        ("10.abc/1", "registrant-code", "abc"),
        ("11.1000/1", "directory-code", "11"),
        ("https://doi.org/10.1000/1?utm_medium=x", "tracking-parameter", "utm_medium=x"),
        ("https://doi.org/10.1000/1?UTM_Source=x", "tracking-parameter", "UTM_Source=x"),
        ("https://doi.org/10.1000/1?NoRedirect", "proxy-parameter", "NoRedirect"),
        ("doi:10.1000/ab/../c", "dot-segment", "/.."),  # with a raw slash it is a path, as programs read it
        ("urn:doi:10.1000:ab/./c", "dot-segment", "/."),
    ],
)
def test_a_span_covers_the_fault(text: str, code: str, fault: str) -> None:
    assert (code, fault) in marked(text)


@pytest.mark.clause("E12", "E15")
def test_a_name_with_bytes_that_are_no_utf8_is_not_called_decoded() -> None:
    assert [one.code for one in read("10.1000/a%E9b%20c").problems] == ["broken-utf8"]


@pytest.mark.clause("S14", "U3", "E3", "E13")
def test_nothing_is_read_from_the_prefix_and_other_characters_may_be_encoded_too() -> None:
    assert str(read("https://doi.org/10.1000/%41%62c").doi) == "10.1000/Abc"
    assert read("doi:10.1000/a?b").form == "label"


@pytest.mark.clause("S2")
def test_an_unassigned_code_point_is_a_warning_and_the_name_stands() -> None:
    reading = read("10.1000/a\U000e0fff")
    assert reading.valid
    assert [(one.code, one.severity) for one in reading.problems] == [("non-graphic", "warning")]


@pytest.mark.clause("E1", "U7")
def test_a_plain_name_may_hold_what_a_url_may_not() -> None:
    assert read('10.1000/a<b>#c?d"e').problems == ()


@pytest.mark.clause("U3", "U7", "U8")
@pytest.mark.parametrize(
    ("text", "code", "fault"),
    [
        ("doi:10.1000/456#789", "unescaped-hash", "#"),
        ("DOI:10.1000/456#789", "unescaped-hash", "#"),
        ("doi:10.1000/a?b", "unescaped-question-mark", "?"),
        ('doi:10.1000/a"b', "unescaped-quote", '"'),
        ("doi:10.1000/100%", "unescaped-percent", "%"),
        ("doi:10.1000/a<b", "unescaped-recommended", "<"),
        ("doi:10.26321/Á.GUTIÉRREZ", "unescaped-non-ascii", "Á"),
        ("see doi:10.1000/456#789.", "unescaped-hash", "#"),
    ],
)
def test_what_is_not_legal_in_a_doi_uri_is_read_as_a_plain_name_and_told(text: str, code: str, fault: str) -> None:
    reading = read(text)
    assert str(reading.doi) == text.strip("se .")[4:]
    assert (code, fault) in marked(text)


@pytest.mark.clause("U2", "U7")
def test_a_plus_is_legal_in_a_doi_uri_and_a_label_with_white_space_is_no_uri() -> None:
    assert {code for code, _fault in marked("doi:10.1000/a+b#c")} == {"unescaped-hash"}
    assert [read(f"{label}10.1000/456#789").problems for label in ("doi: ", "DOI ", "doi=")] == [(), (), ()]


@pytest.mark.clause("N3")
def test_in_a_urn_that_keeps_its_slash_a_later_colon_belongs_to_the_suffix() -> None:
    reading = read("urn:doi:10.123/45:6")
    assert (str(reading.doi), marked(reading.input)) == ("10.123/45:6", set())
    assert read("10.1000/182 and urn:doi:10.123/45:6").others == ("10.123/45:6",)


@pytest.mark.clause("U3")
def test_a_resolver_before_the_label_decides_what_ends_the_name() -> None:
    reading = read("https://doi.org/doi:10.1000/456#789")
    assert (str(reading.doi), marked(reading.input)) == (
        "10.1000/456",
        {("unescaped-hash", "#789"), ("repeated-prefix", "https://doi.org/")},
    )


@pytest.mark.clause("S2", "E3", "E18")
@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("10.1000/18\t2", "10.1000/18", "inner-space"),
        ("doi:10.1000/18\t2", "10.1000/18", "inner-space"),
        ("https://doi.org/10.1000/18\t2", "10.1000/18", "unescaped-space"),
        ("10.1000/18\v2", "10.1000/18", "inner-space"),
        ("10.\t1000/182", "None", "inner-space"),
        ("see 10.1093/nar/\t25.17.3389", "10.1093/nar/", "inner-space"),
    ],
)
def test_a_tab_inside_a_name_ends_it_and_is_a_control_character(text: str, name: str, code: str) -> None:
    tab = next(character for character in text if character in "\t\v")
    assert str(read(text).doi) == name
    assert {(code, tab), ("control-character", tab)} <= marked(text)


@pytest.mark.clause("S2", "E18")
@pytest.mark.parametrize(
    "text", ["\t10.1000/182\t", "10.1000/182\tA title and its author", "10.1000/18\n2", "10.1000/18 2"]
)
def test_white_space_around_a_name_or_in_a_broken_line_is_no_control_character(text: str) -> None:
    assert "control-character" not in {one.code for one in read(text).problems}


@pytest.mark.clause("B1")
def test_the_first_of_several_is_taken_and_the_rest_are_candidates() -> None:
    reading = read("10.1038/nature12373, 10.1126/science.1 and doi:10.1000/1")
    assert str(reading.doi) == "10.1038/nature12373"
    assert [one.doi for one in reading.candidates][:2] == ["10.1126/science.1", "10.1000/1"]


@pytest.mark.clause("E17", "U5", "E14")
def test_a_reading_has_every_presentation_of_its_name() -> None:
    reading = read("10.1000/456#789")
    assert (reading.url, reading.uri, reading.urn) == (
        "https://doi.org/10.1000/456%23789",
        "doi:10.1000/456%23789",
        "urn:doi:10.1000:456%23789",
    )
    assert read("none").url is None


@pytest.mark.parametrize("unit", ["10.", "doi:", "doi.org/", "https://", "(", "\u00ad", "%E9", "&amp;", ";10.1/1", "а"])
def test_reading_takes_time_in_proportion_to_the_length(unit: str) -> None:
    text = "10.1000/" + unit * (100_000 // len(unit))
    started = time.process_time()
    read(text)
    # Linear reading needs about a second on a slow machine; a backtracking pattern would need minutes.
    assert time.process_time() - started < 20


@pytest.mark.clause("S7")
def test_a_text_past_the_bound_is_refused_as_a_whole_and_never_cut() -> None:
    text = "10.1000/" + "a" * 92
    assert read(text, longest=100).doi is not None
    reading = read(text + "b", longest=100)
    assert (reading.doi, reading.form, reading.candidates) == (None, "none", ())
    assert [(one.code, one.start, one.end) for one in reading.problems] == [("too-long", 100, 101)]
    assert "101 characters" in reading.problems[0].message


def test_the_other_dois_of_a_text_are_told_each_once_and_in_order() -> None:
    reading = read("10.1000/a; 10.1000/b, https://doi.org/10.1000/B and 10.1000/c or 10.1000/A")
    assert (str(reading.doi), reading.others) == ("10.1000/a", ("10.1000/b", "10.1000/c"))
    assert read("10.1000/a and 10.1000/A").others == ()
