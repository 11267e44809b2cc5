"""Identifiers other than DOIs: which one a text is, where its page is, and how it may lead to a DOI."""

import re
from collections.abc import Callable
from typing import NamedTuple

from doi_reading.late_pattern import compile_late
from doi_reading.message import Message
from doi_reading.name.check_digits import is_isbn, is_issn, is_orcid

LONGEST_IDENTIFIER = 300  # code points, with its label or address
_HOST = r"(?:https?://)?(?:www\.)?"
_SAYS = r"[\s:=#.\uff1a]{0,3}"
_QUALIFIER = compile_late(r"\s{0,3}(?:\([^()]{0,40}\)|\[[^\[\]]{0,40}\]|[.,;:]){0,3}\s*\Z")
"""What may follow: `(pbk.)`, `[pmid]`, the sign at the end of a sentence."""
_NEXT = compile_late(r"[;,|\n\t]\s{0,9}|\s{1,9}(?=(?:pmid|pmcid|pmc[0-9]|isbn|issn|arxiv|orcid)\b)", re.IGNORECASE)
_BEGIN = compile_late(
    r"[0-9]|[^\s/]{2,100}/|(?:pm|pubmed|info:|urn:|(?:e|p)?-?is[bs]n|orcid|arxiv|ark:|hdl|handle)", re.IGNORECASE
)
"""How each identifier begins, with its label or address."""
_ITS_PAGE = Message("Its page may show a DOI.")


class OtherIdentifier(NamedTuple):
    """An identifier in a text: its kind with its article, itself, the address of its page ("" for none), and how it may
    lead to a DOI."""

    kind: Message
    text: str
    page: str
    advice: Message


class _Kind(NamedTuple):
    """A kind of identifier. `pattern` matches a text that is one, and its first group that takes part is the
    identifier. `page`: the beginning of the address of its page. `is_valid` looks at its check digit."""

    name: Message
    pattern: re.Pattern[str]
    page: str
    advice: Message
    is_valid: Callable[[str], bool] = bool


def _compile(*patterns: str) -> re.Pattern[str]:
    return compile_late("|".join(patterns), re.IGNORECASE)


def _is_issn_alone(text: str) -> bool:
    """Return whether it is an ISSN, and no range of pages or years such as 1234-1243."""
    first, _, last = text.partition("-")
    return is_issn(text.replace("-", "")) and not (last.isdigit() and 0 <= int(last) - int(first) < 1000)


