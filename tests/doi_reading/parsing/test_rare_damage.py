"""Damage at unusual places: what it is called, where it stands, and what is offered instead."""

import pytest

from doi_reading import read
from doi_reading.repair import safe_cut
from doi_reading.text import inner_doi


def told(text: str) -> list[tuple[str, int, int]]:
    return [(one.code, one.start, one.end) for one in read(text).problems]


def offered(text: str) -> list[str]:
    return [one.doi for one in read(text).candidates]


@pytest.mark.parametrize(
    "text",
    [
        "[LAMeL](https://pubs.rsc.org/en/content/articlelanding/2026/dd/d5dd00443h), 2026",
        "(https://pubs.rsc.org/en/content/articlelanding/2026/dd/d5dd00443h)<br>",
        "See https://pubs.rsc.org/en/content/articlelanding/2026/dd/d5dd00443h.",
    ],
)
def test_a_publishers_address_without_the_name_is_known_inside_a_text(text: str) -> None:
    assert offered(text) == ["10.1039/d5dd00443h"]


@pytest.mark.parametrize(
    "text",
    [
        "https://www-sciencedirect-com.proxy.lib.example.edu/science/article/pii/S0140673609619334",
        "https://www.sciencedirect.com.proxy.lib.example.edu/science/article/pii/S0140673609619334",
        "http://0-www.sciencedirect.com.lib.example.edu/science/article/pii/S0140673609619334",
    ],
)
def test_a_publishers_address_behind_a_library_proxy_means_the_same_name(text: str) -> None:
    assert offered(text) == ["10.1016/S0140-6736(09)61933-4"]


@pytest.mark.parametrize(
    "text",
    [
        "https://www.sciencedirect.com/science/journal/03043894",
        "https://www.sciencedirect.com/science/article/pii/03043894950011900",
        "https://journals.openedition.org/ashp/",
        "https://books.openedition.org/pressesenssib",
    ],
)
def test_the_address_of_a_journal_or_a_longer_number_means_no_name(text: str) -> None:
    assert offered(text) == []


def test_of_two_such_addresses_in_a_text_none_is_chosen() -> None:
    assert offered("See https://zenodo.org/record/7277976 or https://zenodo.org/record/7277977") == []


def test_a_text_of_many_addresses_is_read_to_a_bound() -> None:
    many = "see https://example.org/" + " https://example.org/x" * 400
    assert offered(f"{many} https://zenodo.org/record/7277976") == []


@pytest.mark.clause("S2", "E3")
@pytest.mark.parametrize("control", ["\x07", "\x7f", "\x85", "\x90"])
def test_a_control_before_or_in_the_prefix_is_told_as_one(control: str) -> None:
    assert told(f"{control}10.1000/ab") == [("control-character", 0, 1)]
    assert told(f"1{control}0.1000/ab") == [("control-character", 1, 2)]
    assert offered(f"{control}10.1000/ab") == ["10.1000/ab"]


@pytest.mark.clause("S2", "E3")
def test_controls_and_other_invisible_characters_before_a_name_are_told_apart() -> None:
    assert told("\x07\ufeff10.1000/ab") == [("control-character", 0, 1), ("non-graphic", 1, 2)]


@pytest.mark.clause("E18")
def test_a_line_break_in_the_prefix_is_white_space_and_leaves_no_name() -> None:
    reading = read("10.\n1000/ab")
    assert reading.doi is None
    assert {one.code for one in reading.problems} == {"registrant-code", "inner-space"}
    assert offered("10.\n1000/ab") == ["10.1000/ab"]


@pytest.mark.clause("E18")
def test_spaces_on_both_sides_of_the_slash() -> None:
    assert told("10.1000 / ab") == [("inner-space", 7, 8), ("inner-space", 9, 10)]
    assert offered("10.1000 / ab")[0] == "10.1000/ab"


@pytest.mark.clause("U7")
def test_a_label_with_a_space_before_its_colon_is_no_uri() -> None:
    assert read("doi :10.1000/ab").form == "label"
    assert read("doi:10.1000/ab").form == "uri"


@pytest.mark.clause("E15", "N1")
def test_bytes_that_are_no_utf8_in_a_urn_are_guessed_as_a_name() -> None:
    assert offered("urn:doi:10.1000:%E9") == ["10.1000/é"]


@pytest.mark.clause("S12")
def test_a_short_doi_tells_what_follows_it_too() -> None:
    assert told("https://doi.org/10/abcde?utm_source=x") == [("short-doi", 16, 24), ("tracking-parameter", 25, 37)]
    assert told("https://doi.org/abcde?noredirect") == [("short-doi", 16, 21), ("proxy-parameter", 22, 32)]
    assert read("https://doi.org/about?x").form == "none"


