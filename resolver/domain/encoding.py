"""Presentations of a name, and decoding, once (spec.md, sections E, U and N): one table for each presentation."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from resolver.domain.doi import Doi

MANDATORY = frozenset('%"# ?')
"""Table 1: always encoded in a URL (E1)."""
RECOMMENDED = frozenset("<>{}^[]`|\\+")
"""Table 2: encoded too, since programs differ in what they do with them (E2)."""
UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@")
"""What the doi: URI leaves as it is (U2)."""
RESOLVER = "https://doi.org/"
UNSENDABLE = frozenset({"", ".", ".."})
"""No names: what nobody can write in a URL, since whoever reads it folds it away, percent-encoded or not (E5)."""

COMMA = "%2C"
"""What a comma of a name becomes where commas separate names (E6)."""

TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")
_TRIPLETS = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_PRINTABLE = frozenset(map(chr, range(0x20, 0x7F)))
_KEPT_IN_URL = _PRINTABLE - MANDATORY - RECOMMENDED
_KEPT_IN_URN = _KEPT_IN_URL - {"/"}


def escaped(character: str) -> str:
    """The character as percent-encoded UTF-8 (E4)."""
    # surrogatepass: a plain text may hold a lone surrogate, a Doi cannot; an error message must not fail on it.
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


class _Table(dict[int, str]):
    """For str.translate: what is not in `kept` is encoded; each character is worked out once."""

    def __init__(self, kept: frozenset[str]) -> None:
        super().__init__({ord(character): character for character in kept})

    def __missing__(self, code: int) -> str:
        text = escaped(chr(code))
        if code < 0x100:  # bounded: a stranger's text must not grow the table without end
            self[code] = text
        return text


IN_URL, IN_URI, IN_URN = _Table(_KEPT_IN_URL), _Table(UNRESERVED), _Table(_KEPT_IN_URN)
"""How each character is written in a presentation, wherever it stands (E17, U2, N4)."""


def folding(path: str) -> list[bool]:
    """For each slash of the path, whether it is to be encoded, since whoever reads a URL would fold away the `.` or
    `..` beside it (E5)."""
    parts = path.split("/")
    last = len(parts) - 1
    return [
        parts[index - 1] in (".", "..") or (index == last and parts[index] in (".", ".."))
        for index in range(1, len(parts))
    ]


def _without_dot_segments(path: str) -> str:
    """`/./` and `/../` with one slash encoded, at the start and the end of the suffix too (E5), and of a name without a
    prefix: `../x` → `..%2Fx`."""
    if "/." not in path and not path.startswith("."):
        return path
    first, *rest = path.split("/")
    return first + "".join(("%2F" if fold else "/") + part for fold, part in zip(folding(path), rest, strict=True))


def url_path(name: Doi | str) -> str:
    """The name as it stands in a URL after the resolver's address (E1-E5, E17)."""
    return _without_dot_segments(str(name).translate(IN_URL))


def to_url(name: Doi | str) -> str:
    """`10.1000/456#789` → `https://doi.org/10.1000/456%23789` (E17)."""
    return RESOLVER + url_path(name)


def to_uri(name: Doi | str) -> str:
    """`10.6338/JDA/SP` → `doi:10.6338/JDA%2FSP` (U1, U2)."""
    prefix, slash, suffix = str(name).partition("/")
    return f"doi:{prefix.translate(IN_URI)}{slash}{suffix.translate(IN_URI)}"


def to_urn(name: Doi | str) -> str:
    """`10.123/456ABC/zyz` → `urn:doi:10.123:456ABC%2Fzyz` (N2, N4)."""
    prefix, slash, suffix = str(name).partition("/")
    return f"urn:doi:{prefix.translate(IN_URN)}{':' if slash else ''}{suffix.translate(IN_URN)}"


def which_ra_item(name: Doi | str) -> str:
    """The name as one item of a Which RA request, where a comma separates (E6, R2)."""
    return url_path(name).replace(",", COMMA)


@dataclass(slots=True)
class Decoded:
    """A text decoded once. `strays`: where a % stands that starts no triplet (E12). `broken`: bytes that are no
    UTF-8, as spans of the given text (E15). `places`: for each character of `text`, its span in the given text."""

    text: str
    strays: tuple[int, ...] = ()
    broken: tuple[tuple[int, int], ...] = ()
    places: tuple[tuple[int, int], ...] | None = None


def _bytes(triplets: str) -> bytes:
    return bytes.fromhex(triplets.replace("%", ""))


def _length(lead: int) -> int:
    return 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _run(triplets: str, at: int, broken: Callable[[int, int], None]) -> list[tuple[str, int, int]]:
    """The characters of one run of triplets that begins at `at`, each with its span."""
    data = _bytes(triplets)
    found: list[tuple[str, int, int]] = []
    done = 0
    while done < len(data):
        size = _length(data[done])
        try:
            character = data[done : done + size].decode("utf-8")
        except UnicodeDecodeError as error:
            size = max(1, error.end - error.start)
            broken(at + 3 * done, at + 3 * (done + size))
            character = "\N{REPLACEMENT CHARACTER}"
        found.append((character, at + 3 * done, at + 3 * (done + size)))
        done += size
    return found


def decode_once(text: str) -> Decoded:
    """Percent-decode `text` a single time: `%2523` becomes `%23` (E10, E12, E13, E15)."""
    if "%" not in text:
        return Decoded(text)
    characters: list[tuple[str, int, int]] = []
    strays: list[int] = []
    broken: list[tuple[int, int]] = []
    done = 0

    def raw(end: int) -> None:
        for index in range(done, end):
            characters.append((text[index], index, index + 1))
            if text[index] == "%":
                strays.append(index)

    for match in _TRIPLETS.finditer(text):
        raw(match.start())
        characters += _run(match.group(), match.start(), lambda start, end: broken.append((start, end)))
        done = match.end()
    raw(len(text))
    return Decoded(
        "".join(character for character, _, _ in characters),
        tuple(strays),
        tuple(broken),
        tuple((start, end) for _, start, end in characters),
    )
