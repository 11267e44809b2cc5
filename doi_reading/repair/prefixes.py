"""Damage before the slash: “10.” lost, doubled or mistyped, the slash lost, a digit too few."""

import re
from collections.abc import Callable
from difflib import SequenceMatcher

from doi_reading.message import Message
from doi_reading.repair.rule import Apply, RepairRule, build_substitution
from doi_reading.tables.registrant_codes import KNOWN
from doi_reading.tables.suffix_patterns import SUFFIXES

_TEXT = re.compile(r"10\.([0-9]++)[0-9.]*+/(?:(?=[^/]*[A-Za-z(-])[^\s]{5,}|[0-9]{6,}\Z)")
_GOOD = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/.")
_GOOD_CODE = re.compile(r"10\.([0-9]{4,5})/.")
_DIGITS = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "i": "1"})
_HEAD = re.compile(r"[0-9OolIi.]{6,12}(?=/.)")
_FIGURE = re.compile(r"[0-9OolIi]")  # every prefix has one, however damaged
_SHORTEST = len(".1016/a")  # of the texts that a rule makes a name of
_MOST_DIFFERENCE = 2  # characters that a mistyped prefix has more or fewer than the right one
_RIGHT = [len(right) for _shape, right in SUFFIXES]
_LENGTHS = (min(_RIGHT) - _MOST_DIFFERENCE, max(_RIGHT) + _MOST_DIFFERENCE)
_SPRINGER_TOO = "10.1057"  # one digit away from 10.1007, and many of its names have the same pattern
SLASH_IN_FILE_NAME = r"(?:[=~+#%$]|@(?=(?:[^0-9\s]{0,40}[0-9]){3}|[^\s@]{1,60}@)|_{1,2}|-{1,2})"
"""What programs write in a file name, which can't hold a slash. An @ before a word is that of an email address."""
_NO_CODE = re.compile(r"[0-9]{4,5}/[0-9][^(]*\Z")  # 1017/12-345678: a file number, a year, a law


def _restore_digits(name: str) -> str:
    match = _HEAD.match(name)
    if not match:
        return name
    head = match.group().translate(_DIGITS) + name[match.end() :]
    return head if _GOOD.match(head) else name


def _build_known_code_rule(pattern: str, code: Callable[[re.Match[str]], str] = lambda match: match[1]) -> Apply:
    """Return a rule that writes the pattern at the beginning of a name as `10.`, the code and a slash, if the code is
    that of a known registrant."""
    compiled = re.compile(pattern)

    def apply(name: str) -> str:
        match = compiled.match(name)
        found = code(match) if match else ""
        return f"10.{found}/{name[match.end() :]}" if match and found in KNOWN else name

    return apply


def _is_similar(one: str, other: str) -> bool:
    """Return whether two prefixes are one slip apart: a character too many, too few, changed, or two swapped."""
    if abs(len(one) - len(other)) > _MOST_DIFFERENCE:
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.76


def _correct_registrant(name: str) -> str:
    prefix, _, suffix = name.partition("/")
    if not suffix or not _LENGTHS[0] <= len(prefix) <= _LENGTHS[1]:
        return name
    for shape, right in SUFFIXES:
        if prefix not in (right, _SPRINGER_TOO) and shape.match(suffix) and _is_similar(prefix, right):
            return f"{right}/{suffix}"
    return name


def _add_digit(match: re.Match[str]) -> str:
    return f"1{match[1]}" if any(map(str.isalpha, match.string[match.end() :])) else ""


