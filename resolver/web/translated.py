"""What the layers below say in English, in the language of who reads it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext

from resolver.domain.problems import NEUTRAL
from resolver.web.sentences import FORMS, NESTED, NUMBERS, every_sentence

ENGLISH = "en"
LONGEST = 4000  # characters; what is longer holds more of a stranger's text than of ours
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


@lru_cache(2000)
def _translated(text: str, language: str) -> str:
    """`language` is the active one: for the cache, which is asked for a hundred rows at a time."""
    one_by_one, rest = _one_by_one(text)
    if one_by_one and not rest:
        return one_by_one
    for template in _templates_at(text, 0):  # a detail may hold what looks like the end of a sentence
        if match := template.whole.fullmatch(text):
            return template.filled(match)
    return one_by_one + rest


def _one_by_one(text: str) -> tuple[str, str]:
    """The translations with what joins them, and what is not known: behind sentences that may stay as it is, of phrases
    each must be known."""
    done, place = "", 0
    while place < len(text):
        found = _next(text, place)
        if found is None:
            return (done, text[place:]) if text[:place].endswith(". ") else ("", text)
        template, match = found
        done += template.filled(match) + match["joint"]
        place = match.end()
    return done, ""


def _next(text: str, place: int) -> tuple["_Template", re.Match[str]] | None:
    for template in _templates_at(text, place):
        if match := template.inside.match(text, place):
            return template, match
    return None


class _Template:
    """A template, and what finds the sentences that were made of it: alone, or with others behind."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.begins_with_detail = text.startswith("{")
        pattern, known = "", set[str]()
        for index, part in enumerate(_DETAIL.split(text)):
            if index % 2 == 0:
                pattern += re.escape(part)
            elif part in known:
                pattern += f"(?P={part})"
            else:
                pattern += f"(?P<{part}>{FORMS.get(part, '.+?')})"
                known.add(part)
        self.whole = re.compile(pattern, re.DOTALL)
        joint = " " if text.endswith((".", "?", ")")) else ", | "
        self.inside = re.compile(rf"{pattern}(?P<joint>{joint}|\Z)", re.DOTALL)

    def filled(self, match: re.Match[str]) -> str:
        """The translation with the details of the match."""
        details = {name: _detail(name, text) for name, text in match.groupdict().items() if name != "joint"}
        told = gettext(self.text).format_map(details)
        # A neutral word that begins a sentence has a capital, a detail of the reader's has the case that it came with.
        if self.begins_with_detail and match[0][:1].isupper() and _neutral(match[1]):
            told = told[:1].upper() + told[1:]
        return told


def _neutral(text: str) -> str:
    """The words for a detail that nobody gave, with a small letter; '' when it is none."""
    words = text[:1].lower() + text[1:]
    return words if words in _NEUTRAL else ""


def _detail(name: str, text: str) -> str:
    if name in NESTED:
        return in_readers_language(text)
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
    yield from known.get(_first_word(text[place : place + 50]), ())
    yield from known[""]
