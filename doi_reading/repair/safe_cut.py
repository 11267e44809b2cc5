"""Decide whether a shorter name still names the same work.

A cut must never end at a journal, at the book of a chapter, at another version, or at an article with a shorter number:
all of them exist, and none was meant.
"""

import re

from doi_reading.late_pattern import compile_late
from doi_reading.name.check_digits import is_issn
from doi_reading.name.doi import fold
from doi_reading.tables.suffix_patterns import has_whole_shape
from doi_reading.text.source_text import IDEOGRAPHS

_NEVER_A_PART = compile_late(
    r"[\s.,;:([{<)\]}>'’!*+=~^`$%@|\\\"“”»›/_-]+\Z|(?:\.(?:e?pdf|epub|html?|xml|json|ris|bib|png|svg|docx?)){1,2}[\s.,;:|)\]]*\Z|[\"'”]{1,2}/?>|[\\<\ufffd]|>[a-z]{4,}|\)\.|\]\(|\.{3,}|\([0-9]{10}|[^\x00-\x7f]+\Z|%[0-9a-z]{0,2}\Z"
    r"|[.,;_ /+-]*10\.[0-9]{4,9}(?:/|\Z)|[.,;]?\[(?:taylor|google|external|web ?of)|[.,;]?[\[(](?:doi|e?pub|crossref|pubmed|pmid|cas|medline|online|in ?press)|;jsess|&[a-z]+=|_x0"
    r"|/[a-z]+-97[89][0-9]{10}\Z|/-/dc|/(?:abstract|summary|short|long|e?pdf|pdfdirect|full|fulltext|full-text|html|xml|meta"
    r"|references|metrics|information|bibtex|ris|figures?|tables?|suppl_file|suppinfo|asset)\b|/supplementa(?:ry|l)-materials?\Z|=(?:20|c2=a0)\Z"
    r"|\{?\$|[\u2021\u01c2\u0192\x1d-\x1f]|\|2 ?doi\b|=[a-z]\Z|\.?(?:\[\^?[0-9]{1,3}(?:[,-][0-9]{1,3}){0,4}\])+[.,;:]?\Z|\^\{?[0-9]{1,3}[}^]?\Z|[.,;]?\(opens"
    r"|[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207d]|\?(?:[a-z_.]+(?:=|\Z)|\Z)|#\Z|[.,;_-]*[a-z]+(?:[.][a-z0-9-]+){0,3}[.](?:com|org|net|edu)\b",
    re.IGNORECASE,
)
"""Beginnings of text that is no part of a work: punctuation, markup, another DOI, a publisher's page, a query."""
_NO_NUMBER = compile_late(r"[^0-9]*")
_JOURNAL = compile_late(r"(?!dl\.)[a-z]{1,20}(?:[._-][a-z]{1,20})?", re.IGNORECASE)
"""A journal's code: molbev, journal.pone, iet-com. Codes with a slash or more parts (10.7910/DVN/ARZBCW) are mostly those
of data sets and articles, those that begin with dl. of downloads."""
_CODE_OF_LETTERS = compile_late(
    r"10\.(?:58079/[a-z]{4,5}|18710/[a-z]{6}|15468/[a-z]{6}|1103/[a-z]{4}-[a-z]{4})", re.IGNORECASE
)
"""Names of articles and data sets that are codes of letters: Hypotheses, DataverseNO, GBIF, the American Physical Society
since 2025."""
_ISSN = compile_late(r"(?:\(issn\)|issn)[0-9]{4}-?[0-9]{3}[0-9x]|[0-9]{4}-[0-9]{3}[0-9x]", re.IGNORECASE)
PART = compile_late(
    r"[-./_ ,;|(]*(?:v[0-9]{1,2}(?![0-9])|[sgt][0-9]{3}|pub\b|pub[0-9]|supp|fig|tab|f[0-9]|t[0-9]|chap|ch[0-9]|ch\b|part|pt[0-9]"
    r"|vol(?!ltext)|index|intro|append|sa[0-9]|sup|version|rev|si\b)|[-._/,;|][0-9]",
    re.IGNORECASE,
)
"""A part, a version or a supplement of the work, which may have a name of its own."""
_PART_OF_WORK = compile_late(r"[-./_]?(?:v[0-9]|[sgtf][0-9]|supp|fig|tab|pub[0-9]|ch|part|app)", re.IGNORECASE)
_REVISION = compile_late(r"(?<=[0-9x])[._-]?r[1-9]\Z|(?<=[0-9x])v[0-9]{1,2}\Z", re.IGNORECASE)
_FILE = compile_late(r"\.(?:e?pdf|epub|html?|xml)\Z", re.IGNORECASE)
_REGISTER_VERSIONS = (
    "10.7287/",
    "10.20944/",
    "10.21203/",
    "10.6084/",
    "10.31234/",
    "10.26434/",
    "10.31219/",
    "10.3886/",
)
"""Registrants whose versions have names of their own."""
_DATE = compile_late(
    r"[.,;_-]*[(\[](?:[0-9]{4}[-./][0-9]|[0-9]{1,2}[-./][0-9]{1,2}[-./][0-9]|[0-9]{0,2}\.?[a-z]{3,9}\.?,?[0-9]{4,6})",
    re.IGNORECASE,
)
_CUT_DATE = compile_late(r"\((?:[0-9]{1,2}|[a-z]{3,9})\Z", re.IGNORECASE)
_FOREIGN = compile_late(
    rf"//|[.,;]?[(\[]?[{IDEOGRAPHS}]|#(?![0-9#]+\Z)|[&;|,\s•…，；、。！？【】「」《》]|[.,;_-]*(?:https?|www\.|doi|pmid|pmc|epub)",
    re.IGNORECASE,
)
_BOOK = compile_late(
    r"(?:[a-z:]*[/:.])?97[89][-0-9\u2010-\u2015]{9,14}[0-9x]?(?:\.001\.0001)?|(?:cbo|b)97[89][-0-9]{10,14}", re.I
)
_RUN_ON = compile_late(
    r"[.,;:/_)>\]}-]{0,3}\(?(?:[^\W\d_]{3,}|[^\x00-\x7f]|[0-9]{7,}|[0-9]+[-–][0-9]+\Z|[0-9]{4}-[0-9]{3}[0-9x]/)"
    r"|[.,;]?[(\[][^\W\d_][^()\[\]]*\Z",
    re.IGNORECASE,
)
"""Text that runs on after a whole name: a word, a PMID, pages, an ISSN, a bracket that nothing closes."""
_YEAR = compile_late(r"[.,;_ -]*[(\[]?(?:18|19|20)[0-9]{2}[)\]]?[.,;]*\Z")
_PAGES = compile_late(r"[,;] ?[0-9]+[-–][0-9]+\Z")
_NUMBERED_IN_ADDRESSES = ("10.1093/", "10.1162/", "10.1182/", "10.1158/", "10.1215/", "10.1121/", "10.1063/")
"""Registrants whose addresses end in the number of a page: academic.oup.com/nar/article/doi/10.1093/nar/gkae237/7642068."""
_TITLED_IN_ADDRESSES = ("10.5771/",)
"""Registrants whose addresses end in the title: nomos-elibrary.de/10.5771/9783845277950-1/titelei."""
_TITLE = compile_late(r"/[a-z][a-z0-9-]*\Z", re.IGNORECASE)
_SICI_CUT = compile_late(r"[>\]][0-9]\.[0-9]\.?(?:co)?\Z", re.IGNORECASE)
_SICI_ENDS = compile_late(r"\.co;2(?:-[^-])?\Z", re.IGNORECASE)
_VERSIONED_IN_ADDRESSES = ("10.1101/", "10.64898/")  # their addresses have v1, their names do not


