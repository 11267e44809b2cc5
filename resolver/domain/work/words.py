"""The words of a title or a name, without what people and programs write differently: markup, LaTeX, case, marks,
hyphens and punctuation."""

import re
import unicodedata
from functools import lru_cache

from resolver.domain.work.markup import strip_markup

LONGEST_TEXT_CHARACTERS = 2000  # that is read of a title or a list of names; the rest isn't compared

_LETTERS = str.maketrans(
    {
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i",
        "ŋ": "n", "ĸ": "k", "ſ": "s", "&": " and ",
    }
)  # fmt: skip
"""Letters that NFKD leaves whole. Case is folded before."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
# Apostrophes and hyphens join what they stand between; every other sign parts it.
_JOINING = re.compile(r"['’‘`´ʼ′‐‑\-‒–­]|(?<=[^\W\d_])\.(?=[^\W\d_]\b)")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_LATEX_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å",
    "AA": "Å", "i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ", "mu": "μ", "pi": "π",
    "sigma": "σ", "omega": "ω",
}  # fmt: skip
_LATEX_ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "b": "\u0331",
    "d": "\u0323",
}  # fmt: skip
_LATEX = re.compile(
    r"""\\(?:
        (?P<sign>[`'^~"=.])\s{0,3}\{?\s{0,3}(?P<marked>\\[ij]|[^\W\d_])\}?
        | (?P<letter>[uvHckrbd])(?:\s{1,3}|\{\s{0,3})(?P<below>\\[ij]|[^\W\d_])\}?
        | (?P<command>[A-Za-z]{1,30})\s{0,3}
        | (?P<escaped>[^A-Za-z])
    )""",
    re.VERBOSE,
)


@lru_cache(maxsize=4096)
def split_words(text: str) -> tuple[str, ...]:
    """Return the words of the text in lower case, without marks: `Über-{\\"O}l <i>x</i>` has `uberol` and `x`. A letter
    of Chinese, Japanese or Korean is a word of its own. Only the first 2,000 characters are read."""
    return tuple(_WORD.findall(fold_text(text)))


def find_words(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of the text, as `split_words` does, and for each what stands before it in the folded text."""
    folded, words, signs, end = fold_text(text), [], [], 0
    for found in _WORD.finditer(folded):
        signs.append(folded[end : found.start()])
        words.append(found.group())
        end = found.end()
    return tuple(words), tuple(signs)


def fold_text(text: str) -> str:
    """Return the text in the form in which words are compared, with its spaces and signs."""
    text = decode_markup(text[:LONGEST_TEXT_CHARACTERS]).casefold()
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text.translate(_LETTERS))
        text = "".join(letter for letter in decomposed if not unicodedata.combining(letter)).translate(_LETTERS)
    elif "&" in text:
        text = text.translate(_LETTERS)
    return _JOINING.sub("", text)


def decode_markup(text: str) -> str:
    """Return the text without tags, entities and LaTeX."""
    if "<" in text or "&" in text:
        text = strip_markup(text)
    return decode_latex(text) if "\\" in text or "{" in text or "$" in text else text


def spell_umlauts(text: str) -> str:
    """Return the text with ä, ö, ü, ø and å written with two letters, as those do who have no such keys."""
    return text.casefold().translate(_UMLAUTS)


def decode_latex(text: str) -> str:
    """Return the text with the letters that LaTeX commands stand for, without braces, dollars and other commands."""
    return re.sub(r"[{}$]", "", _LATEX.sub(_read_command, text))


def _read_command(found: re.Match[str]) -> str:
    accent = found["sign"] or found["letter"]
    if accent:
        letter = (found["marked"] or found["below"])[-1]
        return unicodedata.normalize("NFC", letter + _LATEX_ACCENTS[accent])
    if found["command"]:
        return _LATEX_LETTERS.get(found["command"], " ")
    return " " if found["escaped"] in "\\\n" else found["escaped"]
