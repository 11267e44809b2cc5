"""The names in the path of a request to the DOI proxy (N1-N3, R2, E6, E10, E15).

A path is the raw text that was sent, without any decoding. A raw byte that is not UTF-8 is a surrogate escape in it, as
from `bytes.decode("utf-8", "surrogateescape")`.
"""

import re
from urllib.parse import unquote_to_bytes

_SPELLING = re.compile(r"(?:doi:|info:doi/|urn:doi:)", re.IGNORECASE)
_COLON_FOR_SLASH = re.compile(r"(10(?:\.[0-9]+)*):")


def decode_path(raw: str) -> str | None:
    """Percent-decode the text once (E10). Return None if the bytes are not UTF-8 (E15)."""
    try:
        return unquote_to_bytes(raw.encode("utf-8", "surrogateescape")).decode("utf-8")
    except UnicodeError:
        return None


def find_name_in_path(raw: str) -> str | None:
    """Return the name that a path asks for, without the leading slash: `urn:doi:10.123:456` → `10.123/456` (N1-N3).

    A leading `doi:`, `info:doi/` or `urn:doi:` is removed, in upper or lower case. After `urn:doi:` a colon may replace
    the first slash. The name may be empty. None if the bytes are not UTF-8 (E15).
    """
    text = decode_path(raw)
    match = _SPELLING.match(text) if text else None
    if text is None or match is None:
        return text
    name = text[match.end() :]
    if match.group().lower() != "urn:doi:":
        return name
    colon = _COLON_FOR_SLASH.match(name)
    return f"{colon[1]}/{name[colon.end() :]}" if colon else name


def parse_which_ra_list(raw: str) -> list[str]:
    """Return the names of a Which RA request: split at raw commas, then each decoded once, so `%2C` is part of a name
    (R2, E6).

    Empty and repeated names keep their place. A name that is not UTF-8 stays undecoded, and so is not a DOI.
    """
    return [_decode_readable(part) for part in raw.split(",")]


def _decode_readable(part: str) -> str:
    name = decode_path(part)
    return part.encode("utf-8", "replace").decode("utf-8") if name is None else name