def is_journal(name: str) -> bool:
    """Return whether the name is probably that of a journal: its suffix is a code of letters, or an ISSN."""
    suffix = name.partition("/")[2]
    if _CODE_OF_LETTERS.fullmatch(name):
        return False
    return _JOURNAL.fullmatch(suffix) is not None or _has_issn(suffix)


def is_same_work(name: str, shorter: str) -> bool:
    """Return whether `shorter`, a beginning of `name`, can be the name that was meant."""
    suffix, cut = shorter.partition("/")[2], name[len(shorter) :]
    if suffix.endswith(";2-") or _SICI_CUT.search(suffix) or (cut[0] == "-" and suffix.endswith(";2")):
        return False  # the end of a SICI is a part of it
    if _NEVER_A_PART.match(cut) or _SICI_ENDS.search(suffix):
        return True
    if _NO_NUMBER.fullmatch(suffix) or _has_issn(suffix):
        return False
    return _may_have_run_on(name, shorter, suffix, cut)


def is_longer_or_shorter(name: str, other: str) -> bool:
    """Return whether two DOIs of a text are probably the same, one of them cut or run on."""
    name, other = fold(name), fold(other)
    if name.startswith(other) and len(other) < len(name):
        return is_same_work(name, other)
    rest = other[len(name) :]
    if not other.startswith(name) or not rest or _PART_OF_WORK.match(rest):
        return False
    return not (name[-1].isdigit() and rest[0].isdigit()) and not has_whole_shape(name)


