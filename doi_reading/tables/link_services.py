"""Services that rewrite the links in mails and badges, and how to undo it, as data."""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass

URLDEFENSE_END = "__;"
"""https://urldefense.com/v3/__https://doi.org/10.1000/182__;!!x"""
_ONE_SLASH = re.compile(r"(?<=\Ahttp:)/(?!/)|(?<=\Ahttps:)/(?!/)")
_TOKEN = re.compile(r"(?<=\Ahttp:/)\*|(?<=\Ahttps:/)\*|\*\*[A-Za-z0-9_-]|\*")
_LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

Piece = tuple[int, int, str]


def _restore_characters(inner: str, key: str) -> list[Piece]:
    """Return the pieces of an address in which URL Defense wrote a star for a character, or two and a sign for their
    number, and the characters, which are in `key` as Base64. A star without a character stays."""
    try:
        left = base64.urlsafe_b64decode(key[:4000] + "==").decode()
    except ValueError:
        left = ""
    pieces = []
    for token in _TOKEN.finditer(inner):
        number = _LENGTHS.index(token[0][2]) + 2 if len(token[0]) > 1 else 1
        if len(left) < number:
            break
        pieces.append((*token.span(), left[:number]))
        left = left[number:]
    slash = _ONE_SLASH.search(inner)
    at_slash = slash and not (pieces and pieces[0][0] == slash.end() and pieces[0][2] == "/")
    return [(slash.start(), slash.end(), "//"), *pieces] if slash and at_slash else pieces


def _replace_signs(*signs: tuple[str, str]) -> Callable[[str, str], list[Piece]]:
    compiled = [(re.compile(pattern), plain) for pattern, plain in signs]

    def find(inner: str, _key: str) -> list[Piece]:
        found = [(*sign.span(), plain) for pattern, plain in compiled for sign in pattern.finditer(inner)]
        return sorted(found)

    return find


@dataclass(frozen=True, slots=True)
class Redirector:
    """One service. `inner` finds the address or name after the host, and a key if there is one. `restore` returns what
    reverses the rewriting: the pieces of the inner text, in order, and what belongs in their place."""

    host: str
    inner: re.Pattern[str]
    restore: Callable[[str, str], list[Piece]]
    example: tuple[str, str]
    source: str


REDIRECTORS = (
    Redirector(
        "urldefense.proofpoint.com",
        re.compile(r"/v2/url\?(?:[^#]*&)?u=([^&#]*)"),
        _replace_signs(("_", "/"), ("-(?=[0-9A-F]{2})", "%")),
        (
            "https://urldefense.proofpoint.com/v2/url?u=https-3A__doi.org_10.1016_j.ecolind.2021.107419&d=DwMGaQ",
            "10.1016/j.ecolind.2021.107419",
        ),
        "public mails that passed Proofpoint's URL Defense, version 2",
    ),
    *(
        Redirector(
            host,
            re.compile(rf"/v3/__(\S*?)(?:{URLDEFENSE_END}([A-Za-z0-9_-]*)|\Z)", re.IGNORECASE),
            _restore_characters,
            (f"https://{host}/v3/__https:/doi.org/10.1000/1*2__;OA!!x", "10.1000/182"),
            "Proofpoint, URL Defense decoder (version 3). In public mails a program made one slash of two",
        )
        for host in ("urldefense.com", "urldefense.us", "urldefense.proofpoint.com")
    ),
    Redirector(
        "img.shields.io",
        re.compile(r"/badge/[^-/]*-((?:[^-?#]|--)+)-[A-Za-z0-9]+(?:\.svg|\.png)?(?=[?#]|\Z)"),
        _replace_signs(("--", "-"), ("__", "_")),
        ("https://img.shields.io/badge/DOI-10.1007%2F978--3--030--91032--7-purple", "10.1007/978-3-030-91032-7"),
        "badges in public README files",
    ),
    Redirector(
        "zenodo.org",
        re.compile(r"/badge/doi/{1,3}(10\.[^?#]+?)(?:\.svg|\.png)(?=[?#]|\Z)", re.IGNORECASE),
        _replace_signs(),
        ("https://zenodo.org/badge/DOI/10.5281/zenodo.591727.svg", "10.5281/zenodo.591727"),
        "badges in public README files",
    ),
    Redirector(
        "joss.theoj.org",
        re.compile(r"/papers/(10\.[^?#]+?)/status\.svg(?=[?#]|\Z)", re.IGNORECASE),
        _replace_signs(),
        ("https://joss.theoj.org/papers/10.21105/joss.01234/status.svg", "10.21105/joss.01234"),
        "badges in public README files",
    ),
)
