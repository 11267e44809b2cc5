"""Names copied from pages, PDF files, mails and scans, with what ran on before and behind them."""

import pytest

from doi_reading import read
from doi_reading.repair import propose_repairs
from doi_reading.repair.divided_names import join_divided_name

NAME = "10.1016/j.cell.2010.01.001"


def told(text: str) -> list[tuple[str, str]]:
    return [(one.code, text[one.start : one.end]) for one in read(text).problems]


def offered(text: str) -> list[str]:
    return [one.doi for one in read(text).candidates]


@pytest.mark.parametrize(
    ("before", "page"),
    [
        ("Cell. 2010;140(1):1–10", "10"),
        ("Cell 2010, 140:1-8", "8"),
        ("2010;140:1061", "1061"),
        ("ISBN 978-3-030-91032-7", "7"),
    ],
)
def test_a_name_right_behind_a_page_or_an_isbn_is_found(before: str, page: str) -> None:
    text = f"{before}{NAME}."
    assert read(text).doi is None
    assert offered(text)[0] == NAME
    assert ("directory-code", page) in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "arXiv:1010.1016v2",
        "pp. 12-1010.1016",
        "version 1-210.4/beta",
        "IP 10-110.0.0.1/24",
        "A 1:1-210.9999/x.1",
    ],
)
def test_a_number_that_looks_like_a_page_and_a_prefix_is_no_name(text: str) -> None:
    reading = read(text)
    assert reading.doi is None
    assert reading.candidates == ()


@pytest.mark.parametrize(
    "front_matter", ["0165-0327/© 2010 Elsevier B.V.", "0165-0327/$ - see front matter", "0165-0327"]
)
def test_the_issn_of_a_first_page_is_no_part_of_the_name(front_matter: str) -> None:
    assert "10.1016/j.jad.2010.01.076" in offered(f"doi:10.1016/j.jad.2010.01.076{front_matter}")


def test_digits_without_the_check_digit_of_an_issn_stay() -> None:
    assert "10.5555/abc123" in [name for name, _ in propose_repairs("10.5555/abc1230165-0327")]
    assert "10.5555/abc123" not in [name for name, _ in propose_repairs("10.5555/abc1230165-0328")]


@pytest.mark.parametrize(
    "note",
    [
        "[zuletzt abgerufen am 12.05.2020]",
        "(CC BY 4.0)",
        "[consultado el 12/05/2020]",
        "Volltext",
        "(Volltext)",
        " (kostenfrei)",
    ],
)
def test_a_note_right_behind_a_name_is_no_part_of_it(note: str) -> None:
    reading = read(f"https://doi.org/{NAME}{note}")
    assert NAME in [str(reading.doi), *(one.doi for one in reading.candidates)]


@pytest.mark.parametrize("name", ["10.1002/(SICI", "10.1016/0304-3894(95", "10.1000/vol1(abc"])
def test_no_name_is_cut_in_the_middle_of_its_own_bracket(name: str) -> None:
    assert name.partition("(")[0] not in offered(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10.1016/j.ceII.2010.01.001", NAME),
        ("10.1016/j.cell.2010.01.00l", NAME),
        ("10.1007/sOO134-020-05991-x", "10.1007/s00134-020-05991-x"),
        ("10.1177/0192513Xl3481944", "10.1177/0192513X13481944"),
        (f"{NAME}=20", NAME),
        ("10.1186/1472=E2=80=906750-1-2", "10.1186/1472-6750-1-2"),
        (f"{NAME}+10.1038/nphys1170", NAME),
        ("https://www.nomos-elibrary.de/10.5771/9783845277950-1/titelei?page=1", "10.5771/9783845277950-1"),
        (f"https://doi.org/{NAME}/supplementary-material", NAME),
    ],
)
def test_the_name_that_was_meant_is_offered_first(text: str, name: str) -> None:
    assert offered(text)[0] == name


@pytest.mark.parametrize("name", ["10.1063/1.341976l", "10.1371/journal.pone.0236564I", "10.1103/PhysRevB.59.175l"])
def test_a_letter_at_the_end_that_may_have_been_added_is_no_digit_of_another_work(name: str) -> None:
    assert f"{name[:-1]}1" not in offered(name)


@pytest.mark.clause("E18")
@pytest.mark.parametrize("space", ["j .cell.2010.01.001", "j. cell.2010.01.001", "j .cell .2010.01.001"])
def test_white_space_behind_the_one_letter_that_elsevier_s_names_begin_with_is_inside_the_name(space: str) -> None:
    reading = read(f"doi: 10.1016/{space}")
    assert NAME in [str(reading.doi), *(one.doi for one in reading.candidates)]


@pytest.mark.parametrize("text", ["10.1145/a .see text", "10.5555/ab .NET", "10.1038/n .nature12373 Smith"])
def test_a_word_with_a_full_stop_behind_another_short_name_is_no_part_of_it(text: str) -> None:
    assert str(read(text).doi) == text.split()[0]


