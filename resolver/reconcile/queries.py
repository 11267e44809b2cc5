"""What clients send as `queries` and `extend`: JSON by strangers, bounded and checked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NoReturn

from django.conf import settings

from resolver.domain.foreign_text import parse_whole_number
from resolver.reconcile.errors import ReconcileError

BATCH_SIZE = 50
"""Queries of a batch, and ids of an extension: as many as fit into one Which RA request."""
MOST_CANDIDATES = 20  # of one query


@dataclass(frozen=True, slots=True)
class ReconcileQuery:
    """One cell, and how many candidates are wanted."""

    text: str
    limit: int = MOST_CANDIDATES


def read_queries(raw: str) -> dict[str, ReconcileQuery]:
    """Return the queries of a batch by their keys, in order. Types and properties of a query are ignored: there is one
    type, and a DOI has no namesakes. Raises ReconcileError (400, 413)."""
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
    limit = query.get("limit")
    return ReconcileQuery(text) if limit is None else ReconcileQuery(text, read_limit(limit))


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
