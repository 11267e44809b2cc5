"""The names in the path of a request to the DOI proxy (N1-N3, R2, E6, E10, E15).

Paths come in as they were sent, not yet decoded by anything: a text in which a raw byte that is no UTF-8 is a surrogate
escape, as `bytes.decode("utf-8", "surrogateescape")` writes it.
"""

import re
from urllib.parse import unquote_to_bytes

_SPELLING = re.compile(r"(?:doi:|info:doi/|urn:doi:)", re.IGNORECASE)
_COLON_FOR_SLASH = re.compile(r"(10(?:\.[0-9]+)*):")


def decoded(raw: str) -> str | None:
    """The text behind percent-encoding, decoded once (E10); None when its bytes are no UTF-8 (E15)."""
    try:
        return unquote_to_bytes(raw.encode("utf-8", "surrogateescape")).decode("utf-8")
    except UnicodeError:
        return None


def name_in_path(raw: str) -> str | None:
    """`urn:doi:10.123:456` → `10.123/456`: the name that the path asks for, after its leading slash (N1-N3).

    A leading `doi:`, `info:doi/` or `urn:doi:` is taken off, in any case; after `urn:doi:` a colon may stand for the
    first slash. May be empty. None when the bytes are no UTF-8 (E15).
    """
    text = decoded(raw)
    match = _SPELLING.match(text) if text else None
    if text is None or match is None:
        return text
    name = text[match.end() :]
    if match.group().lower() != "urn:doi:":
        return name
    colon = _COLON_FOR_SLASH.match(name)
    return f"{colon[1]}/{name[colon.end() :]}" if colon else name


def names_in_list(raw: str) -> list[str]:
    """The names of a Which RA request: split at raw commas, then each decoded once, so that `%2C` is part of a name
    (R2, E6). Empty and repeated ones keep their place. One that is no UTF-8 stays as it was written, and is no DOI.
    """
    return [_readable(part) for part in raw.split(",")]


def _readable(part: str) -> str:
    name = decoded(part)
    return part.encode("utf-8", "replace").decode("utf-8") if name is None else name