_KINDS = (
    _Kind(
        Message("a PubMed ID"),
        _compile(
            rf"(?:pmid|pubmed(?:[ _-]?id)?|info:pmid/){_SAYS}([0-9]{{1,8}})",
            r"([0-9]{1,8})\s?\[pmid\]",
            rf"{_HOST}(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/(?:m/)?pubmed"
            r"|europepmc\.org/(?:article|abstract)/med)/(?:\?term=)?([0-9]{1,8})/?",
        ),
        "https://pubmed.ncbi.nlm.nih.gov/",
        Message("PubMed shows the DOI of the article, if it has one."),
    ),
    _Kind(
        Message("a PubMed Central ID (PMCID)"),
        _compile(
            rf"(?:pmcid{_SAYS})?(pmc[0-9]{{3,9}})(?:\.[0-9]{{1,2}})?",
            rf"{_HOST}(?:ncbi\.nlm\.nih\.gov/pmc|pmc\.ncbi\.nlm\.nih\.gov|europepmc\.org)/articles?/"
            r"(?:pmc/)?(pmc[0-9]{3,9})/?(?:pdf/?\S{0,100})?",
        ),
        "https://pmc.ncbi.nlm.nih.gov/articles/",
        Message("PubMed Central shows the DOI of the article, if it has one."),
    ),
    _Kind(
        Message("an ISBN"),
        _compile(
            rf"(?:urn:)?e?-?isbn(?:[- ]?1[03])?{_SAYS}((?:97[89][- ]?)?(?:[0-9][- ]?){{9}}[0-9x])",
            r"(97[89][- ]?(?:[0-9][- ]?){9}[0-9])",
            r"((?=[0-9-]{12}[0-9x]\Z)[0-9]{1,7}-[0-9]{1,7}-[0-9]{1,7}-[0-9x])",
        ),
        "",
        Message("It stands for a book. Look for the book's DOI on the publisher's website."),
        is_isbn,
    ),
    _Kind(
        Message("an ISSN"),
        _compile(
            rf"(?:urn:)?[ep]?-?issn(?:-l)?{_SAYS}([0-9]{{4}}-?[0-9]{{3}}[0-9x])",
            r"https?://portal\.issn\.org/resource/issn/([0-9]{4}-[0-9]{3}[0-9x])",
        ),
        "https://portal.issn.org/resource/ISSN/",
        Message("It stands for a journal. Look for the DOI of the article."),
        lambda text: is_issn(text.replace("-", "")),
    ),
    _Kind(
        Message("an ISSN"),
        _compile(r"([0-9]{4}-[0-9]{3}[0-9x])"),
        "https://portal.issn.org/resource/ISSN/",
        Message("It stands for a journal. Look for the DOI of the article."),
        _is_issn_alone,
    ),
    _Kind(
        Message("an ORCID iD"),
        _compile(
            rf"(?:orcid(?:[ -]?id)?{_SAYS})?(?:{_HOST}orcid\.org/)?([0-9]{{4}}-[0-9]{{4}}-[0-9]{{4}}-[0-9]{{3}}[0-9x])/?"
        ),
        "https://orcid.org/",
        Message("It stands for a person. Look for the DOI of the work."),
        is_orcid,
    ),
    _Kind(
        Message("an arXiv number"),
        _compile(
            rf"(?:arxiv(?:\.org)?{_SAYS}(?:abs/)?|{_HOST}(?:export\.)?arxiv\.org/(?:abs|pdf|html)/)"
            r"([0-9]{4}\.[0-9]{4,5}(?:v[0-9]{1,2})?|[a-z-]{2,12}(?:\.[a-z]{2})?/[0-9]{7}(?:v[0-9]{1,2})?)(?:\.pdf)?"
            r"(?:\s{1,3}\[[a-z.-]{2,20}\])?",
            r"([0-9]{2}(?:0[1-9]|1[0-2])\.[0-9]{4,5}v[0-9]{1,2})",
            r"((?:astro-ph|cond-mat|gr-qc|hep-(?:ex|lat|ph|th)|math(?:-ph|\.[a-z]{2})?|nlin|nucl-(?:ex|th)|physics|quant-ph"
            r"|q-bio|cs(?:\.[a-z]{2})?)/[0-9]{7}(?:v[0-9]{1,2})?)",
        ),
        "https://arxiv.org/abs/",
        Message("arXiv shows the DOI of the article, if it has one."),
    ),
    _Kind(
        Message("an ARK"),
        _compile(r"(?:https?://[^\s/]{3,100}/(?:[^\s/]{1,50}/){0,3})?(ark:/?[0-9b-df-hj-np-tv-z]{4,9}/\S{1,200})"),
        "https://n2t.net/",
        _ITS_PAGE,
    ),
    _Kind(
        Message("a URN"),
        _compile(r"(?:https?://[^\s/]{3,100}/(?:[^\s/]{1,50}/){0,3})?(urn:(?!doi:)[a-z0-9][a-z0-9-]{1,31}:\S{1,200})"),
        "",
        _ITS_PAGE,
    ),
    _Kind(
        Message("a Handle"),
        _compile(
            rf"(?:hdl|handle|info:hdl/){_SAYS}(?!10\.)([0-9]{{1,9}}(?:\.[0-9a-z_-]{{1,30}}){{0,5}}/\S{{1,200}})",
            rf"{_HOST}(?:hdl\.handle\.net|[^\s/]{{3,100}}/(?:[^\s/]{{1,50}}/){{0,3}}handle)/"
            r"(?!10\.)([0-9]{1,9}(?:\.[0-9a-z_-]{1,30}){0,5}/\S{1,200})",
        ),
        "https://hdl.handle.net/",
        _ITS_PAGE,
    ),
)


def find_other_identifier(text: str) -> OtherIdentifier | None:
    """Return the identifier that the text consists of, apart from a label, an address or a qualifier; the first of several.
    None for other texts, and for bare numbers that may be anything."""
    if len(text) > LONGEST_IDENTIFIER:
        return None
    text = text.strip().strip("<>\"'")
    whole = _find_in(text)
    if whole is not None:
        return whole
    pieces = list(filter(None, _NEXT.split(text, maxsplit=20)))
    if len(pieces) < 2 or not all(_find_in(piece.strip()) for piece in pieces[1:]):
        return None
    return _find_in(pieces[0].strip())


def _find_in(text: str) -> OtherIdentifier | None:
    if not _BEGIN.match(text):  # as most texts
        return None
    end = _QUALIFIER.search(text)
    for written in dict.fromkeys((text, text[: end.start()] if end else text)):
        for kind in _KINDS:
            match = kind.pattern.fullmatch(written)
            found = next(filter(None, match.groups()), "") if match else ""
            if found and kind.is_valid(found):
                page = kind.page + found if kind.page else ""
                return OtherIdentifier(kind.name, found[:100], page, kind.advice)
    return None
