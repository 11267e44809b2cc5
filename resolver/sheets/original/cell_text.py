"""The new text of a cell that holds a DOI, for the name that was accepted in its place."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from doi_reading import LONGEST_TEXT, Message, Reading, encode, find_all, find_parts, fold, read
from resolver.sheets.bibliographic.notes import BESIDE, RESOLVER, SEVERAL, find_in_note
from resolver.sheets.bibliographic.places import READ_OTHERWISE, SEVERAL_CODES, TOO_LONG, ensure_nothing_lost
from resolver.sheets.left_out import NotWritable

_LINK = re.compile(rf"[\W_]*(?:doi\W{{1,4}})?(?:h?ttps?\b|www\.|//|{RESOLVER})", re.IGNORECASE)
_RESOLVER_LINK = re.compile(rf"\W*{RESOLVER}", re.IGNORECASE)
_HANDLE = re.compile(r"\W*(?:https?://)?hdl\.handle\.net/(?!10\.)", re.IGNORECASE)
_LABEL = re.compile(r"(?:dois?|dx|www|org|ur[li]|https?|number|name|link)+\Z")
_SIGNS = re.compile(r"[\W_]+")
_BETWEEN_WORDS = re.compile(r"[\s;,|]+")
_BETWEEN_LINKS = re.compile(r"\s+|[;,|]+(?=[a-z]{1,10}://)")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_DOI_LIKE = re.compile(r"10\.[0-9]{2}")
_REPOSITORY_LINK = Message("The cell has the handle of a repository and no DOI. Change it by hand.")


def build_cell_text(text: str, names: Sequence[tuple[str, str]], *, is_split: bool) -> str:
    """Return the new text of a table's cell for the accepted names, each with the text that was read there. A link
    becomes a link to the DOI, and any other text the plain name. Text beside the DOI stays, as do the other DOIs of a
    cell whose DOIs have rows of their own (`is_split`). Raises NotWritable."""
    if len(text) > LONGEST_TEXT:
        raise NotWritable(TOO_LONG)
    if not is_split or (len(names) == 1 and names[0][0] == text):
        ((_, name),) = names
        new, wanted = _build(text, name), [name]
    else:
        new, wanted = _build_parts(text, {fold_text(part): name for part, name in names})
    if not _reads_as(new, wanted, is_split=is_split):
        raise NotWritable(READ_OTHERWISE)
    return new


def _build_parts(text: str, names: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the text with the names in place of the parts that mean their keys, and the names that it then holds."""
    pieces, wanted, at = list[str](), list[str](), 0
    left = set(names)
    for start, end in find_parts(text):
        part = text[start:end]
        key = fold_text(part)
        pieces.append(text[at:start])
        if key in names:
            pieces.append(_build(part, names[key]))
            left.discard(key)
        else:
            pieces.append(part)
        wanted += [names[key]] if key in names else [str(one.doi) for one in find_all(part) if one.doi]
        at = end
    if left:
        raise NotWritable(BESIDE)
    return "".join([*pieces, text[at:]]), wanted


def fold_text(text: str) -> str:
    """Return the key of a part: the name that it means, so that each repetition is found, else its text."""
    reading = read(text)
    return fold(str(reading.doi)) if reading.doi else text.strip()


def _build(text: str, name: str) -> str:
    reading = read(text)
    if not {each.code for each in reading.problems}.isdisjoint(SEVERAL_CODES) or reading.others:
        raise NotWritable(SEVERAL)
    if _HANDLE.match(text):
        raise NotWritable(_REPOSITORY_LINK)
    if (reading.form != "none" or _DOI_LIKE.search(text)) and _has_other_words(text, reading, name):
        return _build_beside(text, name)
    if _RESOLVER_LINK.match(text):
        ensure_nothing_lost(text, name)
    return _write(text, name)


def _write(text: str, name: str) -> str:
    return encode(name) if _LINK.match(text) else name


def _build_beside(text: str, name: str) -> str:
    """Return the text with the name in place of its one DOI, if it is clear where that begins and ends."""
    found = find_in_note(text)
    if len(found) != 1 or found[0].reason:
        raise NotWritable(next((each.reason for each in found if each.reason), BESIDE))
    start, end = found[0].start, found[0].end
    present, after = text[start:end], text[end:]
    if _RESOLVER_LINK.match(present):
        ensure_nothing_lost(present, name)
    new, old = _squeeze(name), _squeeze(str(read(present).doi or present))
    following = next(filter(None, map(_squeeze, after.split())), "")
    if following and following in new and following not in old:
        raise NotWritable(BESIDE)  # the DOI goes on there
    return text[:start] + _write(present, name) + after


def _has_other_words(text: str, reading: Reading, name: str) -> bool:
    """Return whether the text has more than the DOI, in whatever form, with labels and signs around it."""
    known = _squeeze(name)
    is_link = _LINK.match(text)
    words = (_BETWEEN_LINKS if is_link else _BETWEEN_WORDS).split(text)
    if len(words) == 1:  # the DOI, with damage perhaps
        words = [] if reading.doi or is_link else _LONG_WORD.findall(text.partition("/")[0])
    beside = (text[each.start : each.end] for each in reading.problems if each.code == "surrounding-text")
    return not all(_belongs(word, known) for word in (*words, *beside))


def _belongs(word: str, known: str) -> bool:
    plain = _squeeze(word)
    return plain in known or bool(_LABEL.match(plain)) or known in plain or bool(_DOI_LIKE.search(word))


def _squeeze(text: str) -> str:
    """Return letters and digits in lower case, without percent-encoding."""
    return _SIGNS.sub("", unquote(text).casefold())


def _reads_as(text: str, names: Sequence[str], *, is_split: bool) -> bool:
    """Return whether the text means these names and no others."""
    readings: Sequence[Reading] = find_all(text) if is_split else [read(text)]
    if not is_split and readings[0].others:
        return False
    found = {fold(str(each.doi)) for each in readings if each.doi}
    return found == set(map(fold, names))
