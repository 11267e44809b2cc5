"""The encoding of a text file: BOM, strict UTF-8, UTF-16 by its NUL bytes, else one assumed: by the letters of a script
that is not Latin, else Windows-1252."""

import codecs
import sys
from collections.abc import Iterator
from contextlib import suppress

from doi_reading import Message
from doi_reading.message import join_messages
from resolver.domain.foreign_text import find_codec
from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.sheets.input.text.gzip import Opener
from resolver.sheets.input.text.letter_frequencies import guess_encoding
from resolver.sheets.workbook.rows import MAX_LINE_CHARACTERS
from resolver.sheets.workbook.workbook_archive import READ_BYTES

_SAMPLE_BYTES = 1 << 13  # of lines beyond ASCII, from which an encoding is assumed

_BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16: its BOM begins like UTF-16's
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SHOWN = {"utf-8-sig": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}
# Those that a person can choose. For a text that is neither UTF-8 nor UTF-16, one is only assumed.
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252",
    **{f"cp{number}": f"Windows-{number}" for number in (1250, 1251, *range(1253, 1259))},
    **{f"iso8859-{part}": f"ISO 8859-{part}" for part in range(2, 17) if part != 12},
    "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U",
    **{f"mac-{name}": f"Mac {name.title()}" for name in ("roman", "cyrillic", "greek", "latin2", "turkish", "iceland")},
    **{f"cp{number}": f"DOS (code page {number})" for number in (437, 850, 852, 855, 857, 860, 863, 865, 866)},
    "cp874": "Windows-874 (Thai)",
    "gb18030": "GB 18030",
    "gbk": "GBK",
    "big5": "Big5",
    "big5hkscs": "Big5-HKSCS",
    "shift_jis": "Shift JIS",
    "cp932": "Windows-31J (Shift JIS)",
    "euc_jp": "EUC-JP",
    "iso2022_jp": "ISO-2022-JP",
    "euc_kr": "EUC-KR",
    "cp949": "Windows-949 (Korean)",
}


# As browsers read them: https://encoding.spec.whatwg.org/#names-and-labels
_DECLARED = dict.fromkeys(("utf-8", "utf-16", "utf-16-le", "utf-16-be", "ascii", "iso8859-1"), "")
_DECLARED |= dict.fromkeys(("gb2312", "gbk"), "gb18030")
_UNDECLARED = ("", "binary", "unknown-8bit")  # the last two are words of the program `file` for Windows-1252
_ESCAPES = (b"\x1b$B", b"\x1b$@")  # which begin the characters of ISO-2022-JP, in a text that is ASCII


def label_encoding(encoding: str) -> str:
    """Return its name for people."""
    return ENCODINGS.get(encoding) or _SHOWN.get(encoding) or encoding.upper()


def name_encoding(encoding: str) -> str:
    """Return the word for it in REST: one of ENCODINGS."""
    return next((name for name in ("utf-8", "utf-16") if encoding.startswith(name)), encoding)


def find_declared_codec(charset: str) -> str:
    """Return the codec of a charset for `find_encoding`: "" for UTF-8, UTF-16, parts of Windows-1252, and names that
    say nothing; none of ENCODINGS if the portal can't read it."""
    if charset.lower() in _UNDECLARED:
        return ""
    codec = find_codec(charset) or "unknown"
    return _DECLARED.get(codec, codec)


def find_encoding(
    opened: Opener, most: int | None = None, chosen: str | None = None, declared: str = ""
) -> tuple[str, bool]:
    """Return the codec that reads the file, or its first `most` bytes, or that of the `chosen` encoding; and whether it
    is only assumed. `declared`: the sender's codec of a text that is neither UTF-8 nor UTF-16. Raises UnreadableFile
    with the line at fault; NeedsChoice if another encoding may read it."""
    with opened() as stream:
        head = stream.read(READ_BYTES)
    if not head:
        raise UnreadableFile(Message("The file is empty. Choose another file, or save this one again."))
    marked = next((name for bom, name in _BOMS if head.startswith(bom)), None)
    is_assumed = False
    if chosen:
        encoding = _choose_codec(chosen, head, marked)
    elif marked:
        encoding = marked
    else:
        encoding, is_assumed = _guess(opened, head, most, declared)
    remedy = Message("Choose another encoding.") if chosen else Message("Export the file again as UTF-8.")
    _check(opened, encoding, most, remedy)
    return encoding, is_assumed


def _choose_codec(chosen: str, head: bytes, marked: str | None) -> str:
    if chosen in (marked, "utf-8"):
        return marked if chosen == marked else "utf-8-sig"  # which reads it without a mark too
    if chosen != "utf-16":
        return chosen
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if not even + odd:
        raise NeedsChoice("encoding", Message("The text isn't UTF-16. Choose another encoding."))
    return "utf-16-le" if odd >= even else "utf-16-be"


