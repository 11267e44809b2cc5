"""DOIs inside other text, as a person would read them: without the sentence's punctuation and brackets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from doi_reading.message import Message
from doi_reading.name.doi import fold, is_beginning_of, is_doi, is_graphic, is_short_doi
from doi_reading.parsing.candidates import ANOTHER_DOI, Offers, offer_joined
from doi_reading.parsing.checks import build_white_space_problems, check_address_before
from doi_reading.parsing.locate import has_evident_prefix, locate_name
from doi_reading.parsing.located_name import LocatedName
from doi_reading.parsing.name_reading import parse_name_or_short_doi, read_name
from doi_reading.parsing.reading import Reading, deduplicate_names
from doi_reading.parsing.separators import Separators
from doi_reading.problems.problem import MOST_PROBLEMS, Problem, make_problem
from doi_reading.repair.divided_names import LOOK_AHEAD
from doi_reading.repair.safe_cut import is_longer_or_shorter, is_unfinished
from doi_reading.tables.resolver_look_alikes import FAKE_HOSTS
from doi_reading.text import brackets, homoglyphs, name_end
from doi_reading.text.source_text import WHITE, WHITE_RUN, SourceText

_ANCHOR = re.compile(
    r"https?://"
    rf"|(?<![a-z0-9.-])(?:(?:dx\.|www\.)?(?:doi\.org|{'|'.join(map(re.escape, FAKE_HOSTS))})|hdl\.handle\.net)[:/]"
    r"|urn:doi:|info:doi/"
    rf"|(?<![a-z])(?:doi[:={WHITE}]*)+(?![a-z./-])"
    r"|(?:(?<![0-9])(?<![0-9]\.)|(?<=[$\u0192\u2021\u01c2\x1f]0))10(?:\.|%2e)[0-9]{2,9}(?:\.[0-9]{1,9}){0,4}(?:/|%2f)",
    re.IGNORECASE,
)
_COLON = re.compile(r"(?:https?://)?(?:dx\.|www\.)?doi\.org:(?=10\.)", re.IGNORECASE)
_MARKUP = re.compile(
    r"</[A-Za-z]|<br\b|\${1,2}[0-9a-z]doi\b|<p>|-->|\}\}|\|\s?[A-Za-z][A-Za-z0-9_-]{0,40}\s?=|\]\]|(?<!\\)\\[rnt](?=\W|\Z)|[，。；、！？】」》]"
)
"""HTML, a wiki's template, an escape of JSON or the punctuation of Chinese text after the name."""
_SERIAL = re.compile(r"<[0-9]{1,6}:")
"""What may continue the name of an article of a serial (SICI); other angle brackets begin a tag or an address."""
_MOST_ANCHORS = 12  # of one word that lead to no name; these limits keep reading linear
_FEWEST_ANCHORS = 4  # in a long word
_MOST_CHARACTERS = 20_000  # read for all anchors of a word together
_MOST_COMPARED = 50  # mentions that are compared with each other
_BETWEEN = re.compile(rf"[{WHITE};,|]*\Z")


@dataclass(slots=True)
class Mention:
    """One DOI of the text, its place, and its text before punctuation was cut."""

    located: LocatedName
    start: int
    end: int
    uncut: SourceText

    @property
    def after(self) -> SourceText:
        """The punctuation and markup right after it."""
        return self.uncut.cut(self.end - self.start)


def find_mentions(excerpt: SourceText) -> list[Mention]:
    """Return every DOI that the text mentions, in order."""
    return list(iterate_mentions(excerpt))


