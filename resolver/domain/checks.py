"""What is wrong with a name, as it is written and as it reads: one small check for each problem, in a visible order."""

import re
import unicodedata
from collections.abc import Callable, Iterator

from resolver.domain import endings, lookalikes, repetition
from resolver.domain.doi import Doi, NotADoi, is_graphic, is_noncharacter
from resolver.domain.encoding import TRIPLET, Decoded, escaped
from resolver.domain.excerpt import Excerpt
from resolver.domain.forms import Coding, Found
from resolver.domain.problems import Problem, problem

_MOST = 50  # problems of one code; the last of them covers what is left, so that a huge input stays readable
_QUOTE = re.compile(r'"+')
_RECOMMENDED = re.compile(r"[<>{}^\[\]`|\\+]+")
_TRIPLETS = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_DOTS = re.compile(r"(?:\.|%2e){1,2}\Z", re.IGNORECASE)


def shown(text: str) -> str:
    """Characters as a person can read them: U+200B rather than nothing; at most ten of them."""
    words = [c if is_graphic(c) and not c.isspace() else f"U+{ord(c):04X}" for c in dict.fromkeys(text[:10])]
    return " ".join(words) if any(len(word) > 1 for word in words) else text[:10]


def _each(code: str, excerpt: Excerpt, spans: list[tuple[int, int]], severity: str | None = None) -> Iterator[Problem]:
    if len(spans) > _MOST:
        spans = [*spans[: _MOST - 1], (spans[_MOST - 1][0], spans[-1][1])]
    for start, end in spans:
        text = excerpt.text[start:end]
        yield problem(
            code, *excerpt.span(start, end), severity=severity,
            characters=shown(text), escaped="".join(map(escaped, text[:10])), plain=lookalikes.plain(text[:10]),
        )  # fmt: skip


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


def written(found: Found, decoded: Decoded) -> Iterator[Problem]:
    """The faults of the writing: what stands raw, and what cannot be decoded (E1, E2, E4, E5, E11, E12, E15, N2)."""
    raw, coding = found.raw, found.coding
    text = raw.text
    if coding in (Coding.URL, Coding.URN):
        yield from _each("unescaped-quote", raw, _matches(_QUOTE, text))
        yield from _each("unescaped-recommended", raw, _matches(_RECOMMENDED, text))
        if not text.isascii():
            foreign = [index for index, c in enumerate(text) if c >= "\x80" and is_graphic(c)]
            yield from _each("unescaped-non-ascii", raw, _runs(foreign))
    if coding in (Coding.URI, Coding.URN):
        first = re.search("[:/]" if coding is Coding.URN else "/", text)
        slashes = [m.start() for m in re.finditer("/", text) if first and m.start() > first.start()]
        yield from _each("unescaped-slash", raw, _runs(slashes))
    if "%" in text:
        yield from _each("unescaped-percent", raw, [(at, at + 1) for at in decoded.strays])
        yield from _each("broken-utf8", raw, list(decoded.broken))
        if coding is Coding.PLAIN:
            triplets = [] if decoded.broken else _matches(_TRIPLETS, text)
            yield from _each("percent-in-name", raw, triplets)
    if "/." in text or "/%2" in text:
        yield from _each("dot-segment", raw, _dot_segments(text, found))


def _dot_segments(text: str, found: Found) -> list[tuple[int, int]]:
    parts = text.split("/")
    if found.coding in (Coding.URI, Coding.URN) and len(parts) < 3:
        return []  # a doi: URI has no path to fold, and its own presentation leaves the dots
    spans, at = [], len(parts[0])
    for part in parts[1:]:
        if _DOTS.match(part):
            spans.append((at, at + 1 + len(part)))
        at += 1 + len(part)
    return spans


