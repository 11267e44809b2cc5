"""Characters that were changed on the way: invisible ones, look-alikes, wrong encodings, lost ones."""

import re
from collections.abc import Callable
from functools import partial

from doi_reading.message import Message
from doi_reading.name.decoding import TRIPLET, decode_once
from doi_reading.name.doi import is_graphic
from doi_reading.repair.rule import RepairRule, build_substitution, build_suffix_substitution
from doi_reading.tables.suffix_patterns import has_whole_shape
from doi_reading.text import homoglyphs
from doi_reading.text.normalization import compose_nfc
from doi_reading.text.source_text import WHITE_RUN

_SOFT = re.compile("[-\u2010-\u2015\u2212]\u00ad{1,4}[-\u2010-\u2015\u2212]?|\u00ad{1,4}[-\u2010-\u2015\u2212]")
_CODECS = ("cp1252", "mac_roman", "cp850", "cp437")
_QUOTED_PRINTABLE = re.compile(r"10\.[0-9]{4,9}(?:/[^=&?]*)?=(?:2F|3C|3E|E2=80=[0-9A-F]{2}|(?:C2=A0|20)\Z)")
_LOST = re.compile("[?\ufffd\u00ac]+|-[?\ufffd]+(?=-)")
_QUERY = re.compile(r"\?[A-Za-z_.]+=")
_LOST_BETWEEN = re.compile("(?<=[0-9A-Za-z])[?\ufffd\u00ac]+(?=[0-9A-Za-z])")


_JOURNAL = (
    r"(?<![0-9A-Za-z])(?:[A-Za-z01]*[A-Za-z](?=[0-9]{4})|[A-Za-z01]{3,}(?=\.(?:19|20)[0-9]{2}\.)|[A-Za-z01]{4,}(?=\.)"
    r"|[A-Za-z01]{7,}(?=/[A-Za-z]))"
)
"""What may be a journal's code, because a number or another part follows it. In the codes of databases (pdb3a0b, A0BCDE)
0 and o, 1 and l are different, and each may be registered."""
_SHORT_CODE = r"\A[A-Za-z01]{3}(?=\.[0-9]{5,6}\Z)|(?<=/)[A-Za-z01]{3}(?=[0-9]{3}\Z)"
"""A journal of three letters before a number, and the letters of an article of Oxford University Press."""
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""Characters that Unicode calls graphic, or that select the form of another, and that readers do not see."""


def _remove_invisible(name: str) -> str:
    if name.isascii() and name.isprintable():
        return name
    return _UNSEEN.sub("", name if name.isprintable() else "".join(filter(is_graphic, name)))


def _restore_hyphens(name: str) -> str:
    if "\N{SOFT HYPHEN}" not in name:
        return name
    return _remove_invisible(_SOFT.sub("-", name).replace("\N{SOFT HYPHEN}", "-"))


def _decode(name: str) -> str:
    if _QUOTED_PRINTABLE.match(name):
        name = name.replace("=", "%")
    for _ in range(3):  # %25252F occurs, more does not
        if not TRIPLET.search(name):
            break
        decoded = decode_once(name)
        if decoded.broken:
            break
        name = decoded.text
    return name


_write_inner_ones = build_suffix_substitution(
    r"(?<=[0-9.(/-])[lI]{1,2}(?=[0-9.])|(?:\A|(?<=\A[Ss]))[lI]{1,2}(?=[0-9]{3})"
    r"|(?<=[0-9])[lI](?=[0-9.)(/-])|(?<=[sjX])[lI](?=[0-9]{3})",
    lambda match: "1" * len(match.group()),
)


def _write_ones(name: str) -> str:
    """Write 1 for l and I. A letter at the end may have been added: it is changed only if the name has the shape of its
    registrant's names with the 1, and not without it."""
    name = _write_inner_ones(name)
    if name[-1:] not in ("l", "I") or not name[-2:-1].isdigit():
        return name
    written = f"{name[:-1]}1"
    has_shape, has_without = (has_whole_shape(one) for one in (written, name[:-1]))
    return written if has_shape and not has_without else name


def _encode(text: str, codec: str) -> bytes:
    """Encode the text. Characters that the codec leaves undefined become Latin-1, as in many programs."""
    found = bytearray()
    for character in text:
        try:
            found += character.encode(codec)
        except UnicodeEncodeError:
            found += character.encode("latin-1")
    return bytes(found)


def _unscramble(match: re.Match[str]) -> str:
    for codec in _CODECS:
        try:
            return _encode(match.group(), codec).decode("utf-8")
        except UnicodeError:
            continue
    return match.group()


def _replace_lost(sign: str, name: str) -> str:
    """Replace the mark of a lost character by this sign between letters or digits; beside another sign, remove it."""
    return name if _QUERY.search(name) else _LOST.sub("", _LOST_BETWEEN.sub(sign, name))


