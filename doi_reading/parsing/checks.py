"""The problems of a name, as it is written and as it reads: a check for each, in a visible order."""

import re
import unicodedata
from collections.abc import Callable, Iterable

from doi_reading.late_pattern import compile_late
from doi_reading.message import Detail, Message
from doi_reading.name.decoding import TRIPLET, DecodedText
from doi_reading.name.doi import Doi, NotADoi, is_doi, is_graphic, is_unassigned
from doi_reading.name.encoding import percent_encode
from doi_reading.parsing.located_name import Coding, LocatedName
from doi_reading.problems.catalogue import CATALOGUE
from doi_reading.problems.problem import MOST_PROBLEMS, MOST_SHOWN, Problem, make_problem, shorten, show_characters
from doi_reading.tables.resolver_look_alikes import is_mistyped_resolver
from doi_reading.text import homoglyphs, inner_doi, name_end
from doi_reading.text.normalization import compose_nfc
from doi_reading.text.source_text import WHITE, WHITE_RUN, SourceText

_RECOMMENDED = r"[<>{}^\[\]`|\\+]+"
_IN_URL = {"unescaped-quote": compile_late('"+'), "unescaped-recommended": compile_late(_RECOMMENDED)}
_AFTER_SCHEME = {
    "unescaped-hash": compile_late("#+"),
    "unescaped-question-mark": compile_late(r"\?+"),
    "unescaped-quote": compile_late('"+'),
    "unescaped-recommended": compile_late(_RECOMMENDED.replace("+]", "]")),  # + is legal in a doi: URI (U2)
}
_TAB = compile_late(r"[\t\v\f]+")
_FOREIGN = compile_late(r"[^\x00-\x7f]+")
LOOK_BEHIND = 100  # characters before a name in which its address or label is looked for
_LAST_WORD = compile_late(rf"([^{WHITE}]+)([{WHITE}]*)\Z")
_RESOLVER_END = compile_late(r"(?<![a-z0-9-])doi\.org/\Z", re.IGNORECASE)
_ADDRESS_END = compile_late(r"(?:https?://(?:[^/]*/)*|(?<![a-z0-9-])doi\.org/|(?<![a-z])doi[:=]+)\Z", re.IGNORECASE)
_RESOLVER_AND_MORE = compile_late(
    r"(?:https?://)?(?<![a-z0-9.-])(?:(?:(?:dx|www)\.)?doi\.org|hdl\.handle\.net)/(?!(?:/|%2f)*+\Z)"
    r"(?:/|%2f|%20|[?#=&:.~]|(?!hdl:)[a-z_-]{2,24}(?:[/=.:]|%2f|%3d|\Z)){1,8}+\Z"
    r"|(?<![a-z0-9])https?(?:[:;]/{0,3}|/{1,3})(?:(?:www|dx)\.){0,2}\Z",
    re.IGNORECASE,
)
"""The resolver with text that is no name, right before one: `https://doi.org/?10.1000/182`, `https://doi.org/abs/10.1000/182`;
or no resolver: `https://10.1000/182`, `https://www.10.1000/182`. The label `hdl:` works there, as `doi:` does, and more
slashes."""
_S = f"[{WHITE}]{{0,3}}"
_H, _D = f"h{_S}t{_S}t{_S}p{_S}s?", f"d{_S}o{_S}i{_S}\\.{_S}o{_S}r{_S}g"
_HOST = compile_late(r"(?:(?:dx|www)\.)?doi\.org/", re.IGNORECASE)
_RESOLVER_WITH_SPACES = compile_late(
    rf"(?<![a-z0-9-])(?:{_H}{_S}:{_S}/{_S}/{_S})?(?:(?:dx|www){_S}\.{_S})?{_D}{_S}/(?={_S}\Z)",
    re.IGNORECASE,
)
"""`https://doi. org/`, `https: //doi.org/`, `h ttps://doi.org/`, `https://d oi.org/`."""
_MISREAD_SCHEME = compile_late(
    r"(?<![a-z0-9])(?=[0-9|!]{0,7}[a-z])[a-z0-9|!]{2,8}[:;.,]{1,2}[/\\]{1,3}\Z", re.IGNORECASE
)
"""Before the resolver, where no scheme of the web stands: `hftps://doi.org/`."""
_MISREAD_HOST = compile_late(
    r"(?<![a-z0-9.,/-])(?:[a-z0-9|!]{2,8}[:;.,]{1,2}/{1,3})?([a-z0-9.,-]{5,15})/\Z", re.IGNORECASE
)
_LABEL_AND_SPACE = compile_late(rf"doi:?(?=[{WHITE}])", re.IGNORECASE)
"""Behind an intact resolver: `https://doi.org/DOI 10.1000/182`. Without the white space the link works."""
_CATALAN = compile_late("(?<=l)\u00b7(?=l)", re.IGNORECASE)
"""The dot in `col·loqui` is a letter's part, not a full stop in disguise."""
_TRIPLETS = compile_late(r"(?:%[0-9A-Fa-f]{2})+")
_CUT_ESCAPE = compile_late(r"%[0-9A-Fa-f]\Z")
_SLASHES = compile_late("/+")
_DOTS = compile_late(r"(?:\.|%2e){1,2}\Z", re.IGNORECASE)


