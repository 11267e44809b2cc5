"""The index of the sample works: SQLite's FTS5, in memory, ranked by bm25."""

import re
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from resolver.standin.sample_works import WORKS, build_sample_work, is_data_set

MOST_WORDS, LONGEST_WORD = 60, 100  # of a query that are looked for
_WORD = re.compile(r"[^\W_]+")
# Nearly every title has some of them.
_SMALL = frozenset("a after an and for from how in of on the to".split())


class WorkIndex:
    """The index, made when it is first used: that takes about a second. All threads may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None

    def rank(self, condition: str, most: int) -> list[int]:
        """Return the numbers of the works that meet the condition of FTS5, the best first, `most` at most."""
        with self._lock:
            self._database = self._database or _build_database()
            found = self._database.execute(
                "SELECT rowid FROM works WHERE works MATCH ? ORDER BY bm25(works, 0.0, 10.0, 5.0, 2.0, 2.0) LIMIT ?",
                (condition, most),
            )
            return [number for (number,) in found]


WORK_INDEX = WorkIndex()
"""Of this process: the works are the same for all servers."""


def split_query(text: str) -> list[str]:
    """Return the words of a query, each once, without those that nearly every title has."""
    words = dict.fromkeys(word[:LONGEST_WORD] for word in _WORD.findall(text.lower()))
    return [word for word in words if word not in _SMALL][:MOST_WORDS] or list(words)[:MOST_WORDS]


def match_words(words: Iterable[str], joint: str, column: str = "") -> str:
    """Return the condition that the words meet: all (`AND`) or any (`OR`) of them, in the column (`title`, `people`,
    `container`, `year`, `agency`) or anywhere."""
    joined = f" {joint} ".join(f'"{word}"' for word in words)
    return f"{column} : ({joined})" if column else f"({joined})"


def _build_database() -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute("CREATE VIRTUAL TABLE works USING fts5(agency, title, people, container, year, content='')")
    rows = (_list_columns(number, build_sample_work(number)) for number in range(WORKS))
    statement = "INSERT INTO works (rowid, agency, title, people, container, year) VALUES (?, ?, ?, ?, ?, ?)"
    database.executemany(statement, rows)
    database.commit()
    return database


def _list_columns(number: int, work: dict[str, Any]) -> Sequence[object]:
    people = " ".join(f"{person['given']} {person['family']}" for person in work["author"])
    year = work["issued"]["date-parts"][0][0]
    agency = "datacite" if is_data_set(number) else "crossref"
    return number, agency, work["title"], people, work.get("container-title", ""), str(year)
