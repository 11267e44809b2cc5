"""What clients send as `queries` and `extend`: JSON by strangers, bounded and checked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NoReturn

from django.conf import settings

from resolver.domain.foreign_text import parse_whole_number
from resolver.domain.work.authors import MOST_AUTHORS
from resolver.domain.work.row_work import RowWork
from resolver.domain.work.words import LONGEST_TEXT_CHARACTERS
from resolver.reconcile.errors import ReconcileError

BATCH_SIZE = 50
"""Queries of a batch, and ids of an extension: as many as fit into one Which RA request."""
MOST_CANDIDATES = 20  # of one query
DESCRIBING = ("title", "author", "year", "container")
"""The properties of a query with which the work of a candidate is compared."""
MOST_PROPERTIES = 100  # of one query that are read


@dataclass(frozen=True, slots=True)
class ReconcileQuery:
    """One cell, how many candidates are wanted, and the work that other cells of its row describe."""

    text: str
    limit: int = MOST_CANDIDATES
    work: RowWork | None = None


def read_queries(raw: str) -> dict[str, ReconcileQuery]:
    """Return the queries of a batch by their keys, in order. Types are ignored: there is one. So are properties that
    describe no work. Raises ReconcileError (400, 413)."""
    batch = _load(raw, "queries")
    if not isinstance(batch, dict):
        _refuse('"queries" must be an object with a query for each key.')
    _check_number(batch, "queries")
    queries = {key: _read_query(key, query) for key, query in batch.items()}
    _check_length(query.text for query in queries.values())
    return queries


def read_extension(raw: str, known: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the distinct ids of an extension, and the properties wanted of each. `known`: the properties that exist.
    Raises ReconcileError (400, 413)."""
    query = _load(raw, "extend")
    ids, wanted = (query.get("ids"), query.get("properties")) if isinstance(query, dict) else (None, None)
    if not (isinstance(ids, list) and isinstance(wanted, list) and _is_each(ids, str) and _is_each(wanted, dict)):
        _refuse('"extend" must be an object with "ids", a list of texts, and "properties", a list of objects.')
    _check_number(ids, "ids")
    _check_length(ids)
    names = [entry.get("id") for entry in wanted]
    unknown = [name for name in names if not isinstance(name, str) or name not in known]
    if unknown:
        _refuse(f"There is no property {json.dumps(unknown[0])[:100]}. There are: {', '.join(known)}.")
    return list(dict.fromkeys(ids)), list(dict.fromkeys(names))


def read_limit(value: Any) -> int:
    """Return the number of candidates wanted, from JSON or from a query parameter. Raises ReconcileError (400)."""
    if isinstance(value, str):
        value = parse_whole_number(value, MOST_CANDIDATES)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 1:
        _refuse('"limit" must be a number of 1 or more.')
    return int(min(value, MOST_CANDIDATES))


def _read_query(key: str, query: Any) -> ReconcileQuery:
    if not isinstance(query, dict):
        _refuse(f"The query {json.dumps(key)[:100]} must be an object.")
    text = query.get("query", "")
    if isinstance(text, int | float) and not isinstance(text, bool):  # a column of numbers, from a script
        text = str(text)
    if not isinstance(text, str):
        _refuse(f'The member "query" of {json.dumps(key)[:100]} must be a text.')
    limit, work = query.get("limit"), _read_work(query.get("properties"))
    return ReconcileQuery(text, MOST_CANDIDATES if limit is None else read_limit(limit), work)


def _read_work(properties: Any) -> RowWork | None:
    """Return what the properties (0.2, section 4.1.1) say about the work; None if they say nothing."""
    texts: dict[str, list[str]] = {name: [] for name in DESCRIBING}
    for entry in properties[:MOST_PROPERTIES] if isinstance(properties, list) else []:
        name = entry.get("pid") if isinstance(entry, dict) else None
        if isinstance(name, str) and name in texts:
            texts[name] += _list_texts(entry.get("v"))
    if not any(texts.values()):
        return None
    title, year, container = (next(iter(texts[name]), "") for name in ("title", "year", "container"))
    return RowWork(title, tuple(texts["author"][:MOST_AUTHORS]), year, container)


def _list_texts(value: Any) -> list[str]:
    """Return the texts of a property's value: a text, a number, an entity with a name, or a list of these."""
    values = value[:MOST_AUTHORS] if isinstance(value, list) else [value]
    named = [one.get("name") if isinstance(one, dict) else one for one in values]
    texts = [str(one) for one in named if isinstance(one, str | int | float) and not isinstance(one, bool)]
    return [text[:LONGEST_TEXT_CHARACTERS] for text in texts if text.strip()]


def _load(raw: str, name: str) -> Any:
    # JSON has up to 6 characters for one of a text (`\u00e9`), and others around the texts: types, properties, keys.
    longest = 6 * settings.MAX_INSPECTED + 200_000
    if len(raw) > longest:
        raise ReconcileError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f'"{name}" is longer than the limit of {longest:,} characters.'
        )
    try:
        return json.loads(raw, parse_constant=_refuse_constant)
    except RecursionError:
        _refuse(f'"{name}" is nested too deeply.')
    except ValueError:
        _refuse(f'"{name}" must be JSON.')


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(text)


def _check_number(items: Sequence[Any] | Mapping[str, Any], name: str) -> None:
    if len(items) > BATCH_SIZE:
        raise ReconcileError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"There are {len(items):,} {name}. Send at most {BATCH_SIZE} in one request.",
        )


def _check_length(texts: Any) -> None:
    longest = settings.MAX_INSPECTED
    if sum(map(len, texts)) > longest:
        raise ReconcileError(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            f"The texts together are longer than the limit of {longest:,} characters.",
        )


def _is_each(values: list[Any], kind: type) -> bool:
    return all(isinstance(value, kind) for value in values)


def _refuse(detail: str) -> NoReturn:
    raise ReconcileError(HTTPStatus.BAD_REQUEST, detail)