@pytest.mark.clause("B1")
@pytest.mark.parametrize("before", ["doi.org:", "https://doi.org:", "dx.doi.org:"])
def test_a_colon_after_the_resolver_leaves_the_name_readable(before: str) -> None:
    assert str(read(f"{before}10.1000/ab").doi) == "10.1000/ab"


@pytest.mark.clause("E7")
def test_the_hash_of_an_undecoded_entity_does_not_end_what_is_offered() -> None:
    assert offered("https://doi.org/10.1000/a&#60;b") == ["10.1000/a&#60;b"]
    assert "10.1000/a&lt;b" in offered("https://doi.org/10.1000/a&lt;b#y")


@pytest.mark.parametrize(
    ("text", "undecoded"),
    [
        ("doi:10.1000/a&#60;b", "10.1000/a&#60;b"),
        ("doi:10.1000/a&#x2013;b", "10.1000/a&#x2013;b"),
        ("see 10.1000/a&lt;", "10.1000/a&lt;"),
        ("see 10.1000/a&auml;", "10.1000/a&auml;"),
    ],
)
def test_an_undecoded_entity_is_offered_whole(text: str, undecoded: str) -> None:
    assert undecoded in offered(text)


@pytest.mark.parametrize("tail", ["[", "(", "{", "((", "[)", "(.", ".("])
def test_an_opening_bracket_at_the_end_is_left_out_in_a_candidate(tail: str) -> None:
    assert offered(f"10.1000/182{tail}")[0] == "10.1000/182"


@pytest.mark.clause("E6", "E7", "E18")
def test_a_comma_and_what_a_which_ra_request_cuts_off_are_offered_together() -> None:
    assert "10.1000/a,bc" in offered("https://doi.org/doiRA/10.1000/a,b c")
    assert "10.1000/a,b c" in offered("https://doi.org/doiRA/10.1000/a,b c")
    assert offered("https://doi.org/doiRA/10.1000/4,5#6")[:3] == ["10.1000/4,5", "10.1000/4#6", "10.1000/4,5#6"]


@pytest.mark.clause("S6", "S10", "S15")
def test_a_suffix_that_begins_and_ends_oddly_tells_both() -> None:
    assert told("10.1000/a/x.") == [("reserved-suffix", 8, 10), ("trailing-punctuation", 11, 12)]
    assert [code for code, _, _ in told("10.1000/a/x/")] == ["reserved-suffix", "trailing-slash"]


@pytest.mark.clause("E18")
def test_a_name_spaced_out_letter_by_letter_has_one_mark_from_the_first_space_to_the_last() -> None:
    text = "10. 1 0 0 7 / abc"
    assert told(text)[1:] == [("inner-space", 3, text.index("abc"))]


def test_an_entity_without_its_semicolon_is_offered_as_its_character() -> None:
    assert offered("10.1000/a&ltb") == ["10.1000/a<b"]


def test_the_undecoded_entity_comes_second_behind_the_likeliest() -> None:
    assert offered("10.1000/a&lt;b&gt;c).")[1] == "10.1000/a&lt;b&gt;c)."


@pytest.mark.clause("S11")
@pytest.mark.parametrize("character", ["\u2026", "\uffe5", "\u2460"], ids=["ellipsis", "wide yen", "circled one"])
def test_what_is_no_letter_in_another_dress_is_no_look_alike(character: str) -> None:
    assert told(f"10.1000/a{character}b") == []


@pytest.mark.parametrize("name", ["10.1000/Col\u00b7loquis", "10.1000/COL\u00b7LOQUIS"])
def test_the_middle_dot_of_catalan_is_no_look_alike_and_a_full_stop_is_still_offered(name: str) -> None:
    assert told(name) == []
    assert offered(name) == [name.replace("\u00b7", ".")]
    assert told("10.1000/a\u00b7b") == [("look-alike", 9, 10)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("(10.1000/a(b)c) and so on", "10.1000/a(b)c"),
        ("[10.1000/a[b]c] and so on", "10.1000/a[b]c"),
        ("(see 10.1000/a(b)c(d)) and so on", "10.1000/a(b)c(d)"),
    ],
)
def test_a_bracket_that_the_text_opened_ends_the_name_and_those_of_the_name_do_not(text: str, name: str) -> None:
    assert str(read(text).doi) == name


@pytest.mark.clause("S11")
def test_a_ligature_is_a_look_alike_of_its_letters() -> None:
    assert told("10.1000/a\ufb01b") == [("look-alike", 9, 10)]
    assert offered("10.1000/a\ufb01b") == ["10.1000/afib"]