PREFIXES = (
    RepairRule(
        "figures", Message("with the digits 0 and 1 in place of letters before the slash"), _restore_digits,
        (("1O.lO16/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "Zhu et al. 2019, doi:10.1007/s11192-018-2980-7",
    ),
    RepairRule(
        "point", Message("with the prefix written as usual"),
        build_substitution(
            (r"\A[./:,-]*(?:[1Il|][0Oo])[.,:;_\-\u00b7 ]{1,3}([0-9]{4,5}(?:\.[0-9]+)*)[.,]?/", r"10.\1/"),
            (r"\A(10\.[0-9]{4,9})[%\s_.,;:\])-]{1,4}/", r"\1/"),
        ),
        (
            ("10..1126/science.aac6767", "10.1126/science.aac6767"),
            ("10,1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),
            ("/10.1016/j.dib.2024.111034", "10.1016/j.dib.2024.111034"),
        ),
        "OpenCitations, random citations per rule",
    ),
    RepairRule(
        "joined", Message("with the registrant code in one piece"),
        _build_known_code_rule(r"10\.([0-9]{1,4})[-.,_ ]([0-9]{1,3})/(?=[^/]*[A-Za-z(-])", lambda match: match[1] + match[2]),
        (("10.10-16/j.jad.2010.01.076", "10.1016/j.jad.2010.01.076"),),
        "OpenCitations, invalid DOIs",
    ),
    RepairRule(
        "once", Message("with the prefix only once"),
        build_substitution(
            (r"\A10[./](?:10[./])+(?=[0-9]{4,9}(?:\.[0-9]+)*/)", "10."), (r"\A10\.([0-9]{4,9})[./]10\.?\1/", r"10.\1/")
        ),
        (
            ("10.10.1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),
            ("10.1016/10.1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),
        ),
        "damage.md: prefix-typo",
    ),
    RepairRule(
        "ten", Message("with “10.” at its beginning"),
        _build_known_code_rule(r"(?:1\.0(?=[0-9]{4}/)|(?:0|1|00|01|110|010|1010|100)?\.)([0-9]{4,5})/"),
        (("0.1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"), (".1016/j.cell", "10.1016/j.cell"), ("1.01016/j.cell", "10.1016/j.cell")),
        "damage.md: prefix-typo",
    ),
    RepairRule(
        "pointless", Message("with the full stop after the 10"), _build_known_code_rule("1?0?10([0-9]{4,5})/"),
        (("101016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: prefix-typo",
    ),
    RepairRule(
        "code", Message("with “10.” before the number of a known registrant"),
        _build_known_code_rule(r"([0-9]{4,5})/(?=[^\s]{5,}\Z)"),
        (("1017/S0953820824000256", "10.1017/S0953820824000256"),),
        "OpenAPC, commit 3eaebf03c",
    ),
    RepairRule(
        "slash", Message("with a slash after the number of a known registrant"),
        _build_known_code_rule(
            rf"(?!{_GOOD.pattern})10\.([0-9]{{4,5}})(?:{SLASH_IN_FILE_NAME}|[.:;,|\\?]|(?=[A-Za-z(]))"
            r"(?=[A-Za-z0-9(][^\s/]{5,}|[A-Za-z0-9(][^\s]{7,})"
        ),
        (("10.1371.journal.pone.0012345", "10.1371/journal.pone.0012345"),),
        "damage.md: sep-typo",
    ),
    RepairRule(
        "slash-for-point", Message("with a full stop after the 10"),
        _build_known_code_rule(r"10/([0-9]{4,5})(?:/|\.(?=[A-Za-z]))"),
        (("10/1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo",
    ),
    RepairRule(
        "number", Message("with the registrant code that a program took for a network address"),
        _build_known_code_rule(r"10\.0\.([0-9]{1,3})\.([0-9]{1,3})/", lambda match: str(int(match[1]) * 256 + int(match[2]))),
        (("10.0.3.239/s11423-012-9267-0", "10.1007/s11423-012-9267-0"),),
        "OpenCitations, invalid DOIs",
    ),
    RepairRule(
        "registrant", Message("with the prefix of the registrant whose names look like this"), _correct_registrant,
        (
            ("10.107/s10803-013-1946-0", "10.1007/s10803-013-1946-0"),
            ("10.111/j.1467-8330.1991.tb00401.x", "10.1111/j.1467-8330.1991.tb00401.x"),
        ),
        "OpenCitations, invalid DOIs (prefix damaged: 23 of 2,927)",
    ),
    RepairRule(
        "one-more", Message("with the missing digit of a known registrant code"), _build_known_code_rule(r"10\.(0[0-9]{2})/", _add_digit),
        (("10.021/acs.jpcc.5b01827", "10.1021/acs.jpcc.5b01827"),),
        "OpenAPC, commit 7ee108ad9",
    ),
)  # fmt: skip


def repair_prefix(text: str, *, labelled: bool = False) -> str | None:
    """Return the name that was probably meant by `text`, which doesn't begin like a name; None without evidence.

    A price or a page range must not become a name. So the registrant must be known and the suffix look like one, unless
    a label or resolver before the text says that it is a DOI (`labelled`).
    """
    if len(text) < _SHORTEST or _FIGURE.search(text) is None:
        return None
    for repair in PREFIXES:
        better = repair.apply(text)
        bare = better != text and not labelled and not _NO_CODE.match(text)
        # No price or date has a letter among the figures before the slash.
        match = (_GOOD_CODE if repair.name == "figures" else _TEXT).match(better) if bare else None
        if (labelled and better != text and _GOOD.match(better)) or (match and match.group(1) in KNOWN):
            return better
    return None
