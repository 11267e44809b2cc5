"""Signs between the parts of a name that were mistyped: doubled, or one for another."""

import re

from doi_reading.message import Message
from doi_reading.name.check_digits import compute_pii_check_digit, compute_sici_check_character
from doi_reading.repair.rule import RepairRule, build_substitution, build_suffix_substitution

_YEAR_BETWEEN_SLASHES = re.compile(r"[^/]*/[a-z]+/[a-z]+/(?:19|20)[0-9]{2}/", re.IGNORECASE)
_TWO_SLASHES = re.compile(r"10\.(?:1037|1026|1207)/(?!/)")
_join_words = build_suffix_substitution("(?<=[a-z])-(?=[a-z]{2})", "")
_replace_slashes = build_suffix_substitution("/", ".")
_replace_shifted = build_suffix_substitution("(?<=[0-9A-Za-z])[:;>](?=[0-9A-Za-z]{2})", ".")
_PII_WITHOUT_CHECK = re.compile(
    r"10\.1016/S?([0-9]{4})-([0-9]{3}[0-9X])\(([0-9]{2})\)([0-9]{5})-?\Z|10\.1017/S([0-9]{7}[0-9X][0-9]{7})\Z",
    re.IGNORECASE,
)
_SICI_WITHOUT_CHECK = re.compile(
    r"10\.1002/(?:\(SICI\))?([0-9]{4}-[0-9]{3}[0-9X]\([^;]{1,150}[0-9]\.CO;2)-?\Z", re.IGNORECASE
)


def _add_check_character(name: str) -> str:
    """Return the Publisher Item Identifier of Elsevier or Cambridge, or Wiley's SICI, with the check character that it
    lacks."""
    if sici := _SICI_WITHOUT_CHECK.match(name):
        return f"{name.removesuffix('-')}-{compute_sici_check_character(sici[1] + '-')}"
    match = _PII_WITHOUT_CHECK.match(name)
    if match is None:
        return name
    digits = "".join(part for part in match.groups() if part)
    sign = "" if match[5] else "-"
    return f"{name.removesuffix('-')}{sign}{compute_pii_check_digit(digits.upper())}"


