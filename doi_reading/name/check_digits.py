"""Check digits inside a name: ISBN, ISSN and PII (Publisher Item Identifier). A wrong one is a sign of a typing error.
That of a SICI (Serial Item and Contribution Identifier) isn't: of many names of the 1990s it follows from another text.

A book, a journal or an article number in a suffix ends in a digit that follows from the digits before it.
"""

import re
from typing import NamedTuple

_ISBN = re.compile(r"(?<![0-9])97[89](?:-?[0-9]){10}(?![0-9-])")
_PII = re.compile(r"S([0-9]{4})-([0-9]{3}[0-9X])\(([0-9]{2})\)([0-9]{5})-([0-9X])", re.IGNORECASE)
_ISSN = re.compile(r"(?<![0-9-])[0-9]{4}-[0-9]{3}[0-9X](?=[.(/])", re.IGNORECASE)
_BARE_ISSN = re.compile(r"[0-9]{7}[0-9X]", re.IGNORECASE)
_PII_WEIGHTS = (53, 47, 43, 41, 37, 31, 29, 23, 19, 17, 13, 7, 5, 3, 2)
"""The primes from the right, without 11, which the sum is divided by."""
_SICI_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ#"


class WrongCheckDigit(NamedTuple):
    """An identifier in a name whose last digit doesn't follow from the others."""

    kind: str
    identifier: str
    digit: str
    """What the last digit would be."""


def find_wrong_check_digit(name: str) -> WrongCheckDigit | None:
    """Return the first ISBN, ISSN or PII of the name with a wrong check digit; None if there is none."""
    suffix = name.partition("/")[2]
    for kind, pattern, compute in (
        ("PII", _PII, compute_pii_check_digit),
        ("ISBN", _ISBN, _compute_isbn),
        ("ISSN", _ISSN, _compute_issn),
    ):
        for found in pattern.finditer(suffix):
            digit = compute(re.sub(r"[^0-9X]", "", found[0].upper())[:-1])
            if digit != found[0][-1].upper():
                return WrongCheckDigit(kind, found[0], digit)
    return None


def is_issn(text: str) -> bool:
    """Return whether the text is eight digits of which the last, or an X, is the check digit of an ISSN."""
    return _BARE_ISSN.fullmatch(text) is not None and _compute_issn(text[:-1]) == text[-1].upper()


def is_isbn(text: str) -> bool:
    """Return whether the text is an ISBN of ten or thirteen digits, in groups or not, with the right check digit."""
    digits = re.sub(r"[- ]", "", text).upper()
    if len(digits) == 10 and digits[:-1].isdigit():
        total = -sum(int(digit) * (10 - place) for place, digit in enumerate(digits[:-1]))
        return _compute_modulo_eleven(total) == digits[-1]
    return len(digits) == 13 and digits.isdigit() and _compute_isbn(digits[:-1]) == digits[-1]


def is_orcid(text: str) -> bool:
    """Return whether the text is an ORCID iD: sixteen digits in groups, the last the check digit (ISO 7064, 11-2)."""
    digits = text.replace("-", "").upper()
    return (
        _compute_modulo_eleven(1 - sum(int(digit) << (16 - place) for place, digit in enumerate(digits[:-1], 1)))
        == (digits[-1])
    )


def _compute_isbn(digits: str) -> str:
    return str(-sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10)


def _compute_issn(digits: str) -> str:
    return _compute_modulo_eleven(-sum(int(digit) * (8 - place) for place, digit in enumerate(digits)))


def compute_pii_check_digit(digits: str) -> str:
    """Return the check digit of a PII with these fifteen digits, of which the eighth may be X."""
    values = (10 if digit == "X" else int(digit) for digit in digits)
    return _compute_modulo_eleven(sum(value * weight for value, weight in zip(values, _PII_WEIGHTS, strict=True)))


def compute_sici_check_character(sici: str) -> str:
    """Return the check character of a SICI, given to the hyphen before it (ANSI/NISO Z39.56)."""
    values = [place if (place := _SICI_CHARACTERS.find(one)) >= 0 else 36 for one in reversed(sici.upper())]
    return _SICI_CHARACTERS[-(3 * sum(values[::2]) + sum(values[1::2])) % 37]


def _compute_modulo_eleven(total: int) -> str:
    return "0123456789X"[total % 11]