def is_unfinished(written: str, name: str) -> bool:
    """Return whether a name in a text was cut: `written` ends in a sign that names continue after, or no digit
    distinguishes the name from that of a journal."""
    return written[-1:] in ("-", "_", "/", "(") or not any(map(str.isdigit, name.partition("/")[2]))


def _has_issn(suffix: str) -> bool:
    """Return whether the suffix is an ISSN. Eight digits alone are one if the last is its check digit: most that are
    registered are numbers of articles (10.2307/20482066)."""
    return _ISSN.fullmatch(suffix) is not None or is_issn(suffix)


def _may_have_run_on(name: str, shorter: str, suffix: str, cut: str) -> bool:
    figures = sum(map(str.isdigit, suffix))
    ends_here = has_whole_shape(shorter)
    if _FILE.match(cut):
        return True
    if shorter.startswith(_VERSIONED_IN_ADDRESSES) and re.match(r"v[0-9]", cut):
        return True
    numbered = shorter.startswith(_NUMBERED_IN_ADDRESSES) and not _BOOK.fullmatch(suffix)
    if numbered and re.match(r"/[0-9]{4,8}(?:/|\Z)", cut):
        return True
    if shorter.startswith(_TITLED_IN_ADDRESSES) and _TITLE.match(cut):
        return True
    if shorter.endswith(cut) and any(map(str.isdigit, cut)) and not cut.isdigit():
        return not _YEAR.match(cut)  # a repetition
    if _YEAR.match(cut) or _PAGES.match(cut) or _CUT_DATE.match(cut):
        # 40569(2001) may well be a name, bi3013565(2012) has a year run on
        return ends_here or (figures > 5 and cut[0] in ",;([ ")
    if _DATE.match(cut):
        return True
    if _REVISION.match(name, len(shorter)):
        return figures > 2 and not shorter.startswith(_REGISTER_VERSIONS)
    if PART.match(cut):
        return ends_here and bool(re.fullmatch(r"[.,;][0-9]{7,}.*", cut))
    if _FOREIGN.match(cut):
        return True
    if _BOOK.fullmatch(suffix):
        return False
    if cut[0] == "#":
        return True  # digits after a # are mostly a place in the text, though a chapter may be a number too
    if ends_here:
        return bool(_RUN_ON.match(cut))
    return not (cut[0] in "([?#" or (cut[0].isdigit() and suffix[-1].isdigit()))
