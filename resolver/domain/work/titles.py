"""Whether two titles are of one work: the same words, other spelling, nearly the same, or not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from resolver.domain.work.evidence import FieldStatus
from resolver.domain.work.spelling import differ_by_one_typing_error, spell_alike
from resolver.domain.work.words import LONGEST_TEXT_CHARACTERS, decode_markup, spell_umlauts, split_words

_LEAST_SHARED_WORDS, _LEAST_SHARED_LETTERS = 5, 30  # of a title whose subtitle stands on one side only

_SEPARATOR = re.compile(r"[:;?!]\s|\.\s|\s[-–—|/=]+\s|—|\s?[(\[]")
_WRITTEN = re.compile(r"(\s*)(\S+)")
_HYPHENS = re.compile("[-‐‑–]")
_AROUND = " .,:;!?()[]{}\"'“”‘’«»/"
_RETRACTED = re.compile(r"\s*(?:retracted|withdrawn|removed)(?:\s+(?:article|paper|chapter))?\s*[:.]\s*", re.IGNORECASE)
STOP_WORDS = frozenset(
    "a an and as at by for from in into is its of on or the to with "
    "am das dem den der des die ein eine einer im in und von vom zu zum zur "
    "au aux d de des du en et l la le les un une "
    "con del e el en los las o por un una y".split()
)
# What follows a title is no subtitle if it begins so: it makes another work of it.
_OTHER_WORK = frozenset(
    "appendix comment comments corrected correction corrigendum data dataset discussion erratum ii iii iv part "
    "preprint reply response review supplement supplementary supporting v1 v2 v3 version vol volume".split()
)
_REPLIES = frozenset("appendix corrigendum erratum rebuttal rejoinder reply response".split())
_BEFORE_A_REPLY = frozenset("a an author authors the".split())  # "A reply", "Authors' response"
_NUMBERS = frozenset("ii iii iv".split())
_GENERIC = frozenset(
    "abstract abstracts acknowledgements acknowledgments addendum announcement announcements appendix backmatter "
    "bibliography bookreview bookreviews comment commentary comments conclusion conclusions contents contributors "
    "correction corrections correspondence corrigendum cover coverimage discussion editorial editorialboard erratum "
    "errata foreword frontmatter glossary guesteditorial inmemoriam inthisissue index introduction issueinformation "
    "letter letters lettertotheeditor letterstotheeditor masthead news notes obituary preface presentation prologue "
    "references reply response review reviews reviewof summary tableofcontents titlepage untitled "
    "besprechung besprechungen buchbesprechung buchbesprechungen einfuhrung einleitung inhalt inhaltsverzeichnis "
    "nachruf rezension rezensionen vorwort zusammenfassung avantpropos comptesrendus compterendu preambule sommaire "
    "tabledesmatieres introduccion presentacion prefacio prologo resena resenas resumen".split()
)


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """How a title compares with the nearest registered one.

    `nearly`: it differs only by stop words or plurals.
    `lacks_subtitle`: one goes on where the other ends.
    `share`: of the words of the shorter title, from 0 to 1, how many both have.
    `is_generic`: it names a kind of text, as *Editorial* does.
    """

    status: FieldStatus
    registered: str
    nearly: bool = False
    lacks_subtitle: bool = False
    share: float = 0.0
    is_generic: bool = False


def compare_titles(title: str, registered: Sequence[str]) -> TitleMatch:
    """Compare the row's title with all registered ones; the nearest counts."""
    if not title.strip() or not registered:
        return TitleMatch(FieldStatus.ABSENT, registered[0] if registered else "")
    matches = (_compare_two(title, other) for other in registered)
    best = next(matches)
    for match in matches:
        if best.status is FieldStatus.EQUAL:
            break
        if _rank(match) > _rank(best):
            best = match
    return best


def has_enough_words(title: str) -> bool:
    """Whether the title says enough to be the same work where only one side has a subtitle."""
    words = split_words(title)
    return len(words) >= _LEAST_SHARED_WORDS or len("".join(words)) >= _LEAST_SHARED_LETTERS


def makes_another_work(subtitle: str, *, of_text: bool = False) -> bool:
    """Whether what follows a title is no subtitle but names another work: *Part 2*, *Reply*, *Erratum*. `of_text`: what
    follows may also be a journal, as *Part Fibre Toxicol* and *Review of Income* are."""
    words = split_words(subtitle)[:3]
    while words[:1] and words[0] in _BEFORE_A_REPLY:
        words = words[1:]
        if words and words[0] not in _REPLIES:
            return False
    first, second = (*words, "", "")[:2]
    if of_text:
        return first in _REPLIES or first in _NUMBERS or (first == "part" and (second.isdigit() or second in _NUMBERS))
    return first in _OTHER_WORK or first in _REPLIES or first.isdigit()


def is_generic_title(title: str) -> bool:
    """Whether the title names a kind of text that many works are, as *Editorial* does."""
    return "".join(split_words(title)) in _GENERIC


def find_other_words(title: str, registered: str) -> list[str]:
    """Return the words, with meaning, that only one of the titles has, in their order; at most ten."""
    mine, theirs = _find_written_words(title), _find_written_words(registered)
    other = [(key, word) for key, word in (*mine.items(), *theirs.items()) if (key in mine) != (key in theirs)]
    return [word for key, word in other if key not in STOP_WORDS][:10] or [word for _, word in other][:10]


class ComparedPiece(NamedTuple):
    """A part of a text; `differs`: its words aren't in the other text."""

    text: str
    differs: bool = False


