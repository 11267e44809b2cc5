"""Signs between the parts of a name that were mistyped: doubled, or one for another."""

import re

from resolver.domain.message import Message
from resolver.domain.repair.rule import Repair

_DOUBLED = re.compile(r"([._\-,])\1+")
_SERIAL = re.compile(r"\A((?:j\.)?[0-9]{4})[./:_~ ]([0-9]{3}[0-9Xx])(?![0-9])")
_YEAR_BETWEEN_SLASHES = re.compile(r"\A[a-z]+/[a-z]+/(?:19|20)[0-9]{2}/", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z]{2})")
_COMMA = re.compile(r",(?=[0-9A-Za-z])")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9])")
_DOUBLE_SLASH_PREFIXES = ("10.1037/", "10.1026/", "10.1207/")


def _halves(name: str) -> tuple[str, str]:
    prefix, slash, suffix = name.partition("/")
    return prefix + slash, suffix


def _single(name: str) -> str:
    head, suffix = _halves(name)
    return head + _DOUBLED.sub(
        lambda run: run.group(1) if suffix[run.end() : run.end() + 1].isalnum() else run.group(), suffix
    )


def _single_slash(name: str) -> str:
    head, suffix = _halves(name)
    return head + re.sub("/{2,}", "/", suffix.lstrip("/"))


def _serial(name: str) -> str:
    head, suffix = _halves(name)
    return head + _SERIAL.sub(r"\1-\2", suffix)


def _bare(name: str) -> str:
    head, suffix = _halves(name)
    return head + suffix.lstrip("-_.,:;")


def _undivided(name: str) -> str:
    head, suffix = _halves(name)
    return head + _HYPHEN.sub("", suffix) if "<" not in suffix else name


def _closed(name: str) -> str:
    return name + ")" if name.count("(") == name.count(")") + 1 else name


def _thousands(name: str) -> str:
    head, suffix = _halves(name)
    return head + _THOUSANDS.sub("", suffix)


def _stops(name: str) -> str:
    head, suffix = _halves(name)
    return head + _COMMA.sub(".", suffix)


def _stops_for_slashes(name: str) -> str:
    head, suffix = _halves(name)
    return head + suffix.replace("/", ".") if _YEAR_BETWEEN_SLASHES.search(suffix) else name


def _underscores_for_hyphens(name: str) -> str:
    """The chapter of a book: its number follows an underscore."""
    return re.sub(r"(?<=/97[89].{12}-[0-9xX])[-. /,:;=~?\ufffd]([0-9]{1,3})\Z", r"_\1", name)


def _double_slash(name: str) -> str:
    head, suffix = _halves(name)
    return f"{head}/{suffix}" if head in _DOUBLE_SLASH_PREFIXES and not suffix.startswith("/") else name


SEPARATORS = (
    Repair(
        "doubled-sign", Message("with one sign in place of two of the same"), _single,
        (("10.1007/978-3-642-28569-1__2", "10.1007/978-3-642-28569-1_2"),),
        "OpenCitations, random citations per rule", together=False,
    ),
    Repair(
        "doubled-slash", Message("with one slash where there are two"), _single_slash,
        (("10.1016//j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "S6; fatcat; Handbook 5.4 points doubled slashes out", together=False,
    ),
    Repair(
        "serial", Message("with a hyphen within what looks like an ISSN"), _serial,
        (("10.3847/1538.4357/ac7c19", "10.3847/1538-4357/ac7c19"),),
        "OpenAPC, commit 39791bda8", together=False,
    ),
    Repair(
        "leading-sign", Message("without the sign right after the slash"), _bare,
        (("10.1007/-s13762-014-0714-9", "10.1007/s13762-014-0714-9"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    Repair(
        "thousands", Message("without the commas that a spreadsheet puts into a number"), _thousands,
        (("10.1182/blood-2015-03-633,404", "10.1182/blood-2015-03-633404"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    Repair(
        "hyphenation", Message("without the hyphen of a divided word"), _undivided,
        (("10.1001/arch-surg.137.4.462", "10.1001/archsurg.137.4.462"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    Repair(
        "comma", Message("with full stops in place of commas"), _stops,
        (("10.1016/j,cell,2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo", together=False,
    ),
    Repair(
        "slashes", Message("with full stops in place of the later slashes"), _stops_for_slashes,
        (("10.1016/j/cell/2010/01/001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo", together=False,
    ),
    Repair(
        "chapter", Message("with an underscore before the chapter's number"), _underscores_for_hyphens,
        (("10.1007/978-3-642-28569-1-2", "10.1007/978-3-642-28569-1_2"),),
        "damage.md: sep-typo", together=False,
    ),
    Repair(
        "closed", Message("with its missing closing bracket"), _closed,
        (("10.1061/(ASCE)1084-0699(1999)4:2(135", "10.1061/(ASCE)1084-0699(1999)4:2(135)"),),
        "damage.md: balanced-paren", together=False,
    ),
    Repair(
        "double-slash", Message("with the doubled slash that this registrant used to write"), _double_slash,
        (("10.1037/0003-066X.59.1.29", "10.1037//0003-066X.59.1.29"),),
        "fatcat: names of 10.1037 and 10.1026 with two slashes exist", together=False,
    ),
)  # fmt: skip
