"""What is wrong with a name, as it is written and as it reads: one small check for each problem, in a visible order."""

import re
import unicodedata
from collections.abc import Callable

from resolver.domain.name.doi import Doi, NotADoi, is_graphic, is_unassigned
from resolver.domain.name.encoding import TRIPLET, Decoded, percent_encode
from resolver.domain.parsing.located_name import Coding, LocatedName
from resolver.domain.problems.problem import CATALOGUE, Problem, problem
from resolver.domain.text import homoglyphs, repeated_prefix, trailing
from resolver.domain.text.normalization import compose
from resolver.domain.text.source_text import SourceText

_SHOWN = 24  # characters of the text that a message repeats
_MOST = 50  # problems of one code; the last of them covers what is left, so that a huge input stays readable
_QUOTE = re.compile(r'"+')
_TAB = re.compile(r"[\t\v\f]+")
_HASH = re.compile("#+")
_QUESTION_MARK = re.compile(r"\?+")
_RECOMMENDED = re.compile(r"[<>{}^\[\]`|\\+]+")
_ILLEGAL = re.compile(r"[<>{}^\[\]`|\\]+")  # in a doi: URI + is legal (U2)
_TRIPLETS = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_DOTS = re.compile(r"(?:\.|%2e){1,2}\Z", re.IGNORECASE)


LEFTOVER = re.compile(
    r"\ufffd+|_x[0-9a-f]{4}_|\\+"
    r"|</[a-z][^<>:]{0,40}>|<br ?/?>|<(?:a|p|span|div)\b[^<>:]{0,40}>"
    r"|[;?&]jsessionid\b.*|&(?:[a-z]+=|lt|gt|amp)|\[(?:amp|lt|gt)\]"
    r"|[.,;]{0,3}(?<![a-z/])(?:pmid|pmcid|epub\b|https?:|www\.).*"
    r"|/(?:abstract|full|fulltext|pdf|epdf|meta|summary)\Z|\.(?:pdf|html)\Z"
    r"|(?<=[0-9])(?:\(|\.)?(?:accessed|retrieved|available|published)\b.*",
    re.IGNORECASE,
)
"""What stands in many names that do not exist, and in hardly any that does; `repairs` knows how to undo it."""


def invisible_code(characters: str) -> str:
    """Return the problem code of invisible characters: controls have their own (S2, E3)."""
    return "control-character" if unicodedata.category(characters[0]) == "Cc" else "non-graphic"


def show_characters(text: str) -> str:
    """Characters as a person can read them: U+200B rather than nothing; not very many of them."""
    if text.isprintable() and " " not in text:
        return text[:_SHOWN] + ("…" if len(text) > _SHOWN else "")
    words = [c if is_graphic(c) and not c.isspace() else f"U+{ord(c):04X}" for c in dict.fromkeys(text[:10])]
    return " ".join(words) if any(len(word) > 1 for word in words) else text[:10]


def _each(code: str, excerpt: SourceText, spans: list[tuple[int, int]], severity: str | None = None) -> list[Problem]:
    if len(spans) > _MOST:
        spans = [*spans[: _MOST - 1], (spans[_MOST - 1][0], spans[-1][1])]
    return [_told(code, excerpt, start, end, severity) for start, end in spans]


def _told(code: str, excerpt: SourceText, start: int, end: int, severity: str | None) -> Problem:
    text = excerpt.text[start:end]
    details = CATALOGUE[code].details
    words = {"characters": show_characters(text)} if "characters" in details else {}
    if "escaped" in details:
        words["escaped"] = "".join(map(percent_encode, text[:10]))
    if "plain" in details:  # a dash beside a dash is only told apart in quotes
        words = {"characters": f"“{words['characters']}”", "plain": f"“{homoglyphs.replace_homoglyphs(text[:10])}”"}
    first, last = excerpt.span(start, end)
    return problem(code, first, last, severity=severity, **words)


def _matches(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text)]