def _build_letter_restorer(figure: str, letter: str) -> Callable[[re.Match[str]], str]:
    """Return the code of a journal with the letter in place of each such digit, in the case of its letters."""

    def replace(match: re.Match[str]) -> str:
        code = match.group()
        if len(code) - sum(map(code.count, "01")) < 2:
            return code
        return code.replace(figure, letter.upper() if code.upper() == code else letter)

    return replace


CHARACTERS = (
    RepairRule(
        "padding", Message("without the white space in it"), build_substitution((WHITE_RUN, "")),
        ((" 10.1002/jcc.25520", "10.1002/jcc.25520"),),
        "E18; OpenAPC: 107 of 832 edits",
    ),
    RepairRule(
        "mojibake", Message("with the characters that a wrong encoding damaged"),
        build_substitution(("[\x80-\U0010ffff]{2,40}", _unscramble)),  # a damaged character is two to four
        (("10.1016/0304\u00e2\u20ac\u201c3894(95)00119-0", "10.1016/0304\u20133894(95)00119-0"),),
        "damage.md: mojibake (UTF-8 read as Windows-1252, Mac Roman or an older code page)",
    ),
    RepairRule(
        "soft", Message("with one hyphen in place of a soft hyphen beside a dash"),
        build_substitution((_SOFT, "-"), needs="\N{SOFT HYPHEN}"),
        (("10.1186/s12912-\u00ad\u2010014", "10.1186/s12912-014"),),
        "OpenAPC, commit 7cceb63d0",
    ),
    RepairRule(
        "field-end", Message("without the subfields of a catalogue record behind it"),
        build_substitution((re.compile("(?<=.{9})[\x1d-\x1f].*", re.DOTALL), "")),
        (("10.1000/182\x1f2doi\x1e", "10.1000/182"),),
        "ISO 2709: the signs that end a subfield, a field and a record",
    ),
    RepairRule(
        "invisible", Message("without the invisible characters"), _remove_invisible,
        (("10.1242/\u200bbio.201410934", "10.1242/bio.201410934"), ("10.1038/nphys1170\ufe0f", "10.1038/nphys1170")),
        "S2; OpenAPC, commit bfb6a1438",
    ),
    RepairRule(
        "look-alike", Message("with ordinary characters in place of look-alikes"), homoglyphs.replace_homoglyphs,
        (
            ("10.1186/1472\u20106750", "10.1186/1472-6750"),
            ("10.1177/0192513\u00d713481944", "10.1177/0192513X13481944"),
            ("10.1000/\ufb01sh", "10.1000/fish"),
        ),
        "S11; OpenCitations, invalid DOIs; zotero#193 (ligatures)",
    ),
    RepairRule(
        "digits", Message("with the digits 0 to 9 in place of those of another script"),
        lambda name: name if name.isascii() else homoglyphs.replace_foreign_digits(name),
        (("10.22059/jwim.2021.\u06f3\u06f1\u06f2\u06f3\u06f4\u06f5", "10.22059/jwim.2021.312345"),),
        "Word and other programs write the digits of a text in Arabic, Persian or Hindi like this",
    ),
    RepairRule(
        "decode", Message("decoded once more, since it seems to be encoded twice"), _decode,
        (("10.1000%2Fab%3Cc%3E", "10.1000/ab<c>"), ("10.1016=2Fj.cell.2011.02.013", "10.1016/j.cell.2011.02.013")),
        "E10; galaxy#14225",
    ),
)  # fmt: skip
"""Applied together with the rules that follow."""

