"""Text that a publisher's address, a link or a citation manager added to the name."""

import re

from doi_reading.message import Message
from doi_reading.repair.rule import RepairRule
from doi_reading.tables import link_parameters, publisher_endings, publisher_urls
from doi_reading.text import name_end
from doi_reading.text.source_text import WHITE

_PUBLISHED_VERSION = re.compile(
    r"(?<=[0-9])v[0-9]{1,2}(?:\.(?:full|abstract|supplementary-material)(?:\.pdf|-text)?)?\Z"
)
_EMPTY = re.compile(rf"(?:[(\[{{<]{{1,3}}[{WHITE}]?[)\]}}>]{{1,3}}|\"\"|''){{1,5}}\Z")
"""Brackets or quotes with nothing between them."""
_STRAY_PERCENT = re.compile(r"%(?:[0-9A-Fa-f]?|[0-9A-Fa-f]?[G-Zg-z][0-9A-Za-z]?)\Z")


def _remove_query(name: str) -> str:
    start, mark, query = name.partition("?")
    key, equals, _ = query.partition("&")[0].partition("=")
    known = link_parameters.is_tracking(key.lower()) or key.lower() in link_parameters.PROXY_PARAMETERS
    return start if mark and (known or (equals and key.isidentifier())) else name


def _remove_parameters(name: str) -> str:
    """`&magic=`, `&utm_source=`: a query that lost its question mark."""
    start, mark, query = name.partition("&")
    return start if mark and "=" in query and query[:1].isalpha() else name


def _remove_version(name: str) -> str:
    return _PUBLISHED_VERSION.sub("", name) if name.startswith(("10.1101/", "10.64898/")) else name


def _remove_punctuation(name: str) -> str:
    name = _EMPTY.sub("", _STRAY_PERCENT.sub("", name))
    return name[: max(name_end.find_trailing_debris(name), name.find("/") + 1)]


def _remove_last(name: str) -> str:
    if name.endswith(("-", "_")):
        return name[:-2] if name.endswith("__") else name[:-1]  # two of them: bold in Markdown
    return name[:-1] if name_end.find_trailing_debris(name) < len(name) - 1 else name


QUERY = (
    RepairRule(
        "tracking", Message("without the parameters of a link"), _remove_query,
        (("10.1000/ab?utm_source=x", "10.1000/ab"), ("10.2307/2550890?origin=crossref", "10.2307/2550890")),
        "E8; OpenAlex: 120,912 names with a query",
    ),
    RepairRule(
        "parameters", Message("without the parameters attached to its end"), _remove_parameters,
        (("10.1000/ab&magic=1", "10.1000/ab"),),
        "OpenAlex: 3,302 names with &magic=",
    ),
)  # fmt: skip
"""Applied before other rules for text that ran on: a value may look like anything."""

ADDED = (
    RepairRule(
        "punctuation", Message("without the punctuation at the end"), _remove_punctuation,
        (("10.1136/bmjopen-2015-008737.", "10.1136/bmjopen-2015-008737"), ("10.1000/a(b)c).", "10.1000/a(b)c"), ("10.1000/ab{}", "10.1000/ab")),
        "S15; OpenAPC: 158 of 832 edits; OpenCitations: 316 of 2,927",
    ),
    RepairRule(
        "space", Message("without the white space at the end"), lambda name: name.rstrip(WHITE),
        (("10.1000/ab ", "10.1000/ab"),),
        "E18; OpenAPC: 107 of 832 edits",
    ),
    RepairRule(
        "final-slash", Message("without the slash at the end"), lambda name: name.rstrip("/"),
        (("10.1000/ab/", "10.1000/ab"),),
        "S10",
    ),
    RepairRule(
        "renamed", Message("with the name that the publisher registers for such an address"), publisher_urls.restore_registered_name,
        (
            (
                "10.1093/acrefore/9780190228637.001.0001/acrefore-9780190228637-e-181",
                "10.1093/acrefore/9780190228637.013.181",
            ),
        ),
        publisher_urls.SOURCE,
    ),
    RepairRule(
        "path", Message("without the path that a publisher's address adds"), publisher_endings.strip_endings,
        (("10.3389/fpsyg.2011.00105/full", "10.3389/fpsyg.2011.00105"),),
        "OpenAlex: 208,727 names with /pdf; python-mwcites#7",
    ),
    RepairRule(
        "version", Message("without the version mark"), _remove_version,
        (("10.1101/2021.08.03.454978v1.full.pdf", "10.1101/2021.08.03.454978"),),
        "zotero, HighWire 2.0",
    ),
)  # fmt: skip

CUT = (
    RepairRule(
        "last", Message("without the last character"), _remove_last,
        (("10.1000/ab).", "10.1000/ab)"), ("10.1000/ab-", "10.1000/ab")),
        "OpenCitations: 21 of 2,927 end in other punctuation", together=False,
    ),
    RepairRule(
        "hash", Message("the part before the #"), lambda name: name.partition("#")[0],
        (("10.1080/10407790.2014.992094#abstract", "10.1080/10407790.2014.992094"),),
        "E7; OpenAlex: 48,785 names with #", together=False,
    ),
    RepairRule(
        "query", Message("the part before the ?"), lambda name: name.partition("?")[0],
        (("10.1000/ab?page=3", "10.1000/ab"),),
        "E8; OpenAlex: 120,912 names with a query", together=False,
    ),
)  # fmt: skip
