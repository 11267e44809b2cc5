"""ANSEL, the Latin letters of MARC-8, as text."""

import unicodedata

_UNKNOWN = "\ufffd"
_ROWS = {0xA1: "ŁØĐÞÆŒʹ·♭®±ƠƯʼ", 0xB0: "ʻłøđþæœʺı£ð\ufffdơư", 0xC0: "°ℓ℗©♯¿¡ß€"}
_LETTERS = {first + at: sign for first, row in _ROWS.items() for at, sign in enumerate(row)}
_MARKS = dict(
    enumerate(
        "\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030c\u030a\ufe20\ufe21\u0315\u030b\u0310"
        "\u0327\u0328\u0323\u0324\u0325\u0333\u0332\u0326\u031c\u032e\ufe22\ufe23\ufffd\ufffd\u0313",
        0xE0,
    )
)


def decode_ansel(raw: bytes) -> str:
    """Return the text. What is no ANSEL, as other scripts of MARC-8, becomes U+FFFD."""
    if raw.isascii() and b"\x1b" not in raw:
        return raw.decode("ascii")
    found: list[str] = []
    waiting = ""  # marks come before their letter
    for byte in raw:
        if byte in _MARKS:
            waiting += _MARKS[byte]
            continue
        letter = chr(byte) if 0x20 <= byte <= 0x7E else _LETTERS.get(byte, _UNKNOWN)
        if waiting and not letter.isalnum():
            letter, waiting = _UNKNOWN + letter, ""
        found.append(letter + waiting)
        waiting = ""
    text = "".join(found) + (_UNKNOWN if waiting else "")
    return unicodedata.normalize("NFC", text)
