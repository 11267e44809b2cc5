"""Texts made to be slow to read: the pieces of texts around a DOI, repeated and nested."""

from collections.abc import Iterator
from itertools import cycle

from doi_reading import CATALOGUE, LONGEST_TEXT
from doi_reading.repair.rules import RULES
from doi_reading.tables import library_proxies, publisher_endings, publisher_urls
from doi_reading.tables.suffix_patterns import EXAMPLES
from doi_reading.text.brackets import OPENERS

PIECES = (
    # the beginnings of a DOI, and what stands before them
    "10.", "10.1000", "10.1000/", "10.1000/182",
    "10.1002/(SICI)1097-0258(19980815/30)17:15<1661::AID-SIM9>3.0.CO;2-2",
    "10/", "10/abc", "10.978.86123/45678", "11.1000/x", "10.10.1000/1", "10..1000/1", "10,1000/1", "10 .1000 / 1",
    "1O.1000/1",
    "doi", "DOI", "doi:", "DOI: ", "doi.org/", "https://doi.org/", "http://dx.doi.org/", "https//doi.org/", "doi.og/",
    "www.doi.org/", "http:", "//", "://", "urn:doi:", "urn:", "info:doi/", "info:", "hdl:", "https://hdl.handle.net/",
    "https://doi.org/api/handles/", "https://doi.org/doiRA/", "https://doi-org.ezproxy.library.example/", "login?url=",
    "https://www.google.com/url?q=", "https://eur01.safelinks.protection.outlook.com/?url=", "https%3A%2F%2Fdoi.org%2F",
    "https://onlinelibrary.wiley.com/doi/full/", "https://link.springer.com/chapter/", "https://journals.example/x?doi=",
    # what stands after them
    "/abstract", "/full", ".pdf", "/pdf", ";jsessionid=A1", "?utm_source=x", "&magic=1", "#page-6", "-#",
    ".pmid:1234567",
    "Epub", "_x000D_", "CO;2-2", "v1", "2004", "Smith", " pp. 12-19", "<br/>", "</a>", '<a href="', "\\_", "{\\_}",
    # separators
    " ", "  ", "\u00a0", "\t", "\n", "\r\n", ",", ", ", ";", "; ", "|", ".", ". ", ":", "#", "?", "&",
    "=", "+", "*", "!",
    "(", ")", "<", ">", "[", "]", "{", "}", '"', "'", "“", "”", "«", "\\", "/", "//", "..", "/./", "/../", "_",
    "-", "~", "^", "`",
    # entities and percent triplets
    "&lt;", "&gt;", "&amp;", "&amp;lt;", "&amp;amp;lt;", "&#60;", "&#x2F;", "&#47;", "&#0;", "&#xD800;", "&#99999999;",
    "&lt", "lt;", "&;", "&#", "&#x;", "[amp]lt;", "%2F", "%2f", "%252F", "%25", "%25252F", "%3C", "%20", "%00", "%0A",
    "%",
    "%2", "%ZZ", "%E2%80%93", "%C3%28", "%FF", "%ED%A0%80", "%F4%90%80%80", "%EF%BB%BF",
    # Unicode
    "\u200b", "\u200d", "\u200e", "\u202e", "\u2060", "\ufeff", "\u00ad", "–", "—", "\u2010", "\u2011", "\u2212",
    "\uff0d",
    "１０．１０００／", "\u0661\u0660", "𝟏𝟎", "Á", "A\u0301", "\u0301", "ß", "İ", "ſ", "\u212a", "×", "\ufb01", "ﬃ",
    "\u0456",
    "\ufffd", "â€“", "Ã¡", "ï¬\x81", "\ud800", "\udfff", "\U0001f600", "\U000e0001", "\ue000", "\ufdd0", "\U0010ffff",
    "\x00", "\x07", "\x1f", "\x7f", "\x85", "\u2028", "\u3000", "\u0378", "中文", "א",
)  # fmt: skip
"""What texts around a DOI are made of."""

