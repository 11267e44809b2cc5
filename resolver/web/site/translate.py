"""What the layers below say in English, in the language of who reads it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext

from resolver.domain.problems.problem import NEUTRAL
from resolver.web.sentences import FORMS, NESTED, NUMBERS, every_sentence

ENGLISH = "en"
LONGEST = 4000  # characters; what is longer holds more of a stranger's text than of ours
DEEPEST = 3  # details in details
MOST_LOOKED_AT = 20_000  # characters
A_PLACE = 150  # characters that looking for what begins at one place counts as
_DETAIL = re.compile(r"\{(\w+)\}")
_GROUPED = re.compile("[0-9]{1,3}(?:,[0-9]{3})+")
_NEUTRAL = frozenset(NEUTRAL.values())


def in_readers_language(text: str) -> str:
    """`text` translated: one of our sentences, several one after the other, or phrases joined by commas, with the
    details that they were filled with. Any other text, and all of it for who reads English, comes back as it is."""
    language = translation.get_language() or ENGLISH
    if language.startswith(ENGLISH) or not text or len(text) > LONGEST:
        return text
    return _translated(text, language)


class _Effort:
    """What may still be spent on one text, in characters looked at, and how deep a detail may lie in another's: a
    stranger may write sentences of ours into a name by the hundred, each in the next."""

    def __init__(self) -> None:
        self.characters = MOST_LOOKED_AT
        self.depth = DEEPEST

    def match(self, pattern: re.Pattern[str], text: str, place: int) -> re.Match[str] | None:
        """What stands there, unless too much was spent."""
        if self.characters <= 0:
            return None
        match = pattern.match(text, place)
        self.characters -= (match.end() if match else len(text)) - place
        return match


@lru_cache(2000)
def _translated(text: str, language: str) -> str:
    """`language` is the active one: for the cache, which is asked for a hundred rows at a time."""
    return _told(text, _Effort())


def _told(text: str, effort: _Effort) -> str:
    one_by_one, rest = _one_by_one(text, effort)
    if one_by_one and not rest:
        return one_by_one
    for template in _templates_at(text, 0):  # a detail may hold what looks like the end of a sentence
        if match := effort.match(template.whole, text, 0):
            return template.filled(match, effort)
    return one_by_one + rest


def _one_by_one(text: str, effort: _Effort) -> tuple[str, str]:
    """The translations with what joins them, and what is not known: behind sentences that may stay as it is, of phrases
    each must be known."""
    done, place = "", 0
    while place < len(text):
        found = _next(text, place, effort)
        if found is None:
            return (done, text[place:]) if text[:place].endswith(". ") else ("", text)
        template, match = found
        done += template.filled(match, effort) + match["joint"]
        place = match.end()
    return done, ""


def _next(text: str, place: int, effort: _Effort) -> tuple["_Template", re.Match[str]] | None:
    effort.characters -= A_PLACE
    for template in _templates_at(text, place) if effort.characters > 0 else ():
        if match := effort.match(template.inside, text, place):
            return template, match
    return None


class _Template:
    """A template, and what finds the sentences that were made of it: alone, or with others behind."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.begins_with_detail = text.startswith("{")
        pattern, known = "", set[str]()
        pieces = _DETAIL.split(text)
        for index, part in enumerate(pieces):
            if index % 2 == 0:
                pattern += re.escape(part)
            elif part not in known and part not in FORMS and index + 2 < len(pieces) and len(pieces[index + 1]) > 2:
                # Up to where these words stand first, for good: where each detail may try each place, a text of a
                # stranger's takes seconds.
                pattern += f"(?>(?P<{part}>.+?)(?={re.escape(pieces[index + 1])}))"
                known.add(part)
            elif part in known:
                pattern += f"(?P={part})"
            else:
                pattern += f"(?P<{part}>{FORMS.get(part, '.+?')})"
                known.add(part)
        self.literals = [part for part in pieces[::2] if part]
        self.whole = re.compile(rf"{pattern}\Z", re.DOTALL)
        joint = " " if text.endswith((".", "?", ")")) else ", | "
        self.inside = re.compile(rf"{pattern}(?P<joint>{joint}|\Z)", re.DOTALL)

    def may_begin(self, text: str, place: int) -> bool:
        """Whether its own words stand in the text from there on, in their order; quickly seen, unlike the rest."""
        for literal in self.literals:
            place = text.find(literal, place)
            if place < 0:
                return False
            place += len(literal)
        return True

    def filled(self, match: re.Match[str], effort: _Effort) -> str:
        """The translation with the details of the match."""
        details = {name: _detail(name, text, effort) for name, text in match.groupdict().items() if name != "joint"}
        told = gettext(self.text).format_map(details)
        # A neutral word that begins a sentence has a capital, a detail of the reader's has the case that it came with.
        if self.begins_with_detail and match[0][:1].isupper() and _neutral(match[1]):
            told = told[:1].upper() + told[1:]
        return told


def _neutral(text: str) -> str:
    """The words for a detail that nobody gave, with a small letter; '' when it is none."""
    words = text[:1].lower() + text[1:]
    return words if words in _NEUTRAL else ""


def _detail(name: str, text: str, effort: _Effort) -> str:
    if name in NESTED:
        if effort.depth == 0:
            return text
        effort.depth -= 1
        told = _told(text, effort)
        effort.depth += 1
        return told
    if name == "month":
        return gettext(text)  # Django's own translations have it
    if neutral := _neutral(text):
        return gettext(neutral)
    if name in NUMBERS and _GROUPED.fullmatch(text):
        return number_format(int(text.replace(",", "")), use_l10n=True, force_grouping=True)
    return text


def _first_word(text: str) -> str:
    return text.partition(" ")[0].rstrip(".,:;")


@cache
def _by_first_word() -> dict[str, list[_Template]]:
    """The templates by the word that they begin with, "" for a detail; first those with more words of their own."""
    found: dict[str, list[_Template]] = defaultdict(list)
    for text in sorted(every_sentence(), key=lambda one: -len(_DETAIL.sub("", one))):
        word = text.partition(" ")[0]
        found["" if "{" in word else _first_word(text)].append(_Template(text))
    return found


def _templates_at(text: str, place: int) -> Iterator[_Template]:
    known = _by_first_word()
    for template in (*known.get(_first_word(text[place : place + 50]), ()), *known[""]):
        if template.may_begin(text, place):
            yield template