LEFTOVER = compile_late(
    rf"\ufffd+|_x[0-9a-f]{{4}}_|\\+|(?<![{WHITE}])[{WHITE}]+\Z"
    r"|</[a-z][^<>:]{0,40}>|<br ?/?>|<(?:a|p|span|div)\b[^<>:]{0,40}>"
    r"|[;?&]jsessionid\b.*|&(?:[a-z]+=|lt|gt|amp)|\[(?:amp|lt|gt)\]"
    r"|[.,;]{0,3}(?<![a-z/])(?:pmid|pmcid|epub\b|https?:|www\.).*"
    r"|/(?:abstract|full|fulltext|pdf|epdf|meta|summary)\Z|\.(?:pdf|html)\Z"
    r"|(?<=[0-9])(?:\(|\.)?(?:accessed|retrieved|available|published)\b.*",
    re.IGNORECASE,
)
"""Parts of many names that don't exist, and of hardly any that does. The rules of `repair` undo them."""


def classify_invisible(characters: str) -> str:
    """Return the problem code of invisible characters: controls have their own (S2, E3)."""
    return "control-character" if unicodedata.category(characters[0]) == "Cc" else "non-graphic"


def _build_problems(
    code: str, excerpt: SourceText, spans: Iterable[tuple[int, int]], severity: str | None = None
) -> list[Problem]:
    """Return a problem for each span of the excerpt, with the details that its sentence needs. The last of very many
    covers the rest."""
    spans = list(spans)
    if not spans:
        return []
    if len(spans) > MOST_PROBLEMS:
        spans = [*spans[: MOST_PROBLEMS - 1], (spans[MOST_PROBLEMS - 1][0], spans[-1][1])]
    details = CATALOGUE[code].details
    problems = []
    for start, end in spans:
        text = excerpt.text[start:end]
        escaped = shorten(text, MOST_SHOWN, lambda shown: "".join(map(percent_encode, shown)))
        known = {"characters": show_characters(text), "escaped": escaped}
        words: dict[str, Detail] = {name: detail for name, detail in known.items() if name in details}
        if "pair" in details:
            words["pair"] = Message("{characters} as {escaped}", **known)
        if "plain" in details:  # only quotes show which dash it is
            plain = shorten(text, MOST_SHOWN, homoglyphs.replace_homoglyphs)
            words = {"characters": f"“{words['characters']}”", "plain": f"“{plain}”"}
        first, last = excerpt.span(start, end)
        problems.append(make_problem(code, first, last, severity=severity, several=len(text) > 1, **words))
    return problems


def _find_matches(code: str, excerpt: SourceText, pattern: re.Pattern[str], start: int = 0) -> list[Problem]:
    return _build_problems(code, excerpt, (match.span() for match in pattern.finditer(excerpt.text, start)))


