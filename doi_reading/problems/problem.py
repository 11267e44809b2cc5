"""One problem of an input: a code of the catalogue, its sentence, and its place."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from doi_reading.message import Detail, Message, join_messages
from doi_reading.name.doi import is_graphic
from doi_reading.problems.catalogue import CATALOGUE

MOST_PROBLEMS = 50  # of one code or kind in a text
MOST_MERGED = 5  # different details in one sentence
MOST_SHOWN = 24  # characters of the text in a sentence
_MOST_WORDS = 10  # for invisible characters, one for each


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem. `start` and `end` are code point offsets in the input, end exclusive."""

    code: str
    severity: str
    message: Message
    start: int = 0
    end: int = 0


NEUTRAL: dict[str, Message] = {
    "characters": Message("a character"),
    "length": Message("too many"),
    "most": Message("the limit"),
    "escaped": Message("its percent-encoded form"),
    "pair": Message("a character as its percent-encoded form"),
    "plain": Message("a common one"),
    "alias_of": Message("named in the record"),
    "url": Message("see the record"),
    "count": Message("several"),
    "linked": Message("see the other DOIs"),
    "names": Message("see the other DOIs"),
    "kind": Message("identifier"),
    "used": Message("This prefix or address"),
    "suggested": Message("for this text"),
    "fault": Message("it may not be the one that is meant"),
    "why": Message("something in it is wrong"),
    "work": Message("This work"),
    "date": Message("the date of its notice"),
    "source": Message("a list of retractions"),
    "listed": Message("the date of that list"),
    "right": Message("This says nothing about the DOI itself."),
    "events": Message("see the result"),
    "registered": Message("compare title and author"),
    "found": Message("see the suggested DOI"),
}
"""The words for unknown details."""
_SEVERAL = {entry.sentence: entry.several for entry in CATALOGUE.values() if entry.several}
_AT_THE_START = {"characters": Message("A character")}


def make_problem(
    code: str, start: int = 0, end: int = 0, *, severity: str | None = None, several: bool = False, **details: Detail
) -> Problem:
    """Return the catalogue's problem `code` at a place of the input. `several`: it is about more than one character.
    `details` fill its sentence; a missing one gets neutral words, so that a message never fails."""
    entry = CATALOGUE[code]
    neutral = NEUTRAL | _AT_THE_START if entry.sentence.startswith("{") else NEUTRAL
    filled = {name: details.get(name, neutral[name]) for name in entry.details}
    sentence = entry.several if several and entry.several else entry.sentence
    return Problem(code, severity or entry.severity.value, Message(sentence, **filled), start, end)


def shorten(text: str, most: int = 40, change: Callable[[str], str] = str) -> str:
    """Return the text for a sentence, changed, or the first `most` characters of it and "…"."""
    return change(text[:most]) + ("…" if len(text) > most else "")


def show_characters(text: str) -> str:
    """Return the characters as people can read them: U+200B for an invisible one, and "…" for those left out."""
    if text.isprintable() and " " not in text:
        return shorten(text, MOST_SHOWN)
    distinct = "".join(dict.fromkeys(text))
    words = [c if is_graphic(c) and not c.isspace() else f"U+{ord(c):04X}" for c in distinct[:_MOST_WORDS]]
    if all(len(word) == 1 for word in words):
        return shorten(text, MOST_SHOWN)
    return " ".join([*words, "…"] if len(distinct) > _MOST_WORDS else words)


def get_sentence_if_registered(code: str) -> Message | None:
    """Return the sentence for a registered name, without a guess what was meant; None if the usual one applies."""
    said = CATALOGUE[code].registered if code in CATALOGUE else ""
    return Message(said) if said else None


def describe_as_registered(found: Problem) -> Problem:
    """Return the problem of a registered name: what the name probably should be is no longer said."""
    said = get_sentence_if_registered(found.code)
    if said is None:
        return found
    details = {name: one for name, one in found.message.details.items() if f"{{{name}}}" in said}
    return replace(found, message=Message(said.template, **details))


def merge_by_code(messages: Iterable[tuple[str, str]]) -> list[str]:
    """Return one sentence for each problem code, in the order of the codes, from pairs of code and sentence."""
    by_code: dict[str, list[str]] = {}
    for code, message in messages:
        by_code.setdefault(code, []).append(message)
    return [merge_messages(each) for each in by_code.values()]


def merge_messages(messages: Sequence[str]) -> str:
    """Return one sentence for problems of one code: that of the first, with the details of all of them."""
    first = messages[0]
    alike = [one for one in messages if isinstance(one, Message)]
    if not isinstance(first, Message) or len({_SEVERAL.get(one.template, one.template) for one in alike}) > 1:
        return first
    details = {name: _merge_details([one.details[name] for one in alike]) for name in first.details}
    template = _SEVERAL.get(first.template, first.template) if details != first.details else first.template
    return Message(template, first.plural, **details)


def _merge_details(details: Sequence[Detail]) -> Detail:
    distinct = list(dict.fromkeys(details))
    if len(distinct) == 1:
        return distinct[0]
    shown = [str(one) for one in distinct[:MOST_MERGED]] + ["…"] * (len(distinct) > MOST_MERGED)
    return join_messages(", ", *shown) if any(isinstance(one, Message) for one in shown) else ", ".join(shown)
