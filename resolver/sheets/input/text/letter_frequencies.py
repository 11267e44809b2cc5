"""The likely encodings of a text that is neither UTF-8 nor UTF-16, by the frequencies of its letters."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

_RUN = re.compile(rb"[\x80-\xff]{3,}")
_CLEAR_SCORE, _CLEAR_LEAD = 0.45, 0.08
_CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґў"
_GREEK = "αοιετσνηυρςπκμλίόάωέδγήθύχφώβξζψϊ"
_HEBREW = "יוהלאתמרבשנדחקפעגכטסזצםןךףץ"
_ARABIC = "اليمونرتبةعدسفهقكحجشطصزخضذثءغئظؤإأآى"
_THAI = "นารกอเงทมยลวดสตะปบคหจแพชขใไโผธซถภศณฐษ่้ิีัุู์"
_LETTERS: Mapping[str, str] = {
    **dict.fromkeys(("cp1251", "koi8-r", "koi8-u", "cp866", "iso8859-5", "mac-cyrillic"), _CYRILLIC),
    **dict.fromkeys(("cp1253", "iso8859-7"), _GREEK),
    "cp1255": _HEBREW,
    "cp1256": _ARABIC,
    "cp874": _THAI,
}
_SIMPLIFIED = "的研究与中国学发展分析和文化基于社会教育一论及其在对理论是不了人有问题方法应用设计系统技术经济管理"
_TRADITIONAL = "的研究與中國學發展分析和文化基於社會教育一論及其在對理論是不了人有問題方法應用設計系統技術經濟管理"
_KOREAN = "이의다에는을가고한하지로기사대구인연관도과학의서시정제자수리대한국적교육문화분석와"
_WORDS: Mapping[str, str] = {"gb18030": _SIMPLIFIED, "big5": _TRADITIONAL, "euc_kr": _KOREAN, "cp949": _KOREAN}
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HAN = re.compile("[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]")
_JAPANESE = ("euc_jp", "shift_jis")


@dataclass(frozen=True, slots=True)
class EncodingGuess:
    """The likely encodings, the best first; `is_clear` if the first may be assumed."""

    likely: tuple[str, ...]
    is_clear: bool


def guess_encoding(raw: bytes) -> EncodingGuess | None:
    """Return the likely encodings of the beginning of a text; None if it may be of a Latin script."""
    beyond = sum(byte > 127 for byte in raw)
    in_runs = sum(map(len, _RUN.findall(raw)))
    if in_runs <= 0.5 * beyond or beyond < 8:  # a Latin script has few runs of such letters; fewer than 8 prove nothing
        return None
    scores = sorted(_iterate_scores(raw), key=lambda each: -each[0])
    best = scores[0] if scores else (0.0, "")
    likely = tuple(codec for _, codec in scores[:6])
    # Two encodings with the same text are no rivals.
    rivals = [score for score, codec in scores[1:] if raw.decode(codec, "replace") != raw.decode(best[1], "replace")]
    return EncodingGuess(likely, best[0] >= _CLEAR_SCORE and best[0] - max(rivals, default=0.0) >= _CLEAR_LEAD)


def _iterate_scores(raw: bytes) -> Iterable[tuple[float, str]]:
    """Yield how well each encoding fits, from 0 to 1, of those in which the text is valid."""
    for codec in (*_LETTERS, *_WORDS, *_JAPANESE):
        try:
            text = raw.decode(codec)
        except UnicodeDecodeError as error:
            if error.end < len(raw) - 4:  # else it was cut within a character
                continue
            text = raw.decode(codec, "ignore")
        beyond = [sign for sign in text if ord(sign) > 127]
        if codec in _LETTERS:
            # The small letters of mac-cyrillic are those of cp1251, but for one, and it is rare.
            rarity = 0.05 if codec == "mac-cyrillic" else 0.0
            yield _score_letters(beyond, text, _LETTERS[codec]) - rarity, codec
        else:
            yield _score_words(beyond, codec), codec


def _score_letters(beyond: list[str], text: str, order: str) -> float:
    """Return how far the letters are the frequent ones of the script; signs, and capitals inside words, are not."""
    ranks = {letter: 1 - place / len(order) for place, letter in enumerate(order)}
    total = sum(ranks.get(sign.lower(), -0.5) for sign in beyond)
    inside = sum(one.islower() and two.isupper() for one, two in pairwise(text) if ord(two) > 127)
    return (total - inside) / len(beyond)


def _score_words(beyond: list[str], codec: str) -> float:
    """Return how far the characters are of the languages of this encoding, which have thousands."""
    plain = [sign for sign in beyond if _HAN.match(sign)]
    valid = len(plain) / len(beyond)
    if codec in _JAPANESE:
        return valid * min(1.0, 3 * sum(bool(_KANA.match(sign)) for sign in plain) / len(beyond))
    return valid * min(1.0, 4 * sum(sign in _WORDS[codec] for sign in plain) / len(beyond))
