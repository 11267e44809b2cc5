"""Damage before the slash: “10.” lost, doubled or mistyped, the slash lost, a figure too few."""

import re
from difflib import SequenceMatcher

from resolver.domain.message import Message
from resolver.domain.repair.rule import Repair
from resolver.domain.tables.registrant_codes import KNOWN
from resolver.domain.tables.suffix_patterns import SUFFIXES

_TEXT = re.compile(r"10\.([0-9]++)[0-9.]*+/(?:(?=[^/]*[A-Za-z(-])[^\s]{5,}|[0-9]{6,}\Z)")
_GOOD = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/.")
_FIGURES = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1", "i": "1"})
_HEAD = re.compile(r"[0-9OolIi.]{6,12}(?=/.)")
_ADDRESS = re.compile(r"\A10\.0\.([0-9]{1,3})\.([0-9]{1,3})/")
_TEN = re.compile(r"\A[./:,-]*(?:[1Il|][0Oo])[.,:;_\-\u00b7 ]{1,3}([0-9]{4,5}(?:\.[0-9]+)*)[.,]?/")
_CODE_PARTED = re.compile(r"\A10\.([0-9]{1,4})[-.,_ ]([0-9]{1,3})/(?=[^/]*[A-Za-z(-])")
_STRAY = re.compile(r"\A(10\.[0-9]{4,9})[%\s_.,;:-]{1,4}/")
_NO_POINT = re.compile(r"\A1?0?10([0-9]{4,5})/")
_NO_TEN = re.compile(r"\A(?:0|1|00|01|110|010|1010|100)?\.([0-9]{4,5})/")
_ONLY_CODE = re.compile(r"\A([0-9]{4,5})/[^\s]{5,}\Z")
_NO_CODE = re.compile(r"[0-9]{4,5}/[0-9][^(]*\Z")  # 1017/12-345678: a file number, a year, a law
_TWICE = re.compile(r"\A10[./](?:10[./])+(?=[0-9]{4,9}(?:\.[0-9]+)*/)")
_CODE_TWICE = re.compile(r"\A10\.([0-9]{4,9})[./]10\.?\1/")
_NO_SLASH = re.compile(
    r"\A10\.([0-9]{4,5})(?:[.:;,|\\_\-]|(?=[A-Za-z(]))(?=[A-Za-z0-9(][^\s/]{5,}|[A-Za-z0-9(][^\s]{7,})"
)
_SLASH_FOR_POINT = re.compile(r"\A10/([0-9]{4,5})(?:/|\.(?=[A-Za-z]))")
_FEW = re.compile(r"\A10\.(0[0-9]{2})/")


def _figures(name: str) -> str:
    match = _HEAD.match(name)
    if not match:
        return name
    head = match.group().translate(_FIGURES) + name[match.end() :]
    return head if _GOOD.match(head) else name


def _point(name: str) -> str:
    return _STRAY.sub(r"\1/", _TEN.sub(r"10.\1/", name))


def _joined(name: str) -> str:
    match = _CODE_PARTED.match(name)
    code = "".join(match.groups()) if match else ""
    return f"10.{code}/{name[match.end() :]}" if match and len(code) <= 5 and code in KNOWN else name


def _pointless(name: str) -> str:
    match = _NO_POINT.match(name)
    return f"10.{match.group(1)}/{name[match.end() :]}" if match and match.group(1) in KNOWN else name


def _ten(name: str) -> str:
    match = _NO_TEN.match(name)
    return f"10.{match.group(1)}/{name[match.end() :]}" if match and match.group(1) in KNOWN else name


def _code(name: str) -> str:
    match = _ONLY_CODE.match(name)
    return f"10.{name}" if match and match.group(1) in KNOWN else name


def _once(name: str) -> str:
    return _CODE_TWICE.sub(r"10.\1/", _TWICE.sub("10.", name))


def _slash(name: str) -> str:
    match = _NO_SLASH.match(name)
    if not match or _GOOD.match(name) or match.group(1) not in KNOWN:
        return name
    return f"10.{match.group(1)}/{name[match.end() :]}"


def _slash_for_point(name: str) -> str:
    match = _SLASH_FOR_POINT.match(name)
    return f"10.{match.group(1)}/{name[match.end() :]}" if match and match.group(1) in KNOWN else name


