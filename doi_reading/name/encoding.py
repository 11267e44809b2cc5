"""Encode a name as URL, doi: URI and URN, with one table for each, and explain why (E1-E6, E17, U1, U2, N1-N4)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
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

    Raises ValueError for another form.
    """
    text = str(name)
    if form == "uri" or form == "urn":
        table, label, separator = (IN_URI, "doi:", "/") if form == "uri" else (IN_URN, "urn:doi:", ":")
        prefix, slash, suffix = text.partition("/")
        return f"{label}{apply_table(prefix, table)}{slash and separator}{apply_table(suffix, table)}"
    path = _encode_dot_segments(apply_table(text, IN_URL))
    if form == "url":
        return RESOLVER + path
    if form not in ("path", "which-ra"):
        raise ValueError(f"no form of a name: {form!r}")
    return path.replace(",", COMMA) if form == "which-ra" else path


@dataclass(frozen=True, slots=True)
class EncodedCharacter:
    """One character, or a run of characters that no form encodes. `clauses` are the reasons for an encoding, each once,
    in the order URL, doi: URI, URN, Which RA.

    Joined over a name, `url` follows the resolver's address, `uri` follows `doi:`, `urn` follows `urn:doi:`, and
    `which_ra` is one item of a Which RA request.
    """

    text: str
    url: str
    uri: str
    urn: str
    which_ra: str
    clauses: tuple[str, ...] = ()

    @property
    def stays(self) -> bool:
        """Return whether no form encodes it."""
        return not self.clauses


def explain_encoding(name: str) -> Iterator[EncodedCharacter]:
    """Yield the characters of the name in order. Neighbours that no form encodes are one run (E17)."""
    for stays, characters in groupby(_explain_each(name), lambda one: one.stays):
        if stays:
            run = "".join(one.text for one in characters)
            yield EncodedCharacter(run, run, run, run, run)
        else:
            yield from characters


def _explain_each(name: str) -> Iterator[EncodedCharacter]:
    folded = iter(find_slashes_to_encode(name))
    before_suffix = True
    for character in name:
        if character == "/":
            yield _explain_slash(separates=before_suffix, folds=next(folded))
            before_suffix = False
            continue
        url, uri, urn = (apply_table(character, table) for table in (IN_URL, IN_URI, IN_URN))
        which_ra = COMMA if character == "," else url
        in_url = () if url == character else (_find_clause(character),)
        in_uri = () if uri == character else ("U2",)
        in_urn = () if urn == character else ("N4",)
        in_list = ("E6",) if character == "," else ()
        yield EncodedCharacter(character, url, uri, urn, which_ra, in_url + in_uri + in_urn + in_list)


def _find_clause(character: str) -> str:
    return "E1" if character in MANDATORY else "E2" if character in RECOMMENDED else "E4"


def _explain_slash(*, separates: bool, folds: bool) -> EncodedCharacter:
    url = "%2F" if folds else "/"
    in_url = ("E5",) if folds else ()
    if separates:
        return EncodedCharacter("/", url, "/", ":", url, (*in_url, "N1"))
    return EncodedCharacter("/", url, apply_table("/", IN_URI), apply_table("/", IN_URN), url, (*in_url, "U2", "N2"))