_SIGNS = """
    １ 𝟏 ١ 10.１ 10.1/ 10/a, 10.1000/a, 10.1000/a; (10.1000/a; 10.1000/a</a doi: doi= &amp; &amp;amp; &amp &lt lt; &#
    60; %25 %2525 %41a %E2%80% %F0%9F %F4%90%80%80 %C3%28 %ED%A0%80 a a1 1a a- a. a/ /a /full .full -a-b v1 <a <1: ;2
    0.CO;2 [1:a] \\ \\_ {\\ \\r _x000D_ [amp]lt; && jsessionid= pmid epub www.a. a.com/ https http://a/ // a@ (2011)
    é 가 ﬁ ﷺ а аб × – ‐ “ ‘ 〈 《 【 _.-, __ ... … ?a ?a=1& ?a#b &a=b #a =2F ! * | ~ ` O l oO0 0.0. 10.0. [a](http://a)
    {\\textless} $_1$ {-} url= ?url=http:// url=https%3A%2F%2F __; -3A__ 10%2e1000%2f %31%30 /../ /./ ://
"""
_INVISIBLE = (
    " ", "\t", "\r\n", "\u00a0", "\u2028", "\u200b", "\u200d", "\u00ad", "-\u00ad", "\ufeff", "\x00", "\x00\x01",
    "\x85", "\ud800", "\u0378", "\ue000", "\ufdd0", "\ufffd", "\u0301", "\u0327\u0301", "\u0f71\u0f72", "e\u0301",
    "doi: ", "1 0 . ", "10. 1000/ a ", "10.1000/a ", "10.1000/%41 ", "10.1000/\x00 ",
)  # fmt: skip
_LABELS = (
    "|2 doi", "doi:\n> ", " http://", "https://doi.org/?#  ", "dx .10.1016/", "%|2 doi::", "10.5555/a  ",
    "l·l%", "é%2F", "%{",
)  # fmt: skip
"""Labels and resolvers without a name, names cut short, and signs that look like others: each once cost the most."""
UNITS = tuple(dict.fromkeys((*PIECES, *_SIGNS.split(), *_INVISIBLE, *_LABELS)))
"""What is repeated."""
HEADS = (
    "", "10.1000/a", "10.", "10", "10.1", "10.1000", "doi:10.", "https://doi.org/10.", "10.１",
    "https://doi.org/10.1000/a", "doi:10.1000/a/", "urn:doi:10.1000:a",
    "https://doi.org/doiRA/10.1000/a", "10.1016/", "see 10.1000/a ", "https://journals.example.org/doi/full/10.1000/a", "https://x.example/?url=",
    "10.1 000/a", "(", "&amp;",
)  # fmt: skip
TAILS = ("", " b", "/", ")", "%", "\x00", "!", "&lt;", "#a?b", " see 10.1000/b", "\ufb01")
NESTED = {
    **OPENERS, "( ": " )", "&#40;": "&#41;", "%28": "%29", "{\\": "}", "[a](": ")", "https://doi.org/": "", "doi:": "",
    "https://x.example/?url=": "", "https://x.example/?url=https%3A%2F%2F": "", "urn:doi:": "", "info:doi/": "",
    "https%3A%2F%2F": "", "10.1000/": "", "https://doi-org.proxy.example/": "", "%25": "", "&amp;": "", "&": "amp;",
    "10.1000%25": "252f1", "\\": "", '<a href="': '">',
}  # fmt: skip
"""What may stand in itself, and what ends it."""
INNERMOST = ("", "10.1000/182", "https://doi.org/10.1000/a#b", "10.1000%252f1")


def known() -> Iterator[str]:
    """The examples of the catalogue, the rules and the tables."""
    yield from (entry.example for entry in CATALOGUE.values() if entry.example)
    yield from (text for rule in RULES for example in rule.examples for text in example)
    yield from (*library_proxies.EXAMPLES, *EXAMPLES, *publisher_endings.PATH_EXAMPLES)
    rewritings = (*publisher_urls.NAMES, *publisher_urls.ADDRESSES, *publisher_urls.NUMBERED_ADDRESSES)
    yield from (text for rule in rewritings for text in rule.example)


def repeated(head: str, unit: str, tail: str, length: int = LONGEST_TEXT) -> str:
    """`unit` again and again between `head` and `tail`, `length` characters in all."""
    space = max(0, length - len(head) - len(tail))
    return (head + (unit * (space // len(unit) + 1))[:space] + tail)[:length]


def nested(openers: tuple[str, ...], inner: str, length: int = LONGEST_TEXT) -> str:
    """`inner` in as many of the openers, in turn, as fit; each closed again where something closes it."""
    left: list[str] = []
    size = len(inner)
    for opener in cycle(openers):
        size += len(opener) + len(NESTED[opener])
        if size > length:
            break
        left.append(opener)
    return "".join(left) + inner + "".join(NESTED[opener] for opener in reversed(left))


def texts(length: int = LONGEST_TEXT) -> Iterator[str]:
    """Each unit repeated, by itself and as a suffix, and each that nests in itself around each inner text."""
    for unit in UNITS:
        for head in ("", "10.1000/a", "10."):
            yield repeated(head, unit, "", length)
    for opener in NESTED:
        for inner in INNERMOST:
            yield nested((opener,), inner, length)
    yield nested(tuple(OPENERS), "10.1000/182", length)
    yield nested(tuple(NESTED), "10.1000/182", length)