@pytest.mark.parametrize("escape", ["\\u002F", "\\u002f", "\\x2F", "\\\\u002F"])
def test_an_address_of_which_every_slash_is_escaped_is_read(escape: str) -> None:
    address = f"https:{escape}{escape}doi.org{escape}10.1016{escape}j.cell.2010.01.001"
    for text in (address, f'{{"url":"{address}"}}'):
        assert str(read(text).doi) == NAME
        assert ("leftover", escape) in told(text)


@pytest.mark.parametrize("scheme", ["https:/", "https:/*", "http:/"])
def test_a_link_that_url_defense_rewrote_ends_at_its_mark(scheme: str) -> None:
    reading = read(f"https://urldefense.com/v3/__{scheme}doi.org/{NAME}__;!!AbC!xyz$")
    assert (str(reading.doi), reading.form) == (NAME, "wrapped")


@pytest.mark.parametrize("slashes", ["/", "//"])
def test_the_query_of_a_publisher_s_address_inside_such_a_link_is_no_damage(slashes: str) -> None:
    address = f"https:{slashes}link.example/article/{NAME}?download=true"
    reading = read(f"https://urldefense.com/v3/__{address}__;!!AbC!xyz$")
    assert str(reading.doi) == NAME
    assert [one.code for one in reading.problems] == ["wrapped", "publisher-url"]


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        (f"hftps://doi.org/{NAME}", "hftps://doi.org/"),
        (f"see hllps://dx.doi.org/{NAME}", "hllps://dx.doi.org/"),
        (f"h ttps://doi.org/{NAME}", "h ttps://doi.org/"),
        (f"https://d oi.org/{NAME}", "https://d oi.org/"),
        (f"https://doi.o rg/{NAME}", "https://doi.o rg/"),
        (f"dx.doi.0rg/{NAME}", "dx.doi.0rg/"),
        (f"(doi.0rg/{NAME})", "doi.0rg/"),
        (f"https://doi.org/DOI {NAME}", "https://doi.org/DOI"),
        (f"see https://dx.doi.org/doi: {NAME}", "https://dx.doi.org/doi:"),
    ],
)
def test_a_misread_resolver_is_told_with_its_place(text: str, damage: str) -> None:
    assert str(read(text).doi) == NAME
    assert ("damaged-resolver", damage) in told(text)


@pytest.mark.parametrize(
    "before",
    [
        "see doi.org/",
        "Nature 5:12, https://doi.org/",
        "(doi.org/",
        "url:https://doi.org/",
        "view-source:https://doi.org/",
        "org/",
        "https://doi.org/doi:",
        "see example.org/odi.org/",
        "[https://doi.org/](",
    ],
)
def test_text_before_an_intact_resolver_is_no_damage(before: str) -> None:
    assert "damaged-resolver" not in {code for code, _ in told(before + NAME)}


@pytest.mark.parametrize(
    "end",
    ['"/>', "/>", "'>", '">link</a>', "/.", "./", ")_.", "[^1]", "[1,2]", "[1-3]", "^1", "^{12}", ".[3]."],
)
def test_the_end_of_a_tag_signs_and_footnote_marks_are_no_part_of_the_name(end: str) -> None:
    assert NAME in offered(f"https://doi.org/{NAME}{end}")


@pytest.mark.parametrize("name", ["10.1000/x:8<693::AID>3.0.CO;2-0", "10.1890/1051-0761(2000)010[0689:BICEGC]2.0.CO;2"])
def test_the_signs_of_a_sici_stay_in_every_candidate(name: str) -> None:
    assert not [one for one in offered(name) if name.startswith(one)]


@pytest.mark.parametrize("divided", ["j.c ell.2010.01.001", "j.ce ll.2010.01.001.", "j.ce ll.2010. 01.001"])
def test_a_space_in_the_letters_of_a_registrant_s_name_is_undone(divided: str) -> None:
    assert offered(f"doi:10.1016/{divided}")[0] == NAME


@pytest.mark.parametrize(
    "text", ["10.1371/journal.pone.0012345 pbio.0012345", "10.1016/j.cell.2010.01.001 abc.2010.01.002"]
)
def test_a_word_behind_a_name_of_the_usual_shape_is_not_joined_to_it(text: str) -> None:
    head, following = text.split(maxsplit=1)
    assert list(join_divided_name(head, following)) == []


@pytest.mark.clause("E18")
@pytest.mark.parametrize("white", ["%20", "%C2%A0", "%20%20", "%E3%80%80"])
def test_encoded_white_space_at_the_end_of_a_link_is_told(white: str) -> None:
    text = f"https://doi.org/{NAME}{white}"
    assert told(text) == [("leftover", white)]
    assert offered(text)[0] == NAME


@pytest.mark.clause("E8")
def test_the_encoded_parameter_of_sciencedirect_is_no_part_of_the_name() -> None:
    assert told(f"https://doi.org/{NAME}?via%3Dihub") == [("tracking-parameter", "via%3Dihub")]