def test_of_a_publishers_address_everything_before_the_name_is_marked() -> None:
    assert told("https://onlinelibrary.wiley.com/doi/full/10.1000/abc") == [("publisher-url", 0, 41)]


def test_a_damaged_prefix_in_a_sentence_is_a_text_without_a_name() -> None:
    reading = read("see doi:10,1136/bmj.n71.")
    assert (reading.doi, reading.form) == (None, "text")
    assert offered("see doi:10,1136/bmj.n71.")[0] == "10.1136/bmj.n71"


def test_a_tag_in_square_brackets_is_offered_to_be_left_away() -> None:
    assert offered("10.1000/abc[doi]") == ["10.1000/abc"]


@pytest.mark.parametrize("label", ["doi:", "http://doi:", "https://doi.org/", ""])
def test_a_name_within_a_name_begins_with_its_label(label: str) -> None:
    assert inner_doi.find_inner_doi(f"10.1000/{label}10.1000/x") == len("10.1000/")


@pytest.mark.clause("S12")
@pytest.mark.parametrize("text", ["https://doi.org/b6vnmd", "doi.org/b6vnmd", "https://doi.org/10/b6vnmd", "10/b6vnmd"])
def test_a_short_doi_keeps_every_character(text: str) -> None:
    assert read(text).short_doi == "10/b6vnmd"


@pytest.mark.parametrize(
    ("name", "work", "same"),
    [
        ("10.1101/2020.01.30.927871v1", "10.1101/2020.01.30.927871", True),  # its address has a version
        ("10.1101/2020.01.30.927871v", "10.1101/2020.01.30.927871", False),
        ("10.1093/nar/gkae237/7642068", "10.1093/nar/gkae237", True),  # its address ends in the number of a page
        ("10.1000/nar/gkae237/7642068", "10.1000/nar/gkae237", False),
        ("10.1093/oxfordhb/9780199552238.001.0001/0023", "10.1093/oxfordhb/9780199552238.001.0001", False),  # a chapter
        ("10.3886/ICPSR01234v1", "10.3886/ICPSR01234", False),  # a version with a name of its own
        ("10.1007/978-3-642-28569-1.pdf", "10.1007/978-3-642-28569-1", True),
    ],
)
def test_what_an_address_adds_behind_a_name_makes_no_other_work(name: str, work: str, same: bool) -> None:
    assert safe_cut.is_same_work(name, work) is same


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('10.1002/x:8<a href="https://693:AID"/>3.0.CO;2-0', "10.1002/x:8<693:AID>3.0.CO;2-0"),
        ('10.1002/x:8<693::AID>3.0.<a href="http://CO">CO</a>;2-0', "10.1002/x:8<693::AID>3.0.CO;2-0"),
    ],
)
def test_a_link_that_a_web_site_made_of_a_part_of_a_sici_is_undone(text: str, name: str) -> None:
    assert offered(text)[0] == name


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("https://doi.org/\u200b10.1000/182", "non-graphic", 16),
        ("https://\u200bdoi.org/10.1000/182", "non-graphic", 8),
        ("see doi\u200b:10.1000/182", "non-graphic", 7),
        ("d\u00adoi.org/10.1000/182", "non-graphic", 1),
        ("https://doi.org/\u000110.1000/182", "control-character", 16),
        ("https://doi.org/ 10.1000/182", "unescaped-space", 16),
        ("https\uff1a//doi.org/10.1000/182", "look-alike", 5),
    ],
)
def test_damage_to_the_address_or_label_right_before_a_name_is_told(text: str, code: str, place: int) -> None:
    assert (code, place, place + 1) in told(text)
    assert str(read(text).doi) == "10.1000/182"


@pytest.mark.parametrize(
    "before", ["see\u200b ", "https://journal.example/ ", "a\u200bb ", "\u2013", "DOI: ", "DOI\uff1a", "doi\uff1a"]
)
def test_other_text_before_a_name_has_no_damage(before: str) -> None:
    codes = {code for code, *_ in told(f"{before}10.1000/182")}
    assert codes <= {"surrounding-text"}


@pytest.mark.parametrize("signs", [".", ")", ",", ";", ")."])
def test_a_short_doi_alone_may_end_with_the_signs_of_a_sentence(signs: str) -> None:
    assert read(f"10/g8r7pm{signs}").short_doi == "10/g8r7pm"


@pytest.mark.parametrize("text", ["10/jan.", "10/12th,", "10/week)", "10/100mm;", "10/12."])
def test_a_date_or_measure_with_a_full_stop_is_no_short_doi(text: str) -> None:
    assert read(text).form == "none"
