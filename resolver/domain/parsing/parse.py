"""Text → Reading: form, name, problems with spans, candidates. `read` is total: no input raises (E, U, N, S)."""

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice, pairwise

from resolver.domain.message import Message
from resolver.domain.name.doi import is_graphic
from resolver.domain.parsing import checks, damaged_text, fast_path, free_text, locate
from resolver.domain.parsing.candidates import Candidate
from resolver.domain.parsing.locate import Coding, LocatedName
from resolver.domain.parsing.reading import Reading, distinct_names, name_of, read_name, read_no_name
from resolver.domain.parsing.unreadable_text import Unread
from resolver.domain.problems.problem import Problem, problem
from resolver.domain.text import trailing
from resolver.domain.text.source_text import WHITE, WHITE_RUN, SourceText, without_entities
from resolver.domain.text.whitespace import may_continue_name

__all__ = ["LONGEST", "Candidate", "Reading", "read"]

_LOG = logging.getLogger(__name__)
_DEEPEST = 2  # kinds of damage one inside another that hide a name; a bound keeps reading linear
_LAST = frozenset(trailing.OPENERS.values())
_HIDDEN_RUN = re.compile(r"[\x00-\x1f\x7f-\x9f]+|[^\x00-\x1f\x7f-\x9f]+")


LONGEST = 10_000
"""Code points of one text, unless the caller has another bound (S7)."""


def read(text: str, *, longest: int = LONGEST) -> Reading:
    """Read `text` as a librarian's cell: one name in any form, or text around it.

    A text of more than `longest` code points is not read: a clear error, never a truncation (S7). A fault of ours is
    logged, and is a problem of this text alone: whoever reads a thousand texts has the answers on all others.
    """
    if len(text) > longest:
        told = problem("too-long", longest, len(text), length=len(text), most=longest)
        return Reading(text, "none", problems=(told,))
    try:
        return fast_path.read_plain_name(text) or _at_length(text)
    except Exception:  # noqa: BLE001  (whatever it is, it is logged, and is no reason to lose other people's answers)
        _LOG.exception("A text of %d characters could not be read: %.200r", len(text), text)
        return Unread.of(text)


def _at_length(text: str) -> Reading:
    body, entities = without_entities(SourceText.of(text))
    reading = _body(text, body.stripped())
    if unlinked := damaged_text.remove_links(body):
        reading = _without_links(reading, _body(text, unlinked.stripped()))
    if entities and reading.form != "none":
        reading = _with_entities(reading, entities)
    in_order = tuple(sorted(reading.problems, key=lambda one: one.start))
    return reading if in_order == reading.problems else replace(reading, problems=in_order)


def _without_links(reading: Reading, other: Reading) -> Reading:
    """A web site took a part of a SICI for an address, and made a link of it."""
    if other.doi is None or other.doi == reading.doi:
        return reading
    first = [(str(other.doi), Message("without the link that a web site made of a part of it"))]
    return replace(reading, offers=lambda: chain(first, reading.offers()))


def _with_entities(reading: Reading, entities: list[tuple[int, int]]) -> Reading:
    text = reading.input
    told = tuple(problem("html-entity", *span, characters=text[slice(*span)][:20]) for span in entities[:50])

    def offers() -> Iterator[tuple[str, Message]]:
        raw = _body(text, SourceText.of(text).stripped())
        hashes = [one.start for one in raw.problems if one.code == "unescaped-hash"]
        cut = any(start < at < end for at in hashes for start, end in entities[:50])
        undecoded = raw.candidates[0].doi if cut and raw.candidates else raw.doi  # the # of &#60; ends no URL here
        own = iter(reading.offers())
        yield from islice(own, 1)
        if undecoded:
            yield str(undecoded), Message("with the HTML entity unchanged")
        yield from own
        if raw.others:
            yield from ((one.doi, one.reason) for one in raw.candidates)

    return replace(reading, problems=told + reading.problems, offers=offers)


def _body(text: str, body: SourceText, deep: int = 0) -> Reading:
    """The ways to read a text, in order: as a form, as text around one, as a form with invisible damage. `deep` counts
    how often damage was undone already."""
    if brackets := _brackets(body):
        return _wrapped(text, body, *brackets, deep)
    return _bare(text, body, deep)


def _bare(text: str, body: SourceText, deep: int) -> Reading:
    hidden = _hidden_start(body)
    found = locate.locate_name(body.part(hidden))
    if found and _stands_alone(found):
        return _alone(text, found, body.part(0, hidden))
    mentions = free_text.find_mentions(body)
    parted = damaged_text.find_divided_prefix(body.text)
    if parted and (not mentions or parted.start("name") < mentions[0].start):
        return damaged_text.read_divided(text, body, parted)
    if mentions:
        return _among(text, body, mentions)
    if found and not _is_figure(found):
        return _alone(text, replace(found, rest=None), body.part(0, hidden))
    undone = damaged_text.read_undisguised(text, body, partial(_body, deep=deep + 1)) if deep < _DEEPEST else None
    return undone or Reading(text, "none", problems=(problem("no-doi", *body.span()),))


def _brackets(body: SourceText) -> tuple[int, int] | None:
    """The innermost brackets or quotes around the whole text, white space aside; None where there are none. However
    deep they are nested, each is looked at once."""
    text = body.text
    if text[:1] not in trailing.OPENERS or text[-1:] not in _LAST:
        return None
    closed = trailing.match_brackets(text)
    found = None
    start, end = 0, len(text) - 1
    while closed.get(start) == end:
        first, last = start + 1, end - 1
        while first <= last and text[first] in WHITE:
            first += 1
        while first <= last and text[last] in WHITE:
            last -= 1
        if first > last:
            break
        found = start, end
        start, end = first, last
    return found


