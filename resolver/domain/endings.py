"""Where the name ends and the sentence goes on: punctuation, brackets and quotes at the end (S15)."""

PUNCTUATION = ".,;:"
SENTENCE = PUNCTUATION + "!?…"
OPENERS = {"(": ")", "[": "]", "{": "}", "<": ">", "«": "»", "“": "”", "‘": "’", '"': '"', "'": "'"}
_CLOSERS = {closer: opener for opener, closer in OPENERS.items() if opener != closer}
_QUOTES = "\"'"


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