def _unprintable(name: Excerpt) -> Iterator[Problem]:
    kinds: dict[str, list[int]] = {"control-character": [], "non-graphic": [], "unassigned": []}
    for index, character in enumerate(name.text):
        if "\x20" <= character <= "\x7e":
            continue
        category = unicodedata.category(character)
        if category == "Cc":
            kinds["control-character"].append(index)
        elif not is_graphic(character):
            kinds["non-graphic"].append(index)
        elif category == "Cn" and not is_noncharacter(character):
            kinds["unassigned"].append(index)
    yield from _each("control-character", name, _runs(kinds["control-character"]))
    yield from _each("non-graphic", name, _runs(kinds["non-graphic"]))
    yield from _each("non-graphic", name, _runs(kinds["unassigned"]), severity="warning")


def _syntax(name: Excerpt) -> Iterator[Problem]:
    """What keeps the text from being a name (S1-S5), unless invisible characters alone do."""
    try:
        Doi.parse(name.text)
    except NotADoi as error:
        code = error.code
    else:
        return
    prefix, slash, _suffix = name.text.partition("/")
    if code in ("control-character", "non-graphic"):
        return
    if any(not is_graphic(character) for character in prefix):
        try:
            Doi.parse("".join(filter(is_graphic, name.text)))
        except NotADoi:
            pass
        else:
            return
    start, end = 0, len(prefix)
    if code == "missing-suffix":
        end = len(prefix) + len(slash)
    elif code == "registrant-code":
        start = min(3, len(prefix) - 1) if prefix[3:] else 0
    else:
        code = "directory-code"
        end = prefix.find(".") if "." in prefix else len(prefix)
    yield from _each(code, name, [(start, end)])


def _doubled(name: Excerpt) -> Iterator[Problem]:
    yield from _each("double-encoded", name, _matches(TRIPLET, name.text) if "%" in name.text else [])


def _look_alikes(name: Excerpt) -> Iterator[Problem]:
    yield from _each("look-alike", name, _runs([index for index, _ in lookalikes.find(name.text)]))


def _normalized(name: Excerpt) -> Iterator[Problem]:
    text = name.text
    normal = text if text.isascii() else unicodedata.normalize("NFC", text)
    if normal != text:
        start = next((i for i, (a, b) in enumerate(zip(text, normal, strict=False)) if a != b), len(normal))
        same = next((i for i, (a, b) in enumerate(zip(text[::-1], normal[::-1], strict=False)) if a != b), 0)
        end = max(len(text) - same, start + 1)
        yield problem("not-normalized", *name.span(min(start, len(text) - 1), min(end, len(text))))


def _ends(name: Excerpt) -> Iterator[Problem]:
    text = name.text
    slash = text.find("/")
    if slash < 0 or slash == len(text) - 1:
        return
    if text[slash + 2 : slash + 3] == "/":
        yield from _each("reserved-suffix", name, [(slash + 1, slash + 3)])
    if text.endswith("/"):
        yield from _each("trailing-slash", name, [(len(text) - 1, len(text))])
    start = max(endings.junk(text), slash + 1)
    if start < len(text):
        yield from _each("trailing-punctuation", name, [(start, len(text))])


def _repeated(name: Excerpt) -> Iterator[Problem]:
    start = repetition.inner(name.text)
    if start >= 0:
        yield from _each("repeated-prefix", name, [(start, name.text.find("/", name.text.find("10.", start)) + 1)])


CHECKS: tuple[tuple[str, Callable[[Excerpt], Iterator[Problem]]], ...] = (
    ("a name keeps S1 to S5", _syntax),
    ("every character can be seen (S2, E3)", _unprintable),
    ("decoding once is enough (E10)", _doubled),
    ("no character looks like another (S11)", _look_alikes),
    ("a name is mostly in its composed form (S8)", _normalized),
    ("how the suffix begins and ends (S6, S10, S15)", _ends),
    ("resolver, label and prefix stand there once", _repeated),
)
"""Run on the decoded name, in this order."""


def read_as(name: Excerpt) -> list[Problem]:
    """The faults of the name itself."""
    return [told for _reason, check in CHECKS for told in check(name)]
