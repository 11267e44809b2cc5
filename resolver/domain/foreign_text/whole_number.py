"""Whole numbers in what strangers send: an address, a form, a header, a cell."""


def parse_whole_number(text: str, most: int) -> int | None:
    """Return the number that these digits from 0 to 9 write, and `most` for any larger one: who refuses some asks for
    one more than it allows. None for every other text.

    Python's own `int` reads signs, underscores and the digits of other scripts too, and refuses thousands of digits.
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return most if len(digits) > len(str(most)) else min(int(digits), most)
