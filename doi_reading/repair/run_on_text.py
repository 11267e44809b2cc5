"""Text that ran on after the name."""

import re
from functools import partial

from doi_reading.late_pattern import compile_late
from doi_reading.message import Message
from doi_reading.name.check_digits import is_issn
from doi_reading.repair.rule import Apply, RepairRule
from doi_reading.tables.suffix_patterns import SHAPES, SIGNS
from doi_reading.text import brackets
from doi_reading.text.source_text import IDEOGRAPHS, WIDE_PUNCTUATION

_BEFORE = r"[\s.,;:(\[<{>|/*&_-]{0,9}+"  # bounded and possessive: no pattern goes far back
_ADDRESS = compile_late(
    _BEFORE + r"(?:https?:|https?//|ftp:|www\.|(?:dx\.)?doi\.org\b).*\Z"
    r"|(?:(?<=[0-9])|[,;|])[a-z][a-z-]{2,}(?:\.[a-z0-9-]+){0,4}\.(?:com|org|net|edu|gov|uk|de|io|info|eu|fr|ch|nl)(?:/.*)?\Z",
    re.IGNORECASE | re.DOTALL,
)
_CONTINUES = compile_late(r"[0-9]{1,3}(?![0-9])|\.[a-z]{1,3}[0-9]", re.IGNORECASE)
_FIGURE_LIST = compile_late(r"[0-9],[0-9]")
_ISSN_AT_END = compile_late(r"(?<=[0-9xX)])([0-9]{4}-[0-9]{3}[0-9xX])(?:/[^0-9]{0,40})?\Z")
_WIDE_YEAR = r"(?<![0-9]{4}-[0-9]{3}[0-9xX])\uff08(?:19|20)[0-9]{2}\uff09[0-9]{1,3}-[0-9]{1,5}-[0-9]{1,4}\Z"
"""The number of an article in a Chinese journal, (year)issue-page-pages; after an ISSN it may be a name."""
_TAIL = compile_late(r"[,;|][^,;|]*\Z")
_WITH_SIGNS = tuple({prefix for prefix, _, _ in SIGNS})


def _cut(pattern: re.Pattern[str], name: str, *, least: int = 4) -> str:
    """Return the name up to the pattern, if the rest of the suffix distinguishes one work from another: journals and series
    have names too (10.1038/nmeth), and a cut must not end at them. It has at least `least` characters."""
    start = name.find("/") + 1
    match = pattern.search(name, start + 1) if start else None
    left = name[start : match.start()] if match else ""
    return name[: start + len(left)] if len(left) >= least and any(map(str.isdigit, left)) else name


def _cut_at(pattern: str, flags: re.RegexFlag = re.NOFLAG, *, least: int = 4) -> Apply:
    return partial(_cut, compile_late(pattern, flags), least=least)


def _write_usual_signs(name: str) -> str:
    if not name.startswith(_WITH_SIGNS):
        return name
    for prefix, pattern, suffix in SIGNS:
        match = pattern.match(name, len(prefix)) if name.startswith(prefix) else None
        better = prefix + match.expand(suffix) if match else name
        if better.lower() != name.lower():
            return better
    return name


def _cut_tail(name: str) -> str:
    return name if ";2" in name or _FIGURE_LIST.search(name) else _cut(_TAIL, name)


def _cut_address(name: str) -> str:
    return name if ";2" in name or name.lower().endswith((".co", "//co")) else _cut(_ADDRESS, name)


def _cut_at_unpaired_bracket(name: str) -> str:
    at = brackets.find_unpaired_bracket(name)
    return name if at < 0 or at <= name.find("/") + 1 else name[:at]


def _cut_after_usual_end(name: str) -> str:
    """Cut after a registrant's pattern. Where a number continues, or a part of the work is named (`.s001`), don't."""
    for shape in SHAPES:
        match = shape.match(name)
        if match and not _CONTINUES.match(name, match.end()):
            return match.group()
    return name


def _cut_issn(name: str) -> str:
    match = _ISSN_AT_END.search(name, name.find("/") + 1)
    return name[: match.start()] if match and is_issn(match[1].replace("-", "")) else name


