"""Decode a percent-encoded text once, with the place of each character in the original text (E10-E15)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")
_TRIPLETS_OR_TEXT = re.compile(r"(?P<triplets>(?:%[0-9A-Fa-f]{2})+)|%|[^%]+")


@dataclass(slots=True)
class DecodedText:
    """A text decoded once.

    `strays`: the places of each % that starts no triplet (E12). `broken`: the spans in the original text whose bytes
    are not UTF-8 (E15). `starts` and `ends`: the place of each character of `text` in the original text; None if
    nothing was decoded.
    """

    text: str
    strays: tuple[int, ...] = ()
    broken: tuple[tuple[int, int], ...] = ()
    starts: Sequence[int] | None = None
    ends: Sequence[int] | None = None


def decode_once(text: str) -> DecodedText:
    """Percent-decode `text` once: `%2523` becomes `%23` (E10, E12, E13, E15)."""
    if "%" not in text:
        return DecodedText(text)
    texts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    strays: list[int] = []
    broken: list[tuple[int, int]] = []
    for match in _TRIPLETS_OR_TEXT.finditer(text):
        piece, at, width = match.group(), match.start(), 1
        if match.lastgroup:
            data = bytes.fromhex(piece.replace("%", ""))
            if not data.isascii():
                for character, size in _split_characters(data):
                    texts.append(character or "\N{REPLACEMENT CHARACTER}")
                    starts.append(at)
                    at += 3 * size
                    ends.append(at)
                    if not character:
                        broken.append((starts[-1], at))
                continue
            piece, width = data.decode("ascii"), 3
        elif piece == "%":
            strays.append(at)
        texts.append(piece)
        starts.extend(range(at, match.end(), width))
        ends.extend(range(at + width, match.end() + width, width))
    return DecodedText("".join(texts), tuple(strays), tuple(broken), starts, ends)


def _split_characters(data: bytes) -> Iterator[tuple[str, int]]:
    """Yield each character with its number of bytes; "" for bytes that are not UTF-8."""
    done = 0
    while done < len(data):
        lead = data[done]
        size = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        try:
            yield data[done : done + size].decode("utf-8"), size
        except UnicodeDecodeError as error:
            size = max(1, error.end - error.start)
            yield "", size
        done += size