def _number(name: str) -> str:
    """10.1007 is 10.0.3.239 to a program that takes it for a network address: 3 x 256 + 239."""
    match = _ADDRESS.match(name)
    code = str(int(match.group(1)) * 256 + int(match.group(2))) if match else ""
    return f"10.{code}/{name[match.end() :]}" if match and code in KNOWN else name


def _alike(one: str, other: str) -> bool:
    """Whether two prefixes are one slip apart: a character too many, too few, changed, or two changed places."""
    if abs(len(one) - len(other)) > 2:
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.76


def _registrant(name: str) -> str:
    prefix, _, suffix = name.partition("/")
    for shape, right in SUFFIXES:
        if prefix != right and shape.match(suffix) and _alike(prefix, right):
            return f"{right}/{suffix}"
    return name


def _one_more(name: str) -> str:
    match = _FEW.match(name)
    code = f"1{match.group(1)}" if match else ""
    suffix = name[match.end() :] if match else ""
    return f"10.{code}/{suffix}" if code in KNOWN and any(map(str.isalpha, suffix)) else name


PREFIXES = (
    Repair(
        "figures", Message("with the digits 0 and 1 in place of letters before the slash"), _figures,
        (("1O.lO16/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "Zhu et al. 2019, doi:10.1007/s11192-018-2980-7",
    ),
    Repair(
        "point", Message("with the prefix written as usual"), _point,
        (
            ("10..1126/science.aac6767", "10.1126/science.aac6767"),
            ("10,1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),
            ("/10.1016/j.dib.2024.111034", "10.1016/j.dib.2024.111034"),
        ),
        "OpenCitations, random citations per rule",
    ),
    Repair(
        "joined", Message("with the registrant code in one piece"), _joined,
        (("10.10-16/j.jad.2010.01.076", "10.1016/j.jad.2010.01.076"),),
        "OpenCitations, invalid DOIs",
    ),
    Repair(
        "once", Message("with the prefix only once"), _once,
        (
            ("10.10.1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),
            ("10.1016/10.1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),
        ),
        "damage.md: prefix-typo",
    ),
    Repair(
        "ten", Message("with “10.” at its beginning"), _ten,
        (("0.1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"), (".1016/j.cell", "10.1016/j.cell")),
        "damage.md: prefix-typo",
    ),
    Repair(
        "pointless", Message("with the full stop after the 10"), _pointless,
        (("101016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: prefix-typo",
    ),
    Repair(
        "code", Message("with “10.” before the number of a known registrant"), _code,
        (("1017/S0953820824000256", "10.1017/S0953820824000256"),),
        "OpenAPC, commit 3eaebf03c",
    ),
    Repair(
        "slash", Message("with a slash after the number of a known registrant"), _slash,
        (("10.1371.journal.pone.0012345", "10.1371/journal.pone.0012345"),),
        "damage.md: sep-typo",
    ),
    Repair(
        "slash-for-point", Message("with a full stop after the 10"), _slash_for_point,
        (("10/1016/j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo",
    ),
    Repair(
        "number", Message("with the registrant code that a program took for a network address"), _number,
        (("10.0.3.239/s11423-012-9267-0", "10.1007/s11423-012-9267-0"),),
        "OpenCitations, invalid DOIs",
    ),
    Repair(
        "registrant", Message("with the prefix of the registrant whose names look like this"), _registrant,
        (
            ("10.107/s10803-013-1946-0", "10.1007/s10803-013-1946-0"),
            ("10.111/j.1467-8330.1991.tb00401.x", "10.1111/j.1467-8330.1991.tb00401.x"),
        ),
        "OpenCitations, invalid DOIs (prefix damaged: 23 of 2,927)",
    ),
    Repair(
        "one-more", Message("with the missing digit of a known registrant code"), _one_more,
        (("10.021/acs.jpcc.5b01827", "10.1021/acs.jpcc.5b01827"),),
        "OpenAPC, commit 7ee108ad9",
    ),
)  # fmt: skip


def repair_prefix(text: str, *, labelled: bool = False) -> str | None:
    """What `text`, which does not begin like a name, was probably meant to be; None where nothing tells.

    A price or a page range must not become a name, so the registrant has to be known and the suffix to look like one,
    unless a label or resolver before the text says that it is a DOI (`labelled`).
    """
    for repair in PREFIXES:
        better = repair.apply(text)
        bare = better != text and not labelled and not _NO_CODE.match(text)
        match = _TEXT.match(better) if bare else None
        if (labelled and better != text and _GOOD.match(better)) or (match and match.group(1) in KNOWN):
            return better
    return None