GLUED = (
    RepairRule(
        "url", Message("without the address attached to its end"), _cut_address,
        (
            ("10.2478/s13540-014-0218-9;http://www.degruyter.com/view/j/fca", "10.2478/s13540-014-0218-9"),
            ("10.1177/1557988319863542journals.sagepub.com/home/jm", "10.1177/1557988319863542"),
        ),
        "OpenCitations, random citations per rule",
    ),
    RepairRule(
        "words", Message("without the words attached to its end"),
        _cut_at(
            _BEFORE
            + r"(?:\b|(?<=[0-9_xX]))(?:pmid|pmcid|pmc[0-9]{4}|epub\b|epub[0-9 ]|e?pub ?ahead|ecollection|pubmed|medline|crossref"
            r"|google ?scholar|accessed|retrieved|available|published|issn\b|issn[ :]?[0-9]|isbn\b|arxiv:|hal-[0-9]|copyright|keywords?:|scopus|wos:"
            r"|web ?of ?science|\(?in ?press|free ?full|full ?text|eissn|e-issn|article ?no|reviewed|received|cited ?by|last ?access"
            r"|(?<=[0-9])(?:cas|doi)\Z|(?<=\[)(?:taylor|google|external|web ?of)|viewed|zugriff|consult|abruf|zuletzt|letzter|volltext|kostenfrei|lizenzpflicht|\(?cc[ -]by\b|article ?published|article ?first|open_in_new|\(?opens?(?:\b| ?in)|external(?:\b| ?link)|1 ?of ?[0-9]).*\Z",
            re.IGNORECASE | re.DOTALL,
        ),
        (
            ("10.1111/j.1539-6924.2011.01695.x.pmid:21992607", "10.1111/j.1539-6924.2011.01695.x"),
            ("10.1016/j.cell.2010.01.001Epub2010Jan5", "10.1016/j.cell.2010.01.001"),
        ),
        "OpenCitations, random citations per rule",
    ),
    RepairRule(
        "signs", Message("without the symbol attached to its end and everything after it"),
        _cut_at(_BEFORE + "[\u00a9\u00ae\u2122\u2022\u25cf\u00b7].*\\Z", re.DOTALL),
        (("10.1016/j.omtm.2018.10.010\u2022", "10.1016/j.omtm.2018.10.010"),),
        "OpenAPC, commit c67656f6a",
    ),
    RepairRule(
        "pages", Message("without the page or volume attached to its end"),
        _cut_at(
            r"[,;:]\s{0,9}(?:pp?\.|pages?|vol|no|issue|art|id)\b.*\Z|[\s,;]{1,9}p{1,2}\.?\s?[0-9].*\Z",
            re.IGNORECASE | re.DOTALL,
        ),
        (("10.1002/asi.22647,pp.2206-2222", "10.1002/asi.22647"),),
        "OpenCitations, invalid DOIs",
    ),
    RepairRule(
        "dots", Message("without the row of dots and everything after it"), _cut_at(r"(?:\.{3,}|\u2026).*\Z", re.DOTALL),
        (("10.1016/1074-5521(94)90014-0.......1,223(1994)", "10.1016/1074-5521(94)90014-0"),),
        "OpenCitations, random citations per rule",
    ),
)  # fmt: skip

