"""Inputs that nobody thought of: made at random from what texts around DOIs are made of, the same for the same seed."""

from collections.abc import Iterator
from random import Random

from benchmarks.damaged_list import DAMAGE, NAMES

LONGEST = 10_000

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


def inputs(seed: int) -> Iterator[str]:
    """Endless texts of at most LONGEST code points: mostly short mixes and damaged names, some long and repetitive."""
    random = Random(seed)
    shapes = (_mix, _changed, _long)
    while True:
        (shape,) = random.choices(shapes, (55, 42, 3))
        yield shape(random)[:LONGEST]


def _piece(random: Random) -> str:
    chance = random.random()
    if chance < 0.03:
        return chr(random.randrange(0x110000))
    if chance < 0.06:
        return chr(random.randrange(32, 256))
    return random.choice(PIECES)


def _mix(random: Random) -> str:
    return "".join(_piece(random) for _ in range(random.choice((1, 2, 3, 4, 5, 6, 8, 12, 30))))


def _changed(random: Random) -> str:
    """A damaged name with a few pieces put in, left out or doubled."""
    text = random.choice(list(DAMAGE.values()))(random.choice(NAMES)(random), random)
    for _ in range(random.randrange(4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 0, 1, 2, 5)))
        text = text[:start] + random.choice((_piece(random), "", text[start:end] * 2)) + text[end:]
    return text


def _long(random: Random) -> str:
    """One or a few pieces over and over, with something before, between and after."""
    unit = "".join(_piece(random) for _ in range(random.choice((1, 1, 2, 3)))) or " "
    length = random.choice((300, 1_000, 3_000, LONGEST))
    tail = _mix(random)[: length // 4]
    text = _mix(random)[: length // 4] + unit * (length // len(unit) + 1)
    return text[: length - len(tail)] + tail
