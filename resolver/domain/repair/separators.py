"""Signs between the parts of a name that were mistyped: doubled, or one for another."""

import re

from resolver.domain.message import Message
from resolver.domain.repair.rule import Repair, substitute, substitute_in_suffix

_YEAR_BETWEEN_SLASHES = re.compile(r"[^/]*/[a-z]+/[a-z]+/(?:19|20)[0-9]{2}/", re.IGNORECASE)
_TWO_SLASHES = re.compile(r"10\.(?:1037|1026|1207)/(?!/)")
_join_words = substitute_in_suffix("(?<=[a-z])-(?=[a-z]{2})", "")
_replace_slashes = substitute_in_suffix("/", ".")

SEPARATORS = (
    Repair(
        "doubled-sign", Message("with a doubled character only once"),
        substitute_in_suffix(r"([._\-,])\1+(?=[^\W_])", r"\1"),
        (("10.1007/978-3-642-28569-1__2", "10.1007/978-3-642-28569-1_2"),),
        "OpenCitations, random citations per rule", together=False,
    ),
    Repair(
        "doubled-slash", Message("with one slash where there are two"), substitute_in_suffix(r"\A/+|(?<=/)/+", ""),
        (("10.1016//j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "S6; fatcat; Handbook 5.4 points doubled slashes out", together=False,
    ),
    Repair(
        "serial", Message("with a hyphen within what looks like an ISSN"),
        substitute_in_suffix(r"\A((?:j\.)?[0-9]{4})[./:_~ ]([0-9]{3}[0-9Xx])(?![0-9])", r"\1-\2"),
        (("10.3847/1538.4357/ac7c19", "10.3847/1538-4357/ac7c19"),),
        "OpenAPC, commit 39791bda8", together=False,
    ),
    Repair(
        "leading-sign", Message("without the punctuation right after the slash"), substitute_in_suffix(r"\A[-_.,:;]+", ""),
        (("10.1007/-s13762-014-0714-9", "10.1007/s13762-014-0714-9"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    Repair(
        "thousands", Message("without the commas that a spreadsheet puts into a number"),
        substitute_in_suffix("(?<=[0-9]),(?=[0-9])", ""),
        (("10.1182/blood-2015-03-633,404", "10.1182/blood-2015-03-633404"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    Repair(
        "hyphenation", Message("without the hyphen that split a word"),
        lambda name: name if "<" in name else _join_words(name),
        (("10.1001/arch-surg.137.4.462", "10.1001/archsurg.137.4.462"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    Repair(
        "comma", Message("with full stops in place of commas"), substitute_in_suffix(",(?=[0-9A-Za-z])", "."),
        (("10.1016/j,cell,2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo", together=False,
    ),
    Repair(
        "slashes", Message("with full stops in place of the later slashes"),
        lambda name: _replace_slashes(name) if _YEAR_BETWEEN_SLASHES.match(name) else name,
        (("10.1016/j/cell/2010/01/001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo", together=False,
    ),
    Repair(
        "chapter", Message("with an underscore before the chapter's number"),
        substitute((r"(?<=/97[89].{12}-[0-9xX])[-. /,:;=~?\ufffd]([0-9]{1,3})\Z", r"_\1")),
        (("10.1007/978-3-642-28569-1-2", "10.1007/978-3-642-28569-1_2"),),
        "damage.md: sep-typo", together=False,
    ),
    Repair(
        "closed", Message("with its missing closing bracket"),
        lambda name: name + ")" if name.count("(") == name.count(")") + 1 else name,
        (("10.1061/(ASCE)1084-0699(1999)4:2(135", "10.1061/(ASCE)1084-0699(1999)4:2(135)"),),
        "damage.md: balanced-paren", together=False,
    ),
    Repair(
        "double-slash", Message("with the double slash that this registrant used to write"),
        lambda name: name.replace("/", "//", 1) if _TWO_SLASHES.match(name) else name,
        (("10.1037/0003-066X.59.1.29", "10.1037//0003-066X.59.1.29"),),
        "fatcat: names of 10.1037 and 10.1026 with two slashes exist", together=False,
    ),
)  # fmt: skip