def iterate_mentions(excerpt: SourceText) -> Iterator[Mention]:
    """Yield every DOI that the text mentions, in order."""
    text = excerpt.text
    closed: dict[int, int] | None = None
    separators = Separators(text)
    at = word_end = failed = 0
    tries = _MOST_ANCHORS
    while match := _ANCHOR.search(text, at):
        start = match.start()
        labelled = match[0][:3].lower() == "doi" and "." not in match[0]
        name_start = match.end() if labelled else start
        if name_start >= word_end:  # measure a word once, however many DOIs are run together in it
            white = WHITE_RUN.search(text, name_start)
            word_end = white.start() if white else len(text)
            failed, tries = 0, max(_FEWEST_ANCHORS, min(_MOST_ANCHORS, _MOST_CHARACTERS // (word_end - start)))
        end = word_end
        if start and text[start - 1] in brackets.OPENERS:
            closed = brackets.match_brackets(text) if closed is None else closed
            end = min(end, closed.get(start - 1, end))
        end = separators.find_next(name_start, end)
        mention = _read_mention(excerpt, start, end)
        if mention is None:
            colon = _COLON.match(text, start)
            at = colon.end() if colon else name_start if labelled else match.end()
            failed += 1
            at = at if failed < tries else end
        else:
            yield mention
            at = mention.end
        at = max(at, start + 1)


def _read_mention(excerpt: SourceText, start: int, end: int) -> Mention | None:
    uncut = excerpt.cut(start, end)
    markup = _MARKUP.search(uncut.text, 1)
    text = uncut.text[: markup.start()] if markup else uncut.text
    cut = name_end.find_sentence_end(text)
    located = locate_name(uncut.cut(0, cut))
    if located is None or not _reads(located):
        return None
    return Mention(located, start, start + cut, uncut)


def _reads(located: LocatedName) -> bool:
    """Return whether it is a name, or would be one without invisible characters. Other damage isn't looked for."""
    text = located.decoded
    if located.form != "name" and is_short_doi(text.rstrip("/")):
        return True
    visible = text if text.isprintable() else "".join(filter(is_graphic, text))
    return is_doi(visible) and (located.form != "name" or has_evident_prefix(text))


def read_mentions(excerpt: SourceText, mentions: list[Mention]) -> Reading:
    """Read a text that mentions DOIs: the first is the name, the others are candidates. A repeated DOI counts once,
    even if it is cut or has look-alikes there."""
    kept = _remove_cut_ones(excerpt, mentions)
    first = read_name(kept[0].located)
    rest = [parse_name_or_short_doi(mention.located) for mention in kept[1:]]
    named = deduplicate_names(first.doi, [str(doi) for doi, _short in rest if doi])
    again = tuple(name for name in named if first.doi and _fold_name(str(first.doi)) == _fold_name(name))
    others = tuple(name for name in named if name not in again)
    surroundings = _find_surroundings(excerpt, mentions)[:MOST_PROBLEMS]
    problems = [*first.problems, *_check_around(excerpt, kept[0], surroundings)]
    twice = again or len(kept) < len(mentions) or (not surroundings and (first.doi, first.short_doi) in rest)
    if others or twice:
        where = (excerpt.span(mentions[1].start)[0], excerpt.span(0, mentions[-1].end)[1])
        problems.append(make_problem("several-dois" if others else "repeated-prefix", *where))
    akin = frozenset(fold(name) for name in others if first.doi and is_longer_or_shorter(str(first.doi), name))

    def offers() -> Offers:
        yield from _offer_first(excerpt, kept[0], first)
        yield from ((name, Message("as it is written at another place of the text")) for name in again)
        yield from ((name, ANOTHER_DOI) for name in sorted(others, key=lambda name: fold(name) not in akin))
        yield from _offer_uncut(excerpt, kept[0], first)

    return replace(first, form="text", problems=tuple(problems), others=others, repairs=akin, offers=offers)


def _check_around(excerpt: SourceText, mention: Mention, surroundings: list[tuple[int, int]]) -> Iterator[Problem]:
    """Yield the problems of the other text: a damaged resolver before the mention doesn't count as such."""
    before = check_address_before(excerpt, mention.start)
    resolvers = [(one.start, one.end) for one in before if one.code == "damaged-resolver"]
    for start, end in surroundings:
        if not any(first <= start and end <= last for first, last in resolvers):
            yield make_problem("surrounding-text", start, end)
    yield from before
    yield from check_white_space_after(excerpt, mention)
    if dots := name_end.DOTS.match(mention.after.text):
        yield make_problem("cut-short", *mention.after.span(*dots.span()), characters=dots.group())


def _offer_first(excerpt: SourceText, mention: Mention, reading: Reading) -> Offers:
    continued = list(_offer_continued(excerpt, mention))
    yield from continued
    divided = continued and mention.uncut.text.endswith(("/", "-", "_", "("))
    whole = fold(str(reading.doi))
    for name, why in reading.offers():
        if not (divided and whole.startswith(fold(name)) and is_unfinished("", name)):
            yield name, why


def _offer_uncut(excerpt: SourceText, mention: Mention, reading: Reading) -> Offers:
    if uncut := locate_name(mention.uncut):
        reason = Message("with the punctuation that follows it")
        shorter = uncut.decoded[:-1]
        if shorter.endswith(".") and reading.doi and is_beginning_of(str(reading.doi), shorter):
            yield shorter, reason
        yield uncut.decoded, reason
    glued = locate_name(excerpt)
    if glued and len(glued.raw.text) > len(mention.located.raw.text):
        yield glued.decoded, Message("as one name with everything that follows")


def _remove_cut_ones(excerpt: SourceText, mentions: list[Mention]) -> list[Mention]:
    """Remove the mentions that are only the beginning of a DOI, if the text has the whole DOI at another place.

    White space or the end of a line has cut such a mention. If the text continues after it, both parts together must be
    that whole DOI. A shorter or longer one is another DOI.
    """
    names = [_fold_name(mention.located.decoded) for mention in mentions[:_MOST_COMPARED]]
    kept = []
    known: dict[tuple[str, str], set[str]] = {}  # the names that a text continues to: a list may repeat one
    for index, mention in enumerate(mentions):
        name = names[index] if index < len(names) else None
        if name and (name_end.DOTS.match(mention.after.text) or is_unfinished(mention.uncut.text, name)):
            wholes = {one for one in names if is_beginning_of(name, one) and not is_unfinished("", one)}
            after = mention.start + len(mention.uncut.text)
            written = mention.uncut.text, excerpt.text[after : after + LOOK_AHEAD]
            if wholes and written not in known:
                known[written] = {_fold_name(one) for one, _ in _offer_continued(excerpt, mention)}
            if wholes and (not known[written] or known[written] & wholes):
                continue
        kept.append(mention)
    return kept


def _fold_name(name: str) -> str:
    """Return the name without differences in case, look-alikes, escapes and signs at the end."""
    return fold(homoglyphs.replace_homoglyphs(name)).replace("\\", "").rstrip(name_end.PUNCTUATION)


def _find_surroundings(excerpt: SourceText, found: list[Mention]) -> list[tuple[int, int]]:
    """Return the spans, in the input, of text that is neither a DOI nor a separator of two."""
    spans = []
    done = 0
    for start, end in [*((m.start, m.end) for m in found), (len(excerpt.text), len(excerpt.text))]:
        gap = excerpt.cut(done, start)
        if not _BETWEEN.match(gap.text):
            spans.append(gap.strip().span())
        done = end
    return spans


def check_white_space_after(excerpt: SourceText, mention: Mention) -> list[Problem]:
    """Return the problem of white space after a sign that ends no sentence: `10.1093/nar/ 25.17.3389`."""
    written = mention.uncut.text
    white = WHITE_RUN.match(excerpt.text, mention.start + len(written))
    if not white:
        return []
    continues = written[-1] in "-/_(" and excerpt.text[white.end() : white.end() + 1].isalnum()
    if not continues and not _SERIAL.match(excerpt.text, white.end()):
        return []
    return build_white_space_problems("inner-space", excerpt, *white.span())


def _offer_continued(excerpt: SourceText, mention: Mention) -> Offers:
    """Yield the names that white space or the end of a line divides: `10.1371/journal. pone.0209270`."""
    following = excerpt.text[mention.start + len(mention.uncut.text) :][:LOOK_AHEAD]
    located = locate_name(SourceText.of(mention.uncut.text))
    if located and following[:1] in WHITE:
        yield from offer_joined(located.raw.text, following, located.with_slash)
