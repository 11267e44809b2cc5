"""The rules of repair and the tables of addresses: each entry does what its own example says."""

import pytest

from doi_reading import fold, read
from doi_reading.repair.rules import RULES, RepairRule
from doi_reading.tables import library_proxies, publisher_endings, publisher_urls
from doi_reading.tables.link_services import REDIRECTORS
from doi_reading.tables.registrant_codes import KNOWN
from doi_reading.tables.suffix_patterns import EXAMPLES, SHAPES

RULE_EXAMPLES = [(rule, given, mended) for rule in RULES for given, mended in rule.examples]
ADDRESSES = [(one.example, one.source) for one in (*REDIRECTORS, *publisher_urls.ADDRESSES)]


def offered(text: str) -> list[str]:
    """The name, and the candidates."""
    reading = read(text)
    return [fold(name) for name in (str(reading.doi or ""), *(one.doi for one in reading.candidates))]


@pytest.mark.parametrize(("rule", "given", "mended"), RULE_EXAMPLES, ids=lambda value: getattr(value, "name", None))
def test_a_rule_mends_its_example(rule: RepairRule, given: str, mended: str) -> None:
    assert rule.apply(given) == mended


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_tells_its_reason_and_its_source_and_has_an_example(rule: RepairRule) -> None:
    assert rule.reason
    assert rule.source
    assert rule.examples
    assert rule.reason[0].islower()
    assert not rule.reason.endswith(".")


def test_every_rule_has_a_name_of_its_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    "given",
    [
        "10.2307/15633<sup>25</sup>",
        "10.2307/15633<sup>25</sup>.",
        "10.2307/15633<sup class=note>25",
        '10.2307/15633<sup><a href="#n25">25</a></sup>',
        "10.2307/15633<b><sup>25</sup></b>",
        "10.2307/15633</sup>25",
        "10.2307/15633<sub>25</sub>",
        "10.2307/15633<br>25",
        "10.2307/15633<br/>25",
        "10.2307/15633{25}",
        r"10.2307/15633\25",
        r"10.2307/15633\\25",
        "10.2307/15633,25",
        "10.2307/15633,250",
        "10.2307/1,56,33,25",
    ],
)
def test_two_numbers_never_become_one(given: str) -> None:
    """The second may be a footnote or a page, and the number of both names another work."""
    assert "10.2307/1563325" not in offered(given)
    assert "10.2307/15633250" not in offered(given)


@pytest.mark.parametrize("mark", ["<sup>25</sup>", "<sup>a</sup>", "<SUP>b</SUP>", "<sup>[2]</sup>."])
def test_a_footnote_mark_is_no_part_of_the_name(mark: str) -> None:
    assert offered(f"10.1000/182{mark}")[1] == "10.1000/182"


@pytest.mark.parametrize("second", ["10.1038/nphys1170", "10.17487/RFC3651", "10.1430/8105"])
def test_of_two_dois_joined_by_a_slash_the_first_is_offered_without_it(second: str) -> None:
    assert offered(f"10.1038/nphys1170/{second}")[1] == "10.1038/nphys1170"


@pytest.mark.parametrize(("given", "meant"), [example for example, _source in ADDRESSES])
def test_the_example_of_an_address_offers_the_name_that_it_stands_for(given: str, meant: str) -> None:
    assert fold(meant) in offered(given)


@pytest.mark.parametrize("rule", publisher_urls.NAMES, ids=lambda rule: rule.name)
def test_a_publishers_rule_gives_the_registered_name_of_its_example(rule: publisher_urls.Rewriting) -> None:
    given, registered = rule.example
    assert publisher_urls.restore_registered_name(given) == registered


@pytest.mark.parametrize(("shape", "name"), list(zip(SHAPES, EXAMPLES, strict=True)), ids=EXAMPLES)
def test_a_registrants_shape_covers_its_example_to_the_end(shape, name: str) -> None:
    assert shape.fullmatch(name)


@pytest.mark.parametrize("path", publisher_endings.PATH_EXAMPLES)
def test_the_ending_of_a_publishers_address_is_no_part_of_the_name(path: str) -> None:
    reading = read(path)
    assert reading.form == "publisher-url"
    assert str(reading.doi).count("/") == 1, "the examples have a name with one slash"


@pytest.mark.parametrize("address", library_proxies.EXAMPLES)
def test_the_example_of_a_library_proxy_or_link_resolver_is_taken_out_of_it(address: str) -> None:
    reading = read(address)
    assert reading.form == "wrapped"
    assert str(reading.doi) in ("10.1007/x", "10.1000/182")


def test_the_registrant_codes_of_99_percent_of_public_names_are_known_and_none_is_a_year() -> None:
    assert len(KNOWN) > 900
    assert {"1016", "1188", "5281", "61336"} <= KNOWN
    assert not [code for code in KNOWN if 1800 <= int(code) <= 2099]
    assert fold("10.1188/18.CJON.123-126") in offered("10.1188.18.CJON.123-126")


@pytest.mark.parametrize(
    "code",
    ["10.2210/pdb3a0b/pdb", "10.2210/pdb3a1b/pdb", "10.18430/M33A0B", "10.7910/DVN/A0BCDE", "10.7910/DVN/A1BCDE/F0GH"],
)
def test_a_digit_in_the_code_of_a_database_is_no_letter(code: str) -> None:
    others = [name for name in offered(code) if name != fold(code)]
    assert len(code) not in set(map(len, others))