def mark_other_words(text: str, other: str) -> list[ComparedPiece]:
    """Return the text in pieces, cut where words begin or end that the other text doesn't have in any spelling. Joined,
    the pieces are the text. Only its first 2,000 characters are looked at."""
    known = set(_spell_parts(other))
    known |= {"".join(pair) for pair in pairwise(_spell_parts(other))}  # "off diagonal", for "off-diagonal"
    known |= set(map(spell_alike, split_words(other)))
    pieces: list[ComparedPiece] = []
    for space, word in _WRITTEN.findall(text[:LONGEST_TEXT_CHARACTERS]):
        differs = bool(split_words(word)) and not (
            spell_alike("".join(split_words(word))) in known or known.issuperset(_spell_parts(word))
        )
        last = pieces[-1] if pieces else ComparedPiece("", differs)
        if last.differs == differs:
            pieces[-1:] = [ComparedPiece(last.text + space + word, differs)]
        elif differs:
            pieces[-1:] = [ComparedPiece(last.text + space), ComparedPiece(word, differs)]
        else:
            pieces.append(ComparedPiece(space + word))
    rest = text[sum(len(piece.text) for piece in pieces) :]
    return [*pieces, ComparedPiece(rest)] if rest else pieces


def _spell_parts(text: str) -> list[str]:
    """Return the words of the text, and the parts of those with hyphens."""
    return [spell_alike(word) for word in split_words(_HYPHENS.sub(" ", text[:LONGEST_TEXT_CHARACTERS]))]


def _find_written_words(title: str) -> dict[str, str]:
    """Return each word as it is written, by its folded letters."""
    written = decode_markup(title).split()
    return {key: word.strip(_AROUND) for word in written if (key := "".join(split_words(word)))}


_RANKS = {FieldStatus.EQUAL: 4, FieldStatus.VARIANT: 3, FieldStatus.DIFFERS: 1}


def _rank(match: TitleMatch) -> float:
    return _RANKS.get(match.status, 0) + (1 if match.nearly or match.lacks_subtitle else 0) + match.share / 2


def _compare_two(title: str, registered: str) -> TitleMatch:
    mine, theirs = split_words(title), split_words(_RETRACTED.sub("", registered, count=1))
    if not mine or not theirs:
        return TitleMatch(FieldStatus.CANNOT_COMPARE, registered)
    letters, other_letters = "".join(mine), "".join(theirs)
    is_generic = letters in _GENERIC or other_letters in _GENERIC
    if letters == other_letters:
        return TitleMatch(FieldStatus.EQUAL, registered, share=1.0, is_generic=is_generic)
    if _is_latin(letters) != _is_latin(other_letters):
        return TitleMatch(FieldStatus.CANNOT_COMPARE, registered)
    shorter, longer = (title, registered) if len(letters) < len(other_letters) else (registered, title)
    subtitle = _find_subtitle(shorter, longer)
    if subtitle is not None and not makes_another_work(subtitle):
        return TitleMatch(FieldStatus.EQUAL, registered, share=1.0)
    if _is_spelt_otherwise(title, registered, mine, theirs):
        return TitleMatch(FieldStatus.VARIANT, registered, share=1.0)
    stems, other_stems = _find_stems(mine), _find_stems(theirs)
    return TitleMatch(
        FieldStatus.DIFFERS,
        registered,
        nearly="".join(stems) == "".join(other_stems),
        lacks_subtitle=_begins(shorter, longer),
        share=_share(stems, other_stems),
        is_generic=is_generic,
    )


def _is_latin(letters: str) -> bool:
    """Whether most letters are Latin; digits are of every script."""
    if letters.isascii():
        return True
    latin = sum(letter.isascii() or letter < "ɐ" for letter in letters)
    return latin * 2 >= len(letters)


def find_heads(title: str) -> Iterator[tuple[str, str]]:
    """Yield the title cut at each sign after which a subtitle may begin, with what follows."""
    for separator in _SEPARATOR.finditer(title[:2000]):
        yield title[: separator.start()], title[separator.end() :]


def _find_subtitle(shorter: str, longer: str) -> str | None:
    """Return the subtitle that only the longer title has, or None if there is none, or too little stands before it."""
    if not has_enough_words(shorter):
        return None
    letters = "".join(split_words(shorter))
    for head, rest in find_heads(longer):
        if "".join(split_words(head)) == letters:
            return rest
    return None


def _begins(shorter: str, longer: str) -> bool:
    """Whether the longer title goes on with a subtitle, however short what both share is."""
    letters = "".join(split_words(shorter))
    return any("".join(split_words(head)) == letters for head, _ in find_heads(longer))


def _is_spelt_otherwise(title: str, registered: str, mine: Sequence[str], theirs: Sequence[str]) -> bool:
    if not (title.isascii() and registered.isascii()):
        spelt, other = ("".join(split_words(spell_umlauts(text))) for text in (title, registered))
        if spelt in (other, "".join(theirs)) or other == "".join(mine):
            return True
    alike, others = [spell_alike(word) for word in mine], [spell_alike(word) for word in theirs]
    if "".join(alike) == "".join(others):
        return True
    if len(alike) != len(others):
        return False
    pairs = [pair for pair in zip(alike, others, strict=True) if pair[0] != pair[1]]
    return len(pairs) == 1 and differ_by_one_typing_error(*pairs[0])


def _find_stems(words: Sequence[str]) -> list[str]:
    """Return the words that carry meaning, in the singular; all words if there is none."""
    return [_find_stem(word) for word in words if word not in STOP_WORDS] or list(words)


def _find_stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("yses", "eses", "oses")):
        return word[:-2] + "is"
    if len(word) > 4 and word.endswith("sses"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _share(stems: Sequence[str], others: Sequence[str]) -> float:
    mine, theirs = set(stems), set(others)
    return len(mine & theirs) / min(len(mine), len(theirs))