def _runs(indices: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for index in indices:
        if runs and runs[-1][1] == index:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    return runs


def check_white_space(code: str, excerpt: SourceText, start: int, end: int) -> list[Problem]:
    """White space inside a name: `code`, and for a TAB among it that a name never holds one (S2). A line break is how
    texts are wrapped, and tells nothing of the name."""
    tabs = [(start + at.start(), start + at.end()) for at in _TAB.finditer(excerpt.text[start:end])]
    return [problem(code, *excerpt.span(start, end)), *_each("control-character", excerpt, tabs[:_MOST])]


def check_encoding(found: LocatedName, decoded: Decoded) -> list[Problem]:
    """The faults of the writing: what stands raw, and what cannot be decoded (E1, E2, E4, E5, E11, E12, E15, N2);
    behind doi: what no such URI may hold (U3, U7, U8)."""
    raw, coding = found.raw, found.coding
    text = raw.text
    told: list[Problem] = []
    if found.scheme:
        told += _each("unescaped-hash", raw, _matches(_HASH, text))
        told += _each("unescaped-question-mark", raw, _matches(_QUESTION_MARK, text))
    if coding is Coding.URL or coding is Coding.URN or found.scheme:
        told += _each("unescaped-quote", raw, _matches(_QUOTE, text))
        told += _each("unescaped-recommended", raw, _matches(_ILLEGAL if found.scheme else _RECOMMENDED, text))
        if not text.isascii():
            foreign = [index for index, c in enumerate(text) if c >= "\x80" and is_graphic(c)]
            told += _each("unescaped-non-ascii", raw, _runs(foreign))
    if coding is Coding.URI or coding is Coding.URN:
        first = re.search("[:/]" if coding is Coding.URN else "/", text)
        slashes = [m.start() for m in re.finditer("/", text) if first and m.start() > first.start()]
        told += _each("unescaped-slash", raw, _runs(slashes))
    if "%" in text:
        told += _each("unescaped-percent", raw, [(at, at + 1) for at in decoded.strays])
        told += _each("broken-utf8", raw, list(decoded.broken))
        if coding is Coding.PLAIN:
            triplets = [] if decoded.broken else _matches(_TRIPLETS, text)
            told += _each("percent-in-name", raw, triplets)
    if "/." in text or "/%2" in text:
        told += _each("dot-segment", raw, _dot_segments(text, found))
    return told


def _dot_segments(text: str, found: LocatedName) -> list[tuple[int, int]]:
    parts = text.split("/")
    if found.coding in (Coding.URI, Coding.URN) and len(parts) < 3:
        return []  # a doi: URI has no path to fold, and its own presentation leaves the dots
    spans, at = [], len(parts[0])
    for part in parts[1:]:
        if _DOTS.match(part):
            spans.append((at, at + 1 + len(part)))
        at += 1 + len(part)
    return spans


def _unprintable(name: SourceText) -> list[Problem]:
    if name.text.isprintable():
        return []
    kinds: dict[str, list[int]] = {"control-character": [], "non-graphic": [], "unassigned": []}
    for index, character in enumerate(name.text):
        if character.isprintable():
            continue
        category = unicodedata.category(character)
        if category == "Cc":
            kinds["control-character"].append(index)
        elif not is_graphic(character):
            kinds["non-graphic"].append(index)
        elif is_unassigned(character):
            kinds["unassigned"].append(index)
    return [
        *_each("control-character", name, _runs(kinds["control-character"])),
        *_each("non-graphic", name, _runs(kinds["non-graphic"])),
        *_each("non-graphic", name, _runs(kinds["unassigned"]), severity="warning"),
    ]


def _syntax(name: SourceText, code: str) -> list[Problem]:
    """What keeps the text from being a name (S1-S5), unless invisible characters alone do."""
    if code in ("control-character", "non-graphic"):
        return []
    prefix, slash, _suffix = name.text.partition("/")
    if not prefix.isprintable() and not all(map(is_graphic, prefix)):
        try:
            Doi.parse("".join(filter(is_graphic, name.text)))
        except NotADoi:
            pass
        else:
            return []
    start, end = 0, len(prefix)
    if code == "missing-suffix":
        end = len(prefix) + len(slash)
    elif code == "registrant-code":
        start = min(3, len(prefix) - 1) if prefix[3:] else 0
    else:
        code = "directory-code"
        point = prefix.find(".")
        end = point if point > 0 else max(len(prefix), 1)
    return _each(code, name, [(start, end)])


def _doubled(name: SourceText) -> list[Problem]:
    return _each("double-encoded", name, _matches(TRIPLET, name.text)) if "%" in name.text else []


def _look_alikes(name: SourceText) -> list[Problem]:
    found = homoglyphs.find_homoglyphs(name.text)
    return _each("look-alike", name, _runs([index for index, _ in found])) if found else []


def _normalized(name: SourceText) -> list[Problem]:
    text = name.text
    if unicodedata.is_normalized("NFC", text):
        return []
    normal = compose(text)
    start = next((i for i, (a, b) in enumerate(zip(text, normal, strict=False)) if a != b), len(normal))
    same = next((i for i, (a, b) in enumerate(zip(text[::-1], normal[::-1], strict=False)) if a != b), 0)
    end = max(len(text) - same, start + 1)
    return [problem("not-normalized", *name.span(min(start, len(text) - 1), min(end, len(text))))]


def _ends(name: SourceText) -> list[Problem]:
    text = name.text
    slash = text.find("/")
    if slash < 0 or slash == len(text) - 1:
        return []
    told: list[Problem] = []
    if text[slash + 2 : slash + 3] == "/":
        told += _each("reserved-suffix", name, [(slash + 1, slash + 3)])
    if text.endswith("/"):
        told += _each("trailing-slash", name, [(len(text) - 1, len(text))])
    start = max(trailing.find_punctuation(text), slash + 1)
    if start < len(text):
        told += _each("trailing-punctuation", name, [(start, len(text))])
    return told


def _leftovers(name: SourceText) -> list[Problem]:
    start = name.text.find("/") + 1
    return _each("leftover", name, [match.span() for match in LEFTOVER.finditer(name.text, start)]) if start else []


def _repeated(name: SourceText) -> list[Problem]:
    start = repeated_prefix.find_inner_doi(name.text)
    if start < 0:
        return []
    if repeated_prefix.second_doi(name.text):
        return _each("glued-dois", name, [(name.text.index("10.", start), len(name.text))])
    return _each("repeated-prefix", name, [(start, name.text.find("/", name.text.find("10.", start)) + 1)])


CHECKS: tuple[tuple[str, Callable[[SourceText], list[Problem]]], ...] = (
    ("every character can be seen (S2, E3)", _unprintable),
    ("decoding once is enough (E10)", _doubled),
    ("no character looks like another (S11)", _look_alikes),
    ("a name is mostly in its composed form (S8)", _normalized),
    ("how the suffix begins and ends (S6, S10, S15)", _ends),
    ("nothing was left by a program or a copy", _leftovers),
    ("resolver, label and prefix stand there once", _repeated),
)
"""Run on the decoded name, in this order, after the syntax (S1-S5)."""


def check_syntax(name: SourceText) -> tuple[Doi | None, list[Problem]]:
    """The name, where the text keeps the syntax, and the faults of the name itself."""
    doi, told = None, []
    try:
        doi = Doi.parse(name.text)
    except NotADoi as error:
        told = _syntax(name, error.code)
    for _reason, check in CHECKS:
        told += check(name)
    return doi, told
