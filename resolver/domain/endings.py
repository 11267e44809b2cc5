"""Where the name ends and the sentence goes on: punctuation, brackets and quotes at the end (S15)."""

import unicodedata

PUNCTUATION = ".,;:"
SENTENCE = PUNCTUATION + "!?…。，、；：！？"
OPENERS = {
    "(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "“": "”", "‘": "’", '"': '"', "'": "'", "‹": "›",
    "„": "“",
    "（": "）", "【": "】", "「": "」", "『": "』", "《": "》", "〈": "〉", "〔": "〕", "［": "］",
    "`": "`", "*": "*", "|": "|",
}  # fmt: skip
_CLOSERS = {closer: opener for opener, closer in OPENERS.items() if opener != closer}
_QUOTES = "\"'`"
_STRAY = "\u00c2\u00c3\u00e2\u00ef\u00ff"  # what a wrong encoding leaves of a space, a quote or an end mark
_DEBRIS = "|\\*!?=&~^`$%@+"


def junk(name: str, marks: str = PUNCTUATION) -> int:
    """The index at which trailing punctuation and unpaired brackets or quotes begin; len(name) without any."""
    if not name or name[-1].isalnum():
        return len(name)
    end = len(name)
    counts: dict[str, int] = {}

    def count(character: str) -> int:
        if character not in counts:
            counts[character] = name.count(character)
        return counts[character]

    while end > 0:
        last = name[end - 1]
        if last in _CLOSERS:
            unpaired = count(last) > count(_CLOSERS[last])
        elif last in _QUOTES:
            unpaired = count(last) % 2 == 1
        elif last in OPENERS:
            unpaired = count(last) > count(OPENERS[last])
        else:
            unpaired = last in marks
        if not unpaired:
            break
        if last in counts:
            counts[last] -= 1
        end -= 1
    return end


def debris(name: str) -> int:
    """The index at which whatever cannot well end a name begins: `junk`, signs of all kinds, and the odd letter
    that a wrong encoding left at the end of an ASCII name; len(name) without any."""
    end = len(name)
    while end:
        before = end
        end = junk(name[:end])
        last = name[end - 1 : end]
        odd = last in _STRAY if last.isalnum() else last > "\x7f" and unicodedata.category(last)[0] != "M"
        if last and (last in _DEBRIS or odd):
            end -= 1
        if end == before:
            break
    return end


def unpaired(name: str) -> int:
    """Where the first closing bracket stands that nothing opened, or -1."""
    depths = dict.fromkeys(_CLOSERS.values(), 0)
    for index, character in enumerate(name):
        if character in depths:
            depths[character] += 1
        elif character in _CLOSERS:
            if not depths[_CLOSERS[character]]:
                return index
            depths[_CLOSERS[character]] -= 1
    return -1


def closed_at(text: str, opener: str) -> int:
    """Where the bracket or quote that the text opened just before is closed again; len(text) where it is not."""
    closer = OPENERS[opener]
    depth = 0
    for index, character in enumerate(text):
        if character == closer:
            if depth == 0:
                return index
            depth -= 1
        elif character == opener:
            depth += 1
    return len(text)