RUN_ON = (
    RepairRule(
        "shape", Message("cut off where this registrant's names end"), _cut_after_usual_end,
        (
            ("10.1371/journal.pone.0012345Smith", "10.1371/journal.pone.0012345"),
            ("10.1007/s10706-019-01181-9(0123456789", "10.1007/s10706-019-01181-9"),
        ),
        "doi_reading/tables/suffix_patterns.py has the shapes, each with an example", together=False,
    ),
    RepairRule(
        "signs-of-registrant", Message("with the characters that this registrant uses"), _write_usual_signs,
        (
            ("10.1016/s0140-67360961933-4", "10.1016/S0140-6736(09)61933-4"),
            ("10.1007/s10578-0080111-z", "10.1007/s10578-008-0111-z"),
            ("10.1111/j.1467-8624.2006.00857", "10.1111/j.1467-8624.2006.00857.x"),
        ),
        "OpenCitations, invalid DOIs", together=False,
    ),
    RepairRule(
        "unpaired", Message("up to the unmatched closing bracket"), _cut_at_unpaired_bracket,
        (("10.1146/annurev-financial-110217-023025>accessed27", "10.1146/annurev-financial-110217-023025"),),
        "OpenCitations, random citations per rule", together=False,
    ),
    RepairRule(
        "unclosed", Message("up to the opening bracket that nothing closes"),
        _cut_at(r"[.,;_-]{0,9}[(\[]\s?[^\W\d_][^()\[\]]{1,60}\Z"),
        (("10.1038/nature12373[consultado", "10.1038/nature12373"),),
        "notes in brackets right after a DOI: white space cuts them after their first word", together=False,
    ),
    RepairRule(
        "issn", Message("without the ISSN attached to its end"), _cut_issn,
        (
            ("10.1016/j.jad.2010.01.0760165-0327/\u00a9", "10.1016/j.jad.2010.01.076"),
            ("10.1016/j.jad.2010.01.0760165-0327", "10.1016/j.jad.2010.01.076"),
        ),
        "the first page of many articles: the ISSN and the copyright follow the DOI", together=False,
    ),
    RepairRule(
        "year", Message("without the year attached to its end"),
        _cut_at(r"[.,;_-]{0,9}[(\[](?:18|19|20)[0-9]{2}[a-z]?[)\]][.,;:]{0,9}\Z"),
        (("10.1111/j.1539-6924.2011.01695.x(2011)", "10.1111/j.1539-6924.2011.01695.x"),),
        "OpenCitations, cleaning rules", together=False,
    ),
    RepairRule(
        "bare-year", Message("without the year at the end"), _cut_at(r"[,;:]{1,9}(?:18|19|20)[0-9]{2}\Z"),
        (("10.1111/j.1539-6924.2011.01695.x;2011", "10.1111/j.1539-6924.2011.01695.x"),),
        "damage.md: glued-suffix", together=False,
    ),
    RepairRule(
        "script", Message("up to the text in another script"),
        _cut_at(
            f"(?:[.,;]?[(\\[]?[{WIDE_PUNCTUATION}{IDEOGRAPHS}]|(?<=[0-9A-Za-z)])[^\\W\\d_\\x00-\\u024f]{{2}}).*\\Z|{_WIDE_YEAR}",
            re.DOTALL, least=3,
        ),
        (
            ("10.1016/j.neucom.2025.130327\uff0cNeurocomputing", "10.1016/j.neucom.2025.130327"),
            ("10.3969/j.issn.1001-8360.2015.01.008\uff082015\uff0901-0045-06", "10.3969/j.issn.1001-8360.2015.01.008"),
            ("10.3969/j.issn.1001-8360.2015.01.008\u6587\u7ae0\u7f16\u53f7:1001-8360", "10.3969/j.issn.1001-8360.2015.01.008"),
            ("10.1000/182\u3092\u53c2\u7167", "10.1000/182"),
        ),
        "public texts in Chinese: no space follows the name", together=False,
    ),
    RepairRule(
        "line-break", Message("without the code for a line break and everything after it"),
        _cut_at(r"\\+[nrt](?![0-9a-z]*[0-9]).*\Z", re.DOTALL),
        (("10.1038/nature12373\\nAbstract", "10.1038/nature12373"),),
        "damage.md: export-artefact", together=False,
    ),
    RepairRule(
        "slashes-after", Message("without the two slashes after it and everything behind them"), _cut_at(r"//.*\Z", re.DOTALL),
        (("10.1038/nature12373//Smith", "10.1038/nature12373"),),
        "damage.md: glued-suffix", together=False,
    ),
    RepairRule(
        "date", Message("without the date in brackets"),
        _cut_at(
            r"[.,;_-]{0,9}[(\[](?:(?:19|20)[0-9]{2}[-./][0-9]{1,2}(?:[-./][0-9]{1,2})?|[0-9]{1,2}[-./][0-9]{1,2}[-./](?:19|20)?[0-9]{2}"
            r"|[0-9]{0,2}\.?[A-Z][a-z]{2,8}\.?,?[0-9]{0,2},?(?:19|20)[0-9]{2}|[0-9]{1,2}\Z|[A-Z][a-z]{2,8}\Z)(?:[)\]].{0,9})?\Z"
        ),
        (
            ("10.1111/j.1539-6924.2011.01695.x(2011-08-03)", "10.1111/j.1539-6924.2011.01695.x"),
            ("10.1111/j.1539-6924.2011.01695.x(3", "10.1111/j.1539-6924.2011.01695.x"),
        ),
        "OpenCitations, cleaning rules", together=False,
    ),
    RepairRule(
        "surname", Message("without the word attached to its end"),
        _cut_at(r"(?<=[0-9xX])[.,;]{0,9}(?:[A-Z][^\W\d_]{2,20}|[^\x00-\x7f\W\d_])[^\s\d()<>/:=?@#$%*+!\\\[\]{}|~^`_]{0,60}\Z"),
        (
            ("10.1038/nature12373Smith", "10.1038/nature12373"),
            ("10.1038/nature12373Müller,J.", "10.1038/nature12373"),
            ("10.1038/nature12373éditeur", "10.1038/nature12373"),
        ),
        "damage.md: glued-suffix (surname)", together=False,
    ),
    RepairRule(
        "revision", Message("without a version mark"),
        _cut_at(r"(?<=[0-9xX])v[0-9]{1,2}\Z|(?<=\))[a-z]\Z|(?<=[0-9xX])[._-]?R[1-9]\Z"),
        (
            ("10.1101/2021.08.03.454978v1", "10.1101/2021.08.03.454978"),
            ("10.1093/bioinformatics/btz682.R1", "10.1093/bioinformatics/btz682"),
        ),
        "damage.md: glued-suffix (revision mark); zotero, HighWire 2.0", together=False,
    ),
    RepairRule(
        "tail", Message("up to the last comma, semicolon or bar"), _cut_tail,
        (("10.1038/nature12373,Jones", "10.1038/nature12373"),),
        "damage.md: glued-suffix", together=False,
    ),
)  # fmt: skip