def _wrapped(text: str, body: SourceText, opener: int, closer: int, deep: int) -> Reading:
    """A text in brackets or quotes, which then belong to no name: (10.1000/182)."""
    reading = _bare(text, body.part(opener + 1, closer).stripped(), deep)
    if reading.form == "none":
        return replace(reading, problems=(problem("no-doi", *body.span()),)) if not reading.candidates else reading
    around = [] if any(one.code == "surrounding-text" for one in reading.problems) else [
        problem("surrounding-text", *body.span(opener, opener + 1)),
        problem("surrounding-text", *body.span(closer, closer + 1)),
    ]  # fmt: skip
    return replace(reading, form="text", problems=(*reading.problems, *around))


def _is_figure(found: LocatedName) -> bool:
    """A price, a version or a time with words after it: 10.50/12.00 Uhr. Registrant codes have four figures."""
    return found.form == "name" and found.rest is not None and not free_text.is_prefix(found.raw.text)


def _hidden_start(body: SourceText) -> int:
    if body.text[:1].isprintable():
        return 0
    return next((index for index, character in enumerate(body.text) if is_graphic(character)), 0)


def _stands_alone(found: LocatedName) -> bool:
    separator = free_text.SEPARATOR_IN_URL if found.coding is Coding.URL else free_text.SEPARATOR
    if _is_figure(found):
        return False
    if not found.which_ra and separator.search(found.raw.text):
        return False
    return found.rest is None or may_continue_name(found.raw.text, found.rest.text)


def _alone(text: str, found: LocatedName, hidden: SourceText) -> Reading:
    if found.rest:
        code = "inner-space" if found.coding is Coding.PLAIN else "unescaped-space"
        runs = [match.span() for match in WHITE_RUN.finditer(found.rest.text)][:50]
        white = (one for run in runs for one in checks.check_white_space(code, found.rest, *run))
        found = replace(found, problems=(*found.problems, *white))
    reading = read_name(text, found)
    if not hidden.text:
        return reading
    told = [
        problem(damaged_text.invisible_code(run), *hidden.span(*at), characters=checks.show_characters(run))
        for run, at in ((match.group(), match.span()) for match in _HIDDEN_RUN.finditer(hidden.text))
    ]
    return read_no_name(reading, told, Message("without the invisible characters"))


def _among(text: str, body: SourceText, mentions: list[free_text.Mention]) -> Reading:
    """One or more DOIs in a text: the first is taken, the rest are candidates."""
    first = read_name(text, mentions[0].found)
    rest = [name_of(mention.found) for mention in mentions[1:]]
    others = distinct_names(first.doi, [str(doi) for doi, _short in rest if doi])
    told = [problem("surrounding-text", *span) for span in free_text.find_surroundings(body, mentions)[:50]]
    told += _divided(body, mentions[0])
    where = (body.span(mentions[1].start)[0], body.span(0, mentions[-1].end)[1]) if rest else (0, 0)
    if others:
        told.append(problem("several-dois", *where))
    elif not told and (first.doi, first.short_doi) in rest:
        told.append(problem("repeated-prefix", *where))

    def offers() -> Iterator[tuple[str, Message]]:
        yield from _continued(body, mentions[0])
        yield from first.offers()
        yield from ((name, Message("another DOI in the text")) for name in others)
        if uncut := locate.locate_name(mentions[0].uncut):
            yield free_text.decode_found(uncut), Message("with the punctuation that follows it")
        if glued := locate.locate_name(body):
            yield free_text.decode_found(glued), Message("as one name with everything that follows")

    problems = first.problems + tuple(told)
    return replace(first, form="text", problems=problems, others=others, offers=offers)


def _divided(body: SourceText, mention: free_text.Mention) -> list[Problem]:
    """White space after a sign that ends no sentence: `10.1093/nar/ 25.17.3389`."""
    written = mention.uncut.text
    white = WHITE_RUN.match(body.text, mention.start + len(written))
    following = body.text[white.end() : white.end() + 1] if white else ""
    if not white or not following or not ((written[-1] in "-/_(" and following.isalnum()) or following == "<"):
        return []
    return checks.check_white_space("inner-space", body, *white.span())


def _continued(body: SourceText, mention: free_text.Mention) -> Iterator[tuple[str, Message]]:
    """The name that white space divides: `10.1371/journal. pone.0209270`, and one broken at a line's end."""
    written = mention.uncut.text
    words = body.text[mention.start + len(written) :][:200].split()[:8]
    if not words or not ((written[-1] in "-./_(:)" and words[0][0].isalnum()) or words[0][0] in "(<"):
        return
    for count in _joins(written, words):
        for head in dict.fromkeys((written, written[:-1] if written[-1] == "-" else written)):
            joined = "".join((head, *words[:count]))
            found = locate.locate_name(SourceText.of(joined[: trailing.find_punctuation(joined, trailing.SENTENCE)]))
            if found:
                yield free_text.decode_found(found), Message("joined where white space divides it")


def _joins(written: str, words: list[str]) -> list[int]:
    """How many words may go on with the name, likeliest first. Where figures meet figures nobody can tell whether a
    number goes on, and another number may be another work: then none."""
    kept = []
    for count in dict.fromkeys((damaged_text.count_likely_words([written, *words]) - 1, 1, 2)):
        pieces = [written, *words[:count]]
        meets = any(
            one[-1].isdigit() and other[0].isdigit() for one, other in pairwise([*pieces, *words[count : count + 1]])
        )
        if 0 < count <= len(words) and not meets:
            kept.append(count)
    return kept
