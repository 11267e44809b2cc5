"""The names in the path of a request to the DOI proxy (N1-N3, R2, E6, E10, E15).

A path is the raw text that was sent, without any decoding. A raw byte that is not UTF-8 is a surrogate escape in it, as
from `bytes.decode("utf-8", "surrogateescape")`.
"""

import re
from urllib.parse import unquote_to_bytes

LABEL = "urn:(?:doi|hdl|eidr):|(?:doi|hdl):|info:(?:doi|hdl)/"
"""A pattern, in any case: the labels before a name in a path."""
PREFIX = r"[0-9]+(?:\.[0-9A-Za-z_-]+)*"
"""A pattern: the prefix of a handle, such as `10.1000`, `10`, `20.500.12592`, `0.NA` or `10.SERV`."""
_LABEL = re.compile(LABEL, re.IGNORECASE)
_COLON_FOR_SLASH = re.compile("([^/:]+):")


def decode_path(raw: str) -> str | None:
    """Percent-decode the text once (E10). Return None if the bytes are not UTF-8 (E15)."""
    try:
        return unquote_to_bytes(raw.encode("utf-8", "surrogateescape")).decode("utf-8")
    except UnicodeError:
        return None


def find_name_in_path(raw: str) -> str | None:
    """Return the name that a path asks for: `/urn:doi:10.123:456` → `10.123/456` (N1-N3).

    Slashes at the start are dropped, then a label: `doi:`, `info:doi/`, `urn:doi:`, the same with `hdl`, or `urn:eidr:`
    (LABEL). After one with `urn:` a colon may replace the first slash. The name may be empty. None if the bytes are not
    UTF-8 (E15).
    """
    text = decode_path(raw)
    if text is None:
        return None
    name = text.lstrip("/")
    match = _LABEL.match(name)
    if match is None:
        return name
    name = name[match.end() :]
    if not match.group().lower().startswith("urn:"):
        return name
    colon = _COLON_FOR_SLASH.match(name)
    return f"{colon[1]}/{name[colon.end() :]}" if colon else name


def parse_which_ra_list(raw: str) -> list[str]:
    """Return the names of a Which RA request: split at raw commas, then each decoded once, so `%2C` is part of a name
    (R2, E6).

    Empty and repeated names keep their place. A name that is not UTF-8 stays undecoded, and so is not a DOI.
    """
    decoded = ((part, decode_path(part)) for part in raw.split(","))
    return [part.encode("utf-8", "replace").decode("utf-8") if name is None else name for part, name in decoded]
