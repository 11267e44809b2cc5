"""20,000 made-up works, each made from its number alone: articles, preprints of some of them, and data sets.

The remainder of the number divided by 20 says what the work is:

    3, 10, 17   a data set, at DataCite; all others are at Crossref
    5           the preprint of the article before it
    8           has the title of the article before it, but other authors, another year and another journal
    13          has the authors and the year of the article before it, and its title but for one word
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from doi_reading import fold
from resolver.standin import scholarly_words as words

WORKS = 20_000
DATA_AGENCY = "DataCite"
_ARTICLES, _DATA = "10.5555/sample-work-", "10.5072/sample-data-"  # the prefixes for examples
_NAME = re.compile(r"(10\.5555/sample-work-|10\.5072/sample-data-)([0-9]{5})")
_OF_DATA = frozenset({3, 10, 17})
_WITH_PREPRINT, _PREPRINT, _NAMESAKE, _SEQUEL = 4, 5, 8, 13
_QUALITY, _SUBJECT, _PROCESS, _PLACE = words.QUALITIES, words.SUBJECTS, words.PROCESSES, words.PLACES
_TITLES: tuple[tuple[str, tuple[Sequence[str], ...]], ...] = (
    ("{} {} and {} {}", (_QUALITY, _SUBJECT, _QUALITY, _PROCESS)),
    ("{} in {} {}: {} from {}", (_PROCESS, _QUALITY, _SUBJECT, words.STUDIES, _PLACE)),
    ("The {} of {} {} after {}", (_PROCESS, _QUALITY, _SUBJECT, _PROCESS)),
    ("On the {} and {} of {} {} in {}", (_PROCESS, _PROCESS, _QUALITY, _SUBJECT, _PLACE)),
    ("{} {}, {} {}: {} of {}", (_QUALITY, _PROCESS, _QUALITY, _PROCESS, _SUBJECT, _PLACE)),
    ("How {} {} of {} respond to {}", (_QUALITY, _SUBJECT, _PLACE, _PROCESS)),
)
_SETS = ("Dataset: {}", "Measurements: {}", "{}", "{}")


class _Dice:
    """Choices that are always the same for the same number and purpose."""

    def __init__(self, number: int, purpose: str) -> None:
        self._left = int.from_bytes(blake2b(f"{purpose} {number}".encode()).digest())

    def roll(self, sides: int) -> int:
        self._left, rolled = divmod(self._left, sides)
        return rolled

    def choose(self, among: Sequence[str]) -> str:
        return among[self.roll(len(among))]


def is_data_set(number: int) -> bool:
    """Whether the work of this number is a data set, which DataCite has."""
    return number % 20 in _OF_DATA


def find_sample_number(name: str) -> int | None:
    """Return the number of the work of a DOI name, in any case; None for all other names."""
    found = _NAME.fullmatch(fold(name))
    number = int(found[2]) if found else WORKS
    return number if number < WORKS and _write_name(number) == fold(name) else None


def build_sample_work(number: int) -> dict[str, Any]:
    """Return the work as CSL-JSON. A number from WORKS on gives a work that no service lists."""
    kind = number % 20
    if kind == _PREPRINT:
        return _build_preprint(number)
    source = number - 1 if kind in (_NAMESAKE, _SEQUEL) else number
    work = _build(number, title_of=source, people_of=number if kind == _NAMESAKE else source)
    if kind == _SEQUEL:
        work["title"] = _write_title(source, sequel=True)
        work["issued"] = _choose_date(source)
    if kind == _NAMESAKE:
        work["issued"] = {"date-parts": [[_choose_date(source)["date-parts"][0][0] - 9]]}
    if kind == _WITH_PREPRINT:
        work["relation"] = {"has-preprint": [{"id-type": "doi", "id": _write_name(number + 1)}]}
    return work


def _build(number: int, *, title_of: int, people_of: int) -> dict[str, Any]:
    dice = _Dice(number, "place")
    work = {
        "DOI": _write_name(number),
        "title": _write_title(title_of),
        "author": _choose_people(people_of),
        "issued": _choose_date(number),
    }
    if is_data_set(number):
        title = dice.choose(_SETS).format(work["title"])
        return {**work, "type": "dataset", "title": title, "publisher": "Sample Data Archive"}
    page = 1 + dice.roll(900)
    return {
        **work,
        "type": "article-journal",
        "container-title": dice.choose(words.JOURNALS).format(dice.choose(words.FIELDS)),
        "volume": str(1 + dice.roll(120)),
        "page": f"{page}-{page + 2 + dice.roll(30)}",
        "publisher": "Sample Publisher",
    }


def _build_preprint(number: int) -> dict[str, Any]:
    article = build_sample_work(number - 1)
    return {
        "DOI": _write_name(number),
        "type": "posted-content",
        "title": article["title"],
        "author": article["author"],
        "issued": {"date-parts": [[article["issued"]["date-parts"][0][0] - 1]]},
        "publisher": "Sample Preprints",
        "relation": {"is-preprint-of": [{"id-type": "doi", "id": article["DOI"]}]},
    }


def _write_name(number: int) -> str:
    return f"{_DATA if is_data_set(number) else _ARTICLES}{number:05}"


def _write_title(number: int, *, sequel: bool = False) -> str:
    """Return a title of 5 to 12 words. That of a sequel differs in the first word that was chosen."""
    dice = _Dice(number, "title")
    pattern, lists = _TITLES[dice.roll(len(_TITLES))]
    chosen = [dice.choose(among) for among in lists]
    if sequel:
        chosen[0] = lists[0][(lists[0].index(chosen[0]) + 1) % len(lists[0])]
    title = pattern.format(*chosen)
    return title[0].upper() + title[1:]


def _choose_people(number: int) -> list[dict[str, str]]:
    dice = _Dice(number, "people")
    families = dict.fromkeys(dice.choose(words.FAMILIES) for _ in range(1 + dice.roll(3)))
    return [{"family": family, "given": dice.choose(words.GIVEN_NAMES)} for family in families]


def _choose_date(number: int) -> dict[str, list[list[int]]]:
    dice = _Dice(number, "date")
    return {"date-parts": [[1975 + dice.roll(50), 1 + dice.roll(12)]]}
