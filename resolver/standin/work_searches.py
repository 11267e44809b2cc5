"""Searches for the sample works, as the services answer them. None of them judges what it ranks.

Crossref, `/works?query.bibliographic=`: always the works that have most of the words, five of them if there is no
other number in `rows`, however little they fit. DataCite, `/dois?query=titles.title:(…)`, and OpenAlex,
`/works?search=`: only works with all words in the title; DataCite with any if the words are joined by OR.
biblio-glutton, `/service/lookup?atitle=…&firstAuthor=…` or `?biblio=…`: the best work, if all words of its title are
in the query, else 404.
"""

import json
import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs
from zlib import crc32

from resolver.standin import http_replies
from resolver.standin.http_replies import HttpReply
from resolver.standin.sample_answers import SLOW_ANSWER_SECONDS
from resolver.standin.sample_works import WORKS, build_sample_work, is_data_set
from resolver.standin.work_index import WORK_INDEX, match_words, split_query
from resolver.standin.work_services import MOST_LISTED, write_for_crossref, write_for_datacite

USUAL_ROWS = 5
_FAULT = re.compile(r"\bfault ([a-z]+)", re.IGNORECASE)
_FIELD = re.compile(r"(titles\.title|creators\.name):\(([^()]*)\)")


def answer_search(path: str, query: str) -> HttpReply | None:
    """Return the answer to a search for works; None if the request is none. With "fault" and one of the words busy,
    limit, garbage, html, forbidden, reset, slow in the query it fails so."""
    if path not in ("/works", "/dois", "/service/lookup"):
        return None
    fields = {name: values[0] for name, values in parse_qs(query).items()}
    match path:
        case "/works" if text := fields.get("query.bibliographic", ""):
            items = [write_for_crossref(work) for work in _search_crossref(text, _read_size(fields, "rows"))]
            reply = _build_reply({"status": "ok", "message": {"items": items}})
        case "/works" if text := fields.get("search", ""):
            works = _search_openalex(text, _read_size(fields, "per-page"))
            reply = _build_reply({"results": [_write_for_openalex(work) for work in works]})
        case "/dois" if text := fields.get("query", ""):
            works = _search_datacite(text, _read_size(fields, "page[size]"))
            reply = _build_reply({"data": [write_for_datacite(work) for work in works]})
        case "/service/lookup":
            text = " ".join(fields.get(name, "") for name in ("atitle", "firstAuthor", "jtitle", "year", "biblio"))
            reply = _look_up(text)
        case _:
            return None
    return _choose_fault(text, reply)


def _read_size(fields: dict[str, str], name: str) -> int:
    text = fields.get(name, "")
    return min(int(text), MOST_LISTED) if text.isascii() and text.isdigit() and len(text) < 5 else USUAL_ROWS


def _find(condition: str, most: int) -> list[dict[str, Any]]:
    return [build_sample_work(number) for number in WORK_INDEX.rank(condition, most)]


def _search_crossref(text: str, most: int) -> list[dict[str, Any]]:
    words = split_query(text)
    found = WORK_INDEX.rank(f"agency : crossref AND {match_words(words, 'OR')}", most) if words else []
    start = crc32(text.encode("utf-8", "replace")) % WORKS
    others = (number % WORKS for number in range(start, start + WORKS) if not is_data_set(number % WORKS))
    while len(found) < most:
        found += [number for number in [next(others)] if number not in found]
    return [build_sample_work(number) for number in found]


def _search_datacite(text: str, most: int) -> list[dict[str, Any]]:
    """Read what our client sends of the query language: words of the title, and perhaps of its authors, which only
    raise the rank. Any other query means its words in the title."""
    parts = dict(_FIELD.findall(text))
    title = parts.get("titles.title", text)
    words, people = split_query(title.replace(" OR ", " ")), split_query(parts.get("creators.name", ""))
    if not words:
        return []
    condition = match_words(words, "OR" if " OR " in title else "AND", "title")
    if people:
        condition = f"(({condition}) OR (({condition}) AND {match_words(people, 'AND', 'people')}))"
    return _find(f"agency : datacite AND ({condition})", most)


def _search_openalex(text: str, most: int) -> list[dict[str, Any]]:
    words = split_query(text)
    return _find(match_words(words, "AND", "title"), most) if words else []


def _look_up(text: str) -> HttpReply:
    asked = split_query(text)
    for work in _find(match_words(asked, "OR"), USUAL_ROWS) if asked else []:
        if set(split_query(work["title"])) <= set(asked):
            return _build_reply(write_for_crossref(work))
    return replace(_build_reply({"message": "No matching document found"}), status=404)


def _build_reply(body: dict[str, Any]) -> HttpReply:
    return HttpReply(200, json.dumps(body).encode(), {"Content-Type": "application/json"})


def _choose_fault(text: str, reply: HttpReply) -> HttpReply:
    found = _FAULT.search(text)
    word = found[1].lower() if found else ""
    return replace(reply, delay=SLOW_ANSWER_SECONDS) if word == "slow" else http_replies.FAULTY.get(word, reply)


def _write_for_openalex(work: dict[str, Any]) -> dict[str, Any]:
    people = [f"{person['given']} {person['family']}" for person in work["author"]]
    source = {"display_name": work.get("container-title"), "host_organization_name": work["publisher"]}
    page = work.get("page", "")
    return {
        "doi": f"https://doi.org/{work['DOI']}",
        "title": work["title"],
        "authorships": [{"raw_author_name": name, "author": {"display_name": name}} for name in people],
        "publication_year": work["issued"]["date-parts"][0][0],
        "primary_location": {"source": source},
        "biblio": {"volume": work.get("volume"), "first_page": page.partition("-")[0] or None},
        "type": {"article-journal": "article", "posted-content": "preprint"}.get(work["type"], work["type"]),
    }
