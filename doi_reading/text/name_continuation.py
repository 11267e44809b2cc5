"""Decide whether the text after white space may belong to the name before it (E18)."""

import re

OTHER = re.compile(r"https?:|www\.|doi|10\.[0-9]{2,9}[./]", re.IGNORECASE)
"""Another DOI or address begins."""
_NO_PART = re.compile(
    r"\W*\Z|\[[0-9]{1,3}\][.,;:]?\Z|[(\[](?:19|20)[0-9]{2}[a-z]?[)\]][.,;:]?\Z|[(\[][A-Za-z]|\w+:\Z|pmid|pmc[0-9]",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:18|19|20)[0-9]{2}[a-z]?[.,;:]?")
WORDS = frozenset(
    """
    a abstract accessed an and available doi et for free from full has have html in is it of on online open or page
    pages pdf published retrieved see that the this to und url view was were with
    """.split()
)
"""Common words that are never a part of a divided name."""


def may_continue_name(head: str, rest: str) -> bool:
    """Return whether `rest` may continue `head`: one word, or a few that look more like a name than a sentence."""
    if OTHER.search(rest):
        return False
    words = rest.split()
    if "/" not in head and len(words) == 2 and words[0] == "/":
        return True  # "10.1000 / 182"
    if not words or _NO_PART.match(words[0]) or words[0].strip(".,;:()").lower() in WORDS:
        return False
    if len(words) == 1:
        return not (head.endswith((",", ";")) and _YEAR.fullmatch(words[0]))  # "10.5194/acp-10-1-2010, 2010"
    if head.endswith("/") and head.count("/") == 1 and not any(map(str.isdigit, words[0])):
        return looks_spaced_out(words)  # "10.1080/ Taylor & Francis" is a prefix and its owner
    if head.endswith(("/", "-", "_", "(")):
        return True
    return looks_spaced_out(words)


def looks_spaced_out(words: list[str]) -> bool:
    """Return whether the words look more like the pieces of a name than like a sentence."""
    return len(words) <= 6 and not any(word.strip(".,;:()").isalpha() and len(word) > 1 for word in words)
