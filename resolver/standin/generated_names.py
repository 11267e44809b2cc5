"""Names made up on demand under the test prefix 10.5555.

Any name 10.5555/<suffix> resolves to https://example.org/landing/<suffix>, unless the suffix
holds one of these words, set off by anything that is no letter or digit (10.5555/missing-1,
10.5555/a.slow.b). The first such word counts.

  missing    does not exist (response code 100; Which RA: DOI does not exist); so does a word that
             begins with it (10.5555/missing1), if no other word counts
  novalues   exists without values (response code 200)
  nourl      a record without a URL
  error      response code 2, HTTP 500
  html       an HTML page instead of data, HTTP 200
  garbage    bytes that are no JSON, HTTP 200
  slow       the ordinary record, after 2 seconds
  reset      the connection is reset
  busy       HTTP 503
  limit      HTTP 429 with Retry-After: 1
  forbidden  HTTP 403 and an HTML page
  wrongname  the record of another name
  alias      HS_ALIAS to the same suffix with "target" in place of "alias"
  loop       an alias of the same suffix with "pool", which is an alias back ("pool" likewise)
  unsafe     a javascript: URL
  deleted    Crossref's page for deleted DOIs
  itself     a URL value that is the name's own link at doi.org
  nowhere    one that is the link of the same suffix with "missing" in place of "nowhere"
  localhost  one at localhost
  halved     one that begins with http://http://
  sandbox    one at sandbox.zenodo.org
  two        two URL values
  loc        a 10320/loc value and no URL value
  country    the locations of the Handbook's example: uk.example.com for GB, else www1 or www2; the
             request's header CF-IPCountry gives the country
  badloc     a 10320/loc value that is no XML, and a URL value
  bombloc    a 10320/loc value with a DOCTYPE and entities, and a URL value
  conneg     a location for content negotiation only, and a URL value
  crlf       a URL value with a line break and a header in it
  formats    values of every format, known and unknown, an absolute time to live, and a URL value
  unknownwork  the agency has no metadata for it (HTTP 406)
  oddwork    metadata with markup, lists and a year in words, of a dataset without a person as author
  chain1     an alias likewise; "chain2" is one of the suffix with chain1, "chain3" of that with chain2,
             and so on up to "chain21"

With the word "once" beside error, html, garbage, slow, reset, busy, limit, forbidden or wrongname,
only the first request for the name fails so. Which RA answers for every word, and names Crossref for
all but missing. No record stands under the prefix 10.5556, which has no agency.

Besides: 10.123/456 is the Handbook's example, 10.5237/sample-party and 10.5237/sample-with-url have the
locations of their prefix. A request whose Accept prefers anything to a page is sent to the agency, one for CSL JSON to
made-up metadata at this proxy: for names of Crossref and DataCite; those of OP have none, as have all other agencies.

20,000 sample works have titles, authors and journals, and can be searched for: 10.5555/sample-work-00000 and on, and
data sets, 10.5072/sample-data-00003 and on, whose agency is DataCite. A search whose words hold "fault" and then busy,
limit, garbage, html, forbidden, reset or slow fails so.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from doi_reading import encode, fold

PREFIX = "10.5555"
AGENCY = "Crossref"

_ADDRESSES = {
    "unsafe": "javascript:alert(1)",
    "deleted": "https://www.crossref.org/_deleted-doi/",
    "localhost": "http://localhost:8080/landing",
    "halved": "http://http://example.org/landing",
    "sandbox": "https://sandbox.zenodo.org/records/1",
}
_LINKED = {"itself": "itself", "nowhere": "missing"}
_CHAIN = {f"chain{number}": f"chain{number - 1}" if number > 1 else "target" for number in range(1, 22)}

FAULTS = frozenset({"error", "html", "garbage", "slow", "reset", "busy", "limit", "forbidden", "wrongname"})
WORDS = FAULTS | {
    "missing", "novalues", "nourl", "alias", "loop", "pool", "two", "loc", "country", "badloc",
    "bombloc", "conneg", "crlf", "formats", "unknownwork", "oddwork", *_CHAIN, *_LINKED, *_ADDRESSES,
}  # fmt: skip

_WORD = re.compile(r"[^\W_]+")
_STAMP = "2020-01-01T00:00:00Z"
_ADMIN = {"handle": f"0.NA/{PREFIX}", "index": 200, "permissions": "111111110010"}
_SWAP = {"alias": "target", "loop": "pool", "pool": "loop", **_CHAIN}
_LOCATIONS = {
    "badloc": '<locations><location id="0" href="href="https://example.org/" weight="1" /></locations>',
    "bombloc": '<!DOCTYPE locations [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    '<locations><location id="0" href="https://example.org/&b;" /></locations>',
    "conneg": '<locations><location weight="0" http_role="conneg" '
    'href_template="https://example.org/metadata/{hdl}" /></locations>',
    "country": '<locations>\n<location id="0" href="https://uk.example.com/" country="gb" weight="0" />\n'
    '<location id="1" href="https://www1.example.com/" weight="1" />\n'
    '<location id="2" href="https://www2.example.com/" weight="1" />\n</locations>',
}


def split_suffix(name: str) -> list[str]:
    """Return the words of the suffix, in lower case."""
    return _WORD.findall(fold(name[len(PREFIX) + 1 :]))


def find_behaviour_word(found: list[str]) -> str:
    """Return the word that counts, or '' for an ordinary record."""
    word = next((word for word in found if word in WORDS), "")
    return word or ("missing" if any(one.startswith("missing") for one in found) else "")


def build_handle_value(index: int, kind: str, text: object, format_name: str = "string") -> Mapping[str, Any]:
    """Return a handle value as a record has it (A3, A4)."""
    data = {"format": format_name, "value": text}
    return {"index": index, "type": kind, "data": data, "ttl": 86400, "timestamp": _STAMP}


_FORMATS: tuple[Mapping[str, Any], ...] = (
    {**build_handle_value(2, "EMAIL", "library@example.org"), "ttl": "2030-01-01T00:00:00Z"},
    build_handle_value(3, "#HS_SITE#Denver", "AAECAQABAAIAAAAAAAAAAQ==", "base64"),
    build_handle_value(4, "DESC", "c3a9", "hex"),
    build_handle_value(5, "HS_SITE", {"version": 1, "protocolVersion": "2.1", "servers": [{"serverId": 1}]}, "site"),
    build_handle_value(6, "HS_PUBKEY", {"kty": "DSA", "y": "AQAB"}, "key"),
    {**build_handle_value(7, "NEW", {"nested": [None, 1.5, True]}, "newformat"), "newMember": "kept"},
    build_handle_value(200, "HS_VLIST", [{"handle": "10.cradmin/cruser", "index": 300}], "vlist"),
    build_handle_value(101, "HS_ADMIN", {**_ADMIN, "legacyByteLength": True}, "admin"),
)
_ADMIN_VALUE = build_handle_value(100, "HS_ADMIN", _ADMIN, "admin")


def build_generated_values(name: str, word: str) -> list[Mapping[str, Any]]:
    """Return the values of a made-up name that has some."""
    if word in _SWAP:
        return [_ADMIN_VALUE, build_handle_value(1, "HS_ALIAS", _swap_word(name, word, _SWAP[word]))]
    if word == "nourl":
        return [build_handle_value(1, "DESC", "A record without a URL"), _ADMIN_VALUE]
    if word in _LINKED:
        return [build_handle_value(1, "URL", encode(_swap_word(name, word, _LINKED[word]))), _ADMIN_VALUE]
    if word in _ADDRESSES:
        return [build_handle_value(1, "URL", _ADDRESSES[word]), _ADMIN_VALUE]
    suffix = name.partition("/")[2].encode("utf-8", "surrogateescape")
    url = f"https://example.org/landing/{quote(suffix, safe='')}"
    if word == "crlf":
        return [build_handle_value(1, "URL", url + "\r\nSet-Cookie: crlf=1"), _ADMIN_VALUE]
    if word == "formats":
        return [build_handle_value(1, "URL", url), *_FORMATS, _ADMIN_VALUE]
    if word in _LOCATIONS:
        return [
            build_handle_value(1, "URL", url),
            build_handle_value(1000, "10320/loc", _LOCATIONS[word]),
            _ADMIN_VALUE,
        ]
    if word == "two":  # not in index order, as real answers are not
        return [_ADMIN_VALUE, build_handle_value(2, "URL", url + "?copy=2"), build_handle_value(1, "URL", url)]
    if word == "loc":
        first, second = f'<location id="0" href="{url}" weight="1" />', f'<location id="1" href="{url}?b" weight="0" />'
        return [build_handle_value(1000, "10320/loc", f"<locations>{first}{second}</locations>"), _ADMIN_VALUE]
    return [build_handle_value(1, "URL", url), _ADMIN_VALUE]


def _swap_word(name: str, word: str, other: str) -> str:
    """Return the name with the other word in place of its first `word` (S8: in any case)."""
    suffix = name[len(PREFIX) + 1 :]
    for match in _WORD.finditer(suffix):
        if fold(match.group()) == word:
            return f"{PREFIX}/{suffix[: match.start()]}{other}{suffix[match.end() :]}"
    return name
