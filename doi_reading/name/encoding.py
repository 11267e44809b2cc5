"""Encode a name as URL, doi: URI and URN, with one table for each (clauses E, U and N)."""

from typing import Literal

from doi_reading.name.doi import Doi

MANDATORY = frozenset('%"# ?')
"""Table 1: always encoded in a URL (E1)."""
RECOMMENDED = frozenset("<>{}^[]`|\\+")
"""Table 2: encoded too, because programs treat them differently (E2)."""
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@")
"""Characters that a doi: URI keeps unencoded (U2)."""
RESOLVER = "https://doi.org/"
UNSENDABLE = frozenset({"", ".", ".."})
"""Texts that are not names: URL parsers fold them away, percent-encoded or not (E5)."""

COMMA = "%2C"
"""The encoded comma of a name in a list that commas separate (E6)."""
_PRINTABLE = frozenset(map(chr, range(0x20, 0x7F)))
_KEPT_IN_URL = _PRINTABLE - MANDATORY - RECOMMENDED
_KEPT_IN_URN = _KEPT_IN_URL - {"/"}


def percent_encode(character: str) -> str:
    """Return the character as percent-encoded UTF-8 (E4)."""
    # surrogatepass: a text may hold a lone surrogate, and an error message must not fail on it. A Doi can't hold one.
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


Form = Literal["url", "path", "uri", "urn", "which-ra"]
"""How a name is written."""
Table = dict[int, str]
"""The written form of each byte of a name in UTF-8."""


def _build_table(kept: frozenset[str]) -> Table:
    return {byte: chr(byte) if chr(byte) in kept else f"%{byte:02X}" for byte in range(0x100)}


IN_URL, IN_URI, IN_URN = _build_table(_KEPT_IN_URL), _build_table(UNRESERVED), _build_table(_KEPT_IN_URN)
"""The tables of the three forms; the place of a character makes no difference (E17, U2, N4)."""


def apply_table(text: str, table: Table) -> str:
    """Encode the text with a table, byte by byte: a table of all characters would be endless."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1").translate(table)


def find_slashes_to_encode(path: str) -> list[bool]:
    """Return for each slash of the path whether it must be encoded, because URL parsers would fold away the `.` or `..`
    beside it (E5)."""
    parts = path.split("/")
    last = len(parts) - 1
    return [
        parts[index - 1] in (".", "..") or (index == last and parts[index] in (".", ".."))
        for index in range(1, len(parts))
    ]


def _encode_dot_segments(path: str) -> str:
    """Encode one slash of each `/./` and `/../`, also at the start and the end of the suffix (E5), and in a name
    without a prefix: `../x` → `..%2Fx`."""
    if "/." not in path and not path.startswith("."):
        return path
    first, *rest = path.split("/")
    return first + "".join(
        ("%2F" if fold else "/") + part for fold, part in zip(find_slashes_to_encode(path), rest, strict=True)
    )


def encode(name: Doi | str, form: Form = "url") -> str:
    """Return the name as written in a form, encoded where the form requires it (E17, U2, N4).

    url       `10.1000/456#789` → `https://doi.org/10.1000/456%23789`
    path      the same without the resolver's address (E1-E5)
    uri       `10.6338/JDA/SP` → `doi:10.6338/JDA%2FSP` (U1, U2)
    urn       `10.123/456ABC/zyz` → `urn:doi:10.123:456ABC%2Fzyz` (N2, N4)
    which-ra  one item of a Which RA request, in which commas separate names (E6, R2)
    """
    text = str(name)
    if form == "uri" or form == "urn":
        table, label, separator = (IN_URI, "doi:", "/") if form == "uri" else (IN_URN, "urn:doi:", ":")
        prefix, slash, suffix = text.partition("/")
        return f"{label}{apply_table(prefix, table)}{slash and separator}{apply_table(suffix, table)}"
    path = _encode_dot_segments(apply_table(text, IN_URL))
    if form == "url":
        return RESOLVER + path
    return path.replace(",", COMMA) if form == "which-ra" else path