def _read_texts(opened: Opener, decoder: codecs.IncrementalDecoder, most: int | None) -> Iterator[str]:
    """Yield the text as far as rows can be read: up to a line beyond MAX_LINE_CHARACTERS, or damage of a gzip file.
    The reader of rows stops there too, and reports the line."""
    left = sys.maxsize if most is None else most
    length = 0
    with opened() as stream:
        while True:
            try:
                block = stream.read(min(READ_BYTES, left))
            except UnreadableFile:
                return
            if not block:
                break
            left -= len(block)
            text = decoder.decode(block)
            yield text
            end = max(text.rfind("\n"), text.rfind("\r"))
            length = len(text) - end - 1 if end >= 0 else length + len(text)
            if length > MAX_LINE_CHARACTERS:
                return
    if left:  # else it was cut, perhaps within a character
        yield decoder.decode(b"", final=True)


def _guess(opened: Opener, head: bytes, most: int | None, declared: str) -> tuple[str, bool]:
    if b"\0" in head:
        return _detect_utf16_order(head), False
    if not declared and head.isascii() and any(escape in head for escape in _ESCAPES):
        return "iso2022_jp", True
    good = bad = line = bad_line = 0
    for text in _read_texts(opened, codecs.getincrementaldecoder("utf-8")("replace"), most):
        if not text.isascii():
            broken = text.count("\ufffd")
            if broken and not bad:
                bad_line = line + text[: text.index("\ufffd")].count("\n") + 1
            bad += broken
            good += len(text) - len(text.encode("ascii", "ignore")) - broken
        line += text.count("\n")
    if not bad or _is_strict_utf8(opened, most):
        return "utf-8", False
    # Windows-1252 text forms valid UTF-8 sequences next to never: a file that has both is damaged UTF-8, and reading
    # it as Windows-1252 would garble every accented letter without a word.
    if good >= bad:
        damaged = Message("The UTF-8 text is damaged here. Export the file again as UTF-8.")
        raise NeedsChoice("encoding", damaged, bad_line)
    if declared and declared not in ENCODINGS:
        unread = Message(
            "The file isn't UTF-8, and we can't read the charset in its Content-Type. Choose an encoding: {names}.",
            names=", ".join(ENCODINGS),
        )
        raise NeedsChoice("encoding", unread)
    return (declared, False) if declared else (_assume(opened, most), True)


def _assume(opened: Opener, most: int | None) -> str:
    """Return the codec of a text by its letters. Raises NeedsChoice if these are not Latin, nor clearly others."""
    guess = guess_encoding(_take_beyond_ascii(opened, most))
    if guess is None:
        return "cp1252"
    if guess.is_clear:
        return guess.likely[0]
    unclear = Message(
        "We can't tell the encoding of this text. Choose one. The likely ones: {names}.", names=", ".join(guess.likely)
    )
    raise NeedsChoice("encoding", unclear)


def _take_beyond_ascii(opened: Opener, most: int | None) -> bytes:
    """Return the first lines with bytes beyond ASCII, of the first MAX_LINE_CHARACTERS bytes or `most`."""
    left = min(MAX_LINE_CHARACTERS, sys.maxsize if most is None else most)
    taken = bytearray()
    with opened() as stream, suppress(UnreadableFile):  # damage of a gzip file is reported by the reader of rows
        while left > 0 and len(taken) < _SAMPLE_BYTES and (line := stream.readline(min(READ_BYTES, left))):
            left -= len(line)
            if not line.isascii():
                taken += line
    return bytes(taken[:_SAMPLE_BYTES])


def _is_strict_utf8(opened: Opener, most: int | None) -> bool:
    with suppress(UnicodeDecodeError):
        return all(True for _ in _read_texts(opened, codecs.getincrementaldecoder("utf-8")("strict"), most))
    return False


def _detect_utf16_order(head: bytes) -> str:
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) / 2
    if odd > 0.3 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.3 * half and odd < 0.05 * half:
        return "utf-16-be"
    line = head[: head.index(0)].count(b"\n") + 1
    not_text = Message("The file contains NUL bytes, so it isn't a text file. Save the table as CSV or XLSX.")
    raise UnreadableFile(not_text, line)


def _check(opened: Opener, encoding: str, most: int | None, remedy: Message) -> None:
    line = 1
    try:
        for text in _read_texts(opened, codecs.getincrementaldecoder(encoding)("strict"), most):
            if "\0" in text:
                line += text[: text.index("\0")].count("\n")
                raise UnreadableFile(Message("There is a NUL character. Remove it, or export the table again."), line)
            line += text.count("\n")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode(encoding, "ignore").count("\n")
        invalid = Message("The text isn't valid {encoding}.", encoding=label_encoding(encoding))
        raise NeedsChoice("encoding", join_messages(" ", invalid, remedy), line + before) from error