SEPARATORS = (
    RepairRule(
        "doubled-sign", Message("with a doubled character only once"),
        build_suffix_substitution(r"([._\-,])\1+(?=[^\W_])", r"\1"),
        (("10.1007/978-3-642-28569-1__2", "10.1007/978-3-642-28569-1_2"),),
        "OpenCitations, random citations per rule", together=False,
    ),
    RepairRule(
        "doubled-slash", Message("with one slash where there are two"), build_suffix_substitution(r"\A/+|(?<=/)/+", ""),
        (("10.1016//j.cell.2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "S6; fatcat; Handbook 5.4 points doubled slashes out", together=False,
    ),
    RepairRule(
        "serial", Message("with a hyphen within what looks like an ISSN"),
        build_suffix_substitution(r"\A((?:j\.)?[0-9]{4})[./:_~ ]([0-9]{3}[0-9Xx])(?![0-9])", r"\1-\2"),
        (("10.3847/1538.4357/ac7c19", "10.3847/1538-4357/ac7c19"),),
        "OpenAPC, commit 39791bda8", together=False,
    ),
    RepairRule(
        "leading-sign", Message("without the punctuation right after the slash"), build_suffix_substitution(r"\A[-_.,:;]+", ""),
        (("10.1007/-s13762-014-0714-9", "10.1007/s13762-014-0714-9"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    RepairRule(
        "thousands", Message("without the commas that a spreadsheet puts into a number"),
        build_suffix_substitution("(?<![0-9,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])", lambda number: number[0].replace(",", "")),
        (("10.1182/blood-2015-03-633,404", "10.1182/blood-2015-03-633404"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    RepairRule(
        "hyphenation", Message("without the hyphen that split a word"),
        lambda name: name if "<" in name else _join_words(name),
        (("10.1001/arch-surg.137.4.462", "10.1001/archsurg.137.4.462"),),
        "OpenCitations, invalid DOIs", together=False,
    ),
    RepairRule(
        "comma", Message("with full stops in place of commas"), build_suffix_substitution(",(?=[0-9A-Za-z])", "."),
        (("10.1016/j,cell,2010.01.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo", together=False,
    ),
    RepairRule(
        "shifted", Message("with full stops in place of the signs on the same key"),
        lambda name: name if "<" in name or "::" in name or "co;2" in name.lower() else _replace_shifted(name),
        (
            ("10.1128/JCM>41.1.27-33.2003", "10.1128/JCM.41.1.27-33.2003"),
            ("10.1016/j:cell:2010:01:001", "10.1016/j.cell.2010.01.001"),
        ),
        "Web of Science, cited references; with Shift, the key of the full stop writes “>” or “:”, that of the comma “;”", together=False,
    ),
    RepairRule(
        "underscores", Message("with hyphens in place of underscores"),
        build_suffix_substitution("(?<=[0-9A-Za-z])_(?=[0-9A-Za-z])", "-"),
        (("10.1055/s_0036_1592936", "10.1055/s-0036-1592936"),),
        "damage.md: sep-typo; both are on one key, and file names have underscores", together=False,
    ),
    RepairRule(
        "plus", Message("without the plus signs that stand for white space"),
        build_suffix_substitution(r"(?<=[0-9./_-])\+(?=[0-9])|(?<=[./_-])\+(?=[A-Za-z])", ""),
        (("10.1016/j.cell.2010.+01.001", "10.1016/j.cell.2010.01.001"),),
        "links that a form wrote: white space inside a name is 5.5 % of OpenAPC's edits", together=False,
    ),
    RepairRule(
        "percent", Message("without the stray percent sign"),
        build_suffix_substitution("(?<=[0-9A-Za-z])%(?![0-9A-Fa-f]{2})(?=.)", ""),
        (("10.1006/rwei.1999%.0001", "10.1006/rwei.1999.0001"),),
        "ORCID, DOINormalizerTest", together=False,
    ),
    RepairRule(
        "repeated-beginning", Message("without the repetition at the beginning"),
        build_suffix_substitution(r"\A([a-z][a-z0-9.]{1,30}[./])\1(?=[^./])", r"\1"),
        (("10.1038/nprot.nprot.2013.021", "10.1038/nprot.2013.021"),),
        "Web of Science, cited references; John Benjamins: 10.1075/silv.31.silv.31.02wen", together=False,
    ),
    RepairRule(
        "inner-label", Message("without the label after the slash"),
        build_suffix_substitution(r"\A(?:[Dd][Oo][Ii][:/=]){1,2}(?=[^/:])", ""),
        (("10.1007/doi:s00253-017-8190-z", "10.1007/s00253-017-8190-z"),),
        "PatCit#5: 2.5 % of the DOIs of patents hold the label", together=False,
    ),
    RepairRule(
        "check-character", Message("with the check character recalculated"), _add_check_character,
        (
            ("10.1016/S0140-6736(09)61933", "10.1016/S0140-6736(09)61933-4"),
            ("10.1017/S003329171200150", "10.1017/S003329171200150X"),
            (
                "10.1002/1097-0142(197206)29:6<1446::AID-CNCR2820290604>3.0.CO;2",
                "10.1002/1097-0142(197206)29:6<1446::AID-CNCR2820290604>3.0.CO;2-C",
            ),
        ),
        "reference lists of psychology: three of 22 damaged names had lost it; ANSI/NISO Z39.56 (SICI)", together=False,
    ),
    RepairRule(
        "slashes", Message("with full stops in place of the later slashes"),
        lambda name: _replace_slashes(name) if _YEAR_BETWEEN_SLASHES.match(name) else name,
        (("10.1016/j/cell/2010/01/001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: sep-typo", together=False,
    ),
    RepairRule(
        "chapter", Message("with an underscore before the chapter's number"),
        build_substitution((r"(?<=/97[89].{12}-[0-9xX])[-. /,:;=~?\ufffd]([0-9]{1,3})\Z", r"_\1")),
        (("10.1007/978-3-642-28569-1-2", "10.1007/978-3-642-28569-1_2"),),
        "damage.md: sep-typo", together=False,
    ),
    RepairRule(
        "closed", Message("with its missing closing bracket"),
        lambda name: name + ")" if name.count("(") == name.count(")") + 1 else name,
        (("10.1061/(ASCE)1084-0699(1999)4:2(135", "10.1061/(ASCE)1084-0699(1999)4:2(135)"),),
        "damage.md: balanced-paren", together=False,
    ),
    RepairRule(
        "double-slash", Message("with the double slash that this registrant used to write"),
        lambda name: name.replace("/", "//", 1) if _TWO_SLASHES.match(name) else name,
        (("10.1037/0003-066X.59.1.29", "10.1037//0003-066X.59.1.29"),),
        "fatcat: names of 10.1037 and 10.1026 with two slashes exist", together=False,
    ),
)  # fmt: skip

SLASHES = (
    RepairRule(
        "sign-for-slash", Message("with a slash in place of the sign that stands for it in a file name"),
        build_suffix_substitution(r"(?<=[0-9A-Za-z])(?:[@=~]|--|__)(?=[0-9A-Za-z])", "/"),
        (("10.1093/nar@gkz123", "10.1093/nar/gkz123"),),
        "file names of reference managers: no file name holds a slash", together=False,
    ),
)  # fmt: skip
"""Last: these signs are mostly something else."""
