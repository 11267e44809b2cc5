"""Check digits of ISBN, ISSN, PII and SICI in names."""

import pytest

from doi_reading.name import find_wrong_check_digit
from doi_reading.name.check_digits import compute_sici_check_character
from tests.doi_reading.corpus import AS_IT_IS, cases


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("10.1007/978-3-540-74205-0_1", None),
        ("10.1007/978-3-540-74205-1_1", ("ISBN", "978-3-540-74205-1", "0")),
        ("10.1093/acprof:oso/9780198821120.001.0001", None),
        ("10.1111/j.1539-6924.2011.01695.x", None),
        ("10.1111/j.1539-6925.2011.01695.x", ("ISSN", "1539-6925", "4")),
        ("10.1037/0003-066X.59.1.29", None),
        ("10.1037/0003-0661.59.1.29", ("ISSN", "0003-0661", "X")),
        ("10.1016/S0092-8674(21)00219-1", None),
        ("10.1016/S0092-8674(21)00219-2", ("PII", "S0092-8674(21)00219-2", "1")),
        ("10.1016/s0140-6736(20)30183-5", None),
        ("10.1016/0304-3894(95)00119-0", None),  # without the S: other rules made its last digit
        ("10.5555/9781773850016-065", None),  # more digits follow: it is no ISBN
    ],
)
def test_a_wrong_check_digit_is_found_with_its_identifier(name: str, expected: tuple[str, str, str] | None) -> None:
    assert find_wrong_check_digit(name) == expected


@pytest.mark.parametrize(
    "sici",
    [
        "1097-0142(197206)29:6<1446::AID-CNCR2820290604>3.0.CO;2-C",
        "1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3",
        "1097-0355(200101/04)22:1<132::aid-imhj5>3.0.co;2-9",
    ],
)
def test_the_check_character_of_a_sici_follows_from_the_rest(sici: str) -> None:
    assert compute_sici_check_character(sici[:-1]) == sici[-1]


def test_no_odd_name_that_is_registered_has_a_wrong_check_digit() -> None:
    names = [case.expected for case in cases() if case.group == AS_IT_IS]
    assert [name for name in names if find_wrong_check_digit(name)] == []


@pytest.mark.parametrize("suffix", ["97" * 5000, "978-" * 2500, "1234-567X" * 1200, "S1234-5678(90)" * 800])
def test_a_hostile_name_is_read_to_its_end(suffix: str) -> None:
    find_wrong_check_digit(f"10.5555/{suffix}")
