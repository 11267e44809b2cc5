"""Patterns that are published, but in no package that pip or npm installs; `pinned_tools.tsv` says where.

Those that need the patterns of JavaScript stand in javascript_calls.js.
"""

import re
import unicodedata
from collections.abc import Callable

_CROSSREF = (
    r"10.\d{4,9}/[-._;()/:A-Z0-9]+",
    r"10.1002/[^\s]+",
    r"10.\d{4}/\d+-\d+X?(\d+)\d+<[\d\w]+:[\d\w]*>\d+.\d+.\w+;\d",
    r"10.1021/\w\w\d++",
    r"10.1207/[\w\d]+\&\d+_\d+",
)
_GROBID = re.compile(r"10\.\d{4,5}/[\S]+[^;,.\s]", re.ASCII)  # Java's \d and \s are those of ASCII, Spark's too
_OPENALEX = r"10\.\d+/[^\s]+"


def _crossref_whole(text: str) -> list[str]:
    return [text] if re.fullmatch(_CROSSREF[0], text, re.IGNORECASE) else []


def _crossref_search(text: str) -> list[str]:
    return [match.group() for one in _CROSSREF for match in re.finditer(one, text, re.IGNORECASE)]


def _walden(text: str) -> list[str]:
    found = re.findall(_OPENALEX, text.replace(" ", "").lower(), re.ASCII)
    return [name.replace("\0", "") for name in found[:1]]


def _guts(text: str) -> list[str]:
    found = re.findall(_OPENALEX, text.strip().lower())[:1]
    printed = ("".join(c for c in name if unicodedata.category(c)[0] not in "CMZ") for name in found)
    return [re.sub(r"[.,]$", "", name.partition("#")[0].replace('"', "")) for name in printed]


CALLS: dict[str, Callable[[str], list[str]]] = {
    "Crossref, one pattern": _crossref_whole,
    "Crossref, five patterns": _crossref_search,
    "GROBID": _GROBID.findall,
    "OpenAlex (walden)": _walden,
    "OpenAlex (guts)": _guts,
}