def _group_runs(indices: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for index in indices:
        if runs and runs[-1][1] == index:
            runs[-1] = (runs[-1][0], index + 1)
        else:
            runs.append((index, index + 1))
    return runs


def build_white_space_problems(code: str, excerpt: SourceText, start: int, end: int) -> list[Problem]:
    """Return the problems of white space inside a name: `code`, and one for each TAB (S2). Line breaks have none: they
    are how texts are wrapped."""
    tabs = [(start + at.start(), start + at.end()) for at in _TAB.finditer(excerpt.text[start:end])]
    return [
        make_problem(code, *excerpt.span(start, end)),
        *_build_problems("control-character", excerpt, tabs[:MOST_PROBLEMS]),
    ]


def check_address_before(excerpt: SourceText, start: int) -> list[Problem]:
    """Return the problems of the damaged address or label right before the name at `start`: white space or other text
    in the resolver's address, white space after it, a misread scheme or host, invisible characters and look-alikes (S2,
    S11, E3)."""
    before = excerpt.cut(max(0, start - LOOK_BEHIND), start)
    found = _check_spaces_in_resolver(excerpt, start)
    match = _LAST_WORD.search(before.text)
    if match is None:
        return found
    word, white = before.cut(*match.span(1)), match.span(2)
    visible = homoglyphs.replace_homoglyphs("".join(filter(is_graphic, word.text)))
    apart = white[0] < white[1]
    if not apart and not found:
        found = _check_misread_resolver(excerpt, start, word)
    if not (_RESOLVER_END if apart else _ADDRESS_END).search(visible):
        return found
    after = build_white_space_problems("unescaped-space", before, *white) if apart else []
    alike = _check_look_alikes(word) if "/" in visible else []  # a label is no part of a link
    return [*found, *_check_invisible(word), *alike, *after]


def _check_misread_resolver(excerpt: SourceText, start: int, word: SourceText) -> list[Problem]:
    """Return the problem of the last word before the name at `start`, if it is a resolver and more, or misread."""
    host = _HOST.match(excerpt.text, start)
    if host and (scheme := _MISREAD_SCHEME.search(word.text)):
        first, end = word.span(scheme.start())[0], excerpt.span(start, host.end())[1]
        shown = scheme.group() + host.group()
    elif more := _RESOLVER_AND_MORE.search(word.text):
        (first, end), shown = word.span(more.start()), more.group()
    elif (other := _MISREAD_HOST.search(word.text)) and is_mistyped_resolver(other[1].lower()):
        (first, end), shown = word.span(other.start()), other.group()
        if _HOST.fullmatch(f"{other[1]}/"):
            label = _LABEL_AND_SPACE.match(excerpt.text, start)
            if label is None:
                return []
            end, shown = excerpt.span(start, label.end())[1], shown + label.group()
    else:
        return []
    return [make_problem("damaged-resolver", first, end, characters=shorten(shown))]


def _check_spaces_in_resolver(excerpt: SourceText, start: int) -> list[Problem]:
    """Return the problem of white space in the address of the resolver before the name at `start`, or around it."""
    host = _HOST.match(excerpt.text, start)
    address = excerpt.cut(max(0, start - LOOK_BEHIND), host.end() if host else start)
    found = _RESOLVER_WITH_SPACES.search(address.text)
    if found is None or not WHITE_RUN.search(found.group()):
        return []
    shown = WHITE_RUN.sub(" ", found.group())
    return [make_problem("damaged-resolver", *address.span(*found.span()), characters=shown)]


def check_encoding(located: LocatedName, decoded: DecodedText) -> list[Problem]:
    """Return the problems of a name as written: characters that are not encoded, and what can't be decoded (E1, E2, E4,
    E5, E11, E12, E15, N2); behind `doi:` the characters that no such URI may hold (U3, U7, U8)."""
    raw, coding = located.raw, located.coding
    text = raw.text
    problems: list[Problem] = []
    if coding in (Coding.URL, Coding.URN) or located.scheme:
        for code, pattern in (_AFTER_SCHEME if located.scheme else _IN_URL).items():
            problems += _find_matches(code, raw, pattern)
        foreign = (at for run in _FOREIGN.finditer(text) for at in range(*run.span()) if is_graphic(text[at]))
        problems += _build_problems("unescaped-non-ascii", raw, _group_runs(foreign))
    if coding in (Coding.URI, Coding.URN):
        first = re.search("[:/]" if coding is Coding.URN else "/", text)
        problems += _find_matches("unescaped-slash", raw, _SLASHES, first.end() if first else len(text))
    if "%" in text:
        problems += _build_problems("unescaped-percent", raw, [(at, at + 1) for at in decoded.strays])
        problems += _build_problems("broken-utf8", raw, decoded.broken)
        if coding is not Coding.PLAIN and text.endswith("%"):  # a plain name may hold it
            problems += _build_problems("cut-short", raw, [(len(text) - 1, len(text))])
        if coding is Coding.PLAIN and not decoded.broken:
            problems += _find_matches("percent-in-name", raw, _TRIPLETS)
    if "/." in text or "/%2" in text:
        problems += _build_problems("dot-segment", raw, _find_dot_segments(text, located))
    return problems


def _find_dot_segments(text: str, located: LocatedName) -> list[tuple[int, int]]:
    first, *parts = text.split("/")
    if located.coding in (Coding.URI, Coding.URN) and len(parts) < 2:
        return []  # a doi: URI has no path, and its own presentation keeps the dots
    spans, at = [], len(first)
    for part in parts:
        if _DOTS.match(part):
            spans.append((at, at + 1 + len(part)))
        at += 1 + len(part)
    return spans


def _check_invisible(name: SourceText) -> list[Problem]:
    """No character is invisible; an unassigned code point is a warning (S2, E3)."""
    if name.text.isprintable():
        return []
    controls, others, unassigned = [], [], []
    for index, character in enumerate(name.text):
        if character.isprintable():
            continue
        if unicodedata.category(character) == "Cc":
            controls.append(index)
        elif not is_graphic(character):
            others.append(index)
        elif is_unassigned(character):
            unassigned.append(index)
    return [
        *_build_problems("control-character", name, _group_runs(controls)),
        *_build_problems("non-graphic", name, _group_runs(others)),
        *_build_problems("non-graphic", name, _group_runs(unassigned), severity="warning"),
    ]


def _check_decoded(name: SourceText) -> list[Problem]:
    """Decoding once is enough (E10)."""
    return _find_matches("double-encoded", name, TRIPLET)


def _check_look_alikes(name: SourceText) -> list[Problem]:
    """No character looks like another (S11), but for the middle dot of Catalan."""
    found = homoglyphs.find_homoglyphs(name.text)
    return _build_problems("look-alike", name, _group_runs(at for at, _ in found if not _CATALAN.match(name.text, at)))


def _check_normalized(name: SourceText) -> list[Problem]:
    """The name is in its composed form (S8)."""
    text = name.text
    if unicodedata.is_normalized("NFC", text):
        return []
    normal = compose_nfc(text)
    start = next((i for i, (a, b) in enumerate(zip(text, normal, strict=False)) if a != b), len(normal))
    same = next((i for i, (a, b) in enumerate(zip(text[::-1], normal[::-1], strict=False)) if a != b), 0)
    end = max(len(text) - same, start + 1)
    return [make_problem("not-normalized", *name.span(min(start, len(text) - 1), min(end, len(text))))]


def _check_ends(name: SourceText) -> list[Problem]:
    """The suffix begins and ends as usual (S6, S10, S15)."""
    text = name.text
    slash = text.find("/")
    if slash < 0 or slash == len(text) - 1:
        return []
    problems: list[Problem] = []
    if text[slash + 2 : slash + 3] == "/":
        problems += _build_problems("reserved-suffix", name, [(slash + 1, slash + 3)])
    if text.endswith("/"):
        problems += _build_problems("trailing-slash", name, [(len(text) - 1, len(text))])
    start = max(name_end.find_trailing_punctuation(text), slash + 1)
    if start < len(text):
        problems += _build_problems("trailing-punctuation", name, [(start, len(text))])
    cut = _CUT_ESCAPE.search(text)
    left = cut.start() if cut else name_end.find_final_dots(text)
    if slash + 1 < left < len(text):
        problems += _build_problems("cut-short", name, [(left, len(text))])
    return problems


def _check_leftovers(name: SourceText) -> list[Problem]:
    """No program and no copy left anything in the suffix."""
    start = name.text.find("/") + 1
    return _find_matches("leftover", name, LEFTOVER, start) if start else []


def _check_repetition(name: SourceText) -> list[Problem]:
    """Resolver, label and prefix are there once."""
    text = name.text
    start = inner_doi.find_inner_doi(text)
    if start < 0:
        return []
    inner = text.index("10.", start)
    if inner_doi.find_second_doi(text):
        return _build_problems("glued-dois", name, [(inner, len(text))])
    return _build_problems("repeated-prefix", name, [(start, text.find("/", inner) + 1)])


CHECKS: tuple[Callable[[SourceText], list[Problem]], ...] = (
    _check_invisible,
    _check_decoded,
    _check_look_alikes,
    _check_normalized,
    _check_ends,
    _check_leftovers,
    _check_repetition,
)
"""The checks of a decoded name, in order; the syntax is checked before them (S1-S5)."""


def check_name(name: SourceText) -> tuple[Doi | None, list[Problem]]:
    """Return the name, or None if the text breaks the syntax, and the problems of the name itself."""
    doi, problems = None, []
    try:
        doi = Doi.parse(name.text)
    except NotADoi as error:
        problems = _explain_syntax(name, error.code)
    return doi, [*problems, *(one for check in CHECKS for one in check(name))]


def _explain_syntax(name: SourceText, code: str) -> list[Problem]:
    """Return the problem that keeps the text from being a name (S1-S5); none if only invisible characters do."""
    prefix, slash, _suffix = name.text.partition("/")
    if code in ("control-character", "non-graphic"):
        return []
    if not all(map(is_graphic, prefix)) and is_doi("".join(filter(is_graphic, name.text))):
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
    return _build_problems(code, name, [(start, end)])