LOST_CHARACTERS = (
    RepairRule(
        "soft-hyphen", Message("with a hyphen in place of the invisible soft hyphen"), _restore_hyphens,
        (("10.1000/a\u00adb", "10.1000/a-b"),),
        "damage.md: soft-hyphen", together=False,
    ),
    RepairRule(
        "lost", Message("with a likely character in place of the lost one"), partial(_replace_lost, "-"),
        (
            ("10.1242/?jcs.138289", "10.1242/jcs.138289"),
            ("10.1186/1471?2105?9?559", "10.1186/1471-2105-9-559"),
        ),
        "OpenAPC, commit bbab8cae2", together=False,
    ),
    RepairRule(
        "lost-without", Message("without the placeholder for a lost character"),
        lambda name: name if _QUERY.search(name) else _LOST.sub("", name),
        (("10.1242/j?cs.138289", "10.1242/jcs.138289"),),
        "damage.md: lost-char", together=False,
    ),
    RepairRule(
        "lost-hyphen", Message("with a hyphen in place of the lost character"),
        lambda name: name if _QUERY.search(name) else _LOST.sub("-", name),
        (("10.1016/0304?3894(95)00119?0", "10.1016/0304-3894(95)00119-0"),),
        "damage.md: lost-char", together=False,
    ),
    RepairRule(
        "lost-full-stop", Message("with a full stop in place of the lost character"), partial(_replace_lost, "."),
        (("10.1016/j?cell?2010?01?001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: lost-char", together=False,
    ),
    RepairRule(
        "lost-underscore", Message("with an underscore in place of the lost character"), partial(_replace_lost, "_"),
        (("10.1162/tacl?a?00160", "10.1162/tacl_a_00160"),),
        "damage.md: lost-char", together=False,
    ),
    RepairRule(
        "half-quote", Message("with a hyphen in place of a damaged character"), build_substitution(("\u00e2\u20ac[^\x00-\x7f]?", "-")),
        (("10.1016/0304\u00e2\u20ac3894", "10.1016/0304-3894"),),
        "damage.md: mojibake", together=False,
    ),
    RepairRule(
        "letter-o", Message("with the digit 0 in place of the letter O"),
        build_suffix_substitution(
            r"(?<=[0-9.(/-])[oO]{1,6}(?=[0-9])|(?:\A|(?<=\A[Ss]))[oO]{1,6}(?=[0-9]{3})|(?<=[a-z])O(?=[0-9]{4})|(?<=[0-9])[oO](?=[0-9.)(/-]|\Z)", lambda match: "0" * len(match.group())
        ),
        (("10.1016/j.cell.2O10.01.OO1", "10.1016/j.cell.2010.01.001"),),
        "Zhu et al. 2019, doi:10.1007/s11192-018-2980-7", together=False,
    ),
    RepairRule(
        "letter-l", Message("with the digit 1 in place of the letter l or I"),
        _write_ones,
        (("10.1016/j.cell.20l0.0I.001", "10.1016/j.cell.2010.01.001"),),
        "damage.md: char-typo", together=False,
    ),
    RepairRule(
        "figure-o", Message("with the letter o in place of the digit 0"),
        build_suffix_substitution(r"\A[Cc][Bb]0(?=97[89])|" + _JOURNAL + "|" + _SHORT_CODE, _build_letter_restorer("0", "o")),
        (
            ("10.1016/J.M0LCEL.2016.11.003", "10.1016/J.MOLCEL.2016.11.003"),
            ("10.1093/BI0INF0RMATICS/BTP352", "10.1093/BIOINFORMATICS/BTP352"),
            ("10.1017/CB09781139174084", "10.1017/CBO9781139174084"),
            ("10.1002/U0G.15831", "10.1002/UOG.15831"),
        ),
        "Web of Science, cited references: the zero is systematic there", together=False,
    ),
    RepairRule(
        "figure-l", Message("with the letter l in place of the digit 1"),
        build_suffix_substitution(f"{_JOURNAL}|{_SHORT_CODE}", _build_letter_restorer("1", "l")),
        (
            ("10.1016/j.devce1.2011.09.003", "10.1016/j.devcel.2011.09.003"),
            ("10.1093/BFGP/E1W038", "10.1093/BFGP/ELW038"),
        ),
        "Web of Science, cited references", together=False,
    ),
    RepairRule(
        "figure-i", Message("with the letter i in place of the digit 1"),
        build_suffix_substitution(_JOURNAL, _build_letter_restorer("1", "i")),
        (("10.1038/s1gtrans.2016.1", "10.1038/sigtrans.2016.1"),),
        "Web of Science, cited references", together=False,
    ),
    RepairRule(
        "capital-i", Message("with the letter l in place of the capital I"),
        build_suffix_substitution("(?<=[a-z])I{1,2}(?![A-Z])", lambda match: "l" * len(match.group())),
        (("10.1016/j.ceII.2010.01.001", "10.1016/j.cell.2010.01.001"), ("10.1002/smaII.201001", "10.1002/small.201001")),
        "optical character recognition, and fonts in which both look the same", together=False,
    ),
    RepairRule(
        "letter-j", Message("with the letter j in place of the letter i"),
        build_substitution((r"\A(10\.1016/)[ij]\.i(?=[a-z]{2})", r"\1j.j"), (r"\A(10\.1016/)i\.", r"\1j."), needs="10.1016/"),
        (
            ("10.1016/i.iempfin.2016.05.002", "10.1016/j.jempfin.2016.05.002"),
            ("10.1016/i.annonc.2020.08.1261", "10.1016/j.annonc.2020.08.1261"),
        ),
        "reference lists read by optical character recognition", together=False,
    ),
    RepairRule(
        "composed", Message("with its letters composed in the usual way"), compose_nfc,
        (("10.1000/A\u0301", "10.1000/\u00c1"),),
        "S8", together=False,
    ),
)  # fmt: skip
"""Applied alone: either the rule or another is right."""
