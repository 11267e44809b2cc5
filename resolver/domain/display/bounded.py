"""What is too long for a page is cut, and the page says so."""

LONGEST = 2000  # code points of one text: more than any name and nearly any address, and no more than a screen or two


def bounded(text: str, longest: int = LONGEST) -> tuple[str, tuple[str, ...]]:
    """The beginning of the text, and the sentence that says how much is missing; no sentence where nothing is."""
    left_out = len(text) - longest
    if left_out <= 0:
        return text, ()
    return text[:longest], (left_out_sentence(left_out, "character"),)


def left_out_sentence(count: int, noun: str) -> str:
    """`1,234 more characters are not shown.`"""
    return f"{count:,} more {noun}{' is' if count == 1 else 's are'} not shown."
