"""The agencies' metadata services in miniature: CSL-JSON for one name, and Crossref's and DataCite's lists of works."""

import json
from typing import Any
from urllib.parse import parse_qs, unquote
from zlib import crc32

from doi_reading import fold
from resolver.standin import generated_names, http_replies
from resolver.standin.http_replies import HttpReply
from resolver.standin.sample_answers import SampleAnswers
from resolver.standin.sample_works import build_sample_work, find_sample_number

MOST_LISTED = 50
CSL_JSON = "application/vnd.citationstyles.csl+json"
WITH_METADATA = frozenset({"Crossref", "DataCite"})
_FAMILIES = ("Sample", "Mustermann", "Dupont", "Rossi", "Novák", "Jónsdóttir", "Yamada", "van der Berg")


def describe_work(name: str, answers: SampleAnswers, accept: str) -> HttpReply:
    """Return what the agency of the name answers to a request that accepts `accept`."""
    agency = answers.agency(name).ra
    word = generated_names.find_behaviour_word(generated_names.split_suffix(name))
    if agency is None:
        return http_replies.build_page_reply(404, "<!DOCTYPE html><title>Not found</title>")
    if agency not in WITH_METADATA or word == "unknownwork" or CSL_JSON not in accept:
        return http_replies.build_page_reply(406, "<!DOCTYPE html><title>Not acceptable</title>")
    work = _make_odd_work(name) if word == "oddwork" else _make_work(name, dataset=agency == "DataCite")
    return HttpReply(200, json.dumps(work).encode(), {"Content-Type": CSL_JSON})


def _make_work(name: str, *, dataset: bool) -> dict[str, Any]:
    """A sample work, or else an article or a dataset; the same for the same name in any case (S8)."""
    number = find_sample_number(name)
    if number is not None:
        return {**build_sample_work(number), "DOI": name}
    seed = crc32(fold(name).encode("utf-8", "replace"))
    work: dict[str, Any] = {
        "type": "dataset" if dataset else "article-journal",
        "DOI": name,
        "title": f"Sample title of {name}",
        "author": [
            {"family": _FAMILIES[seed % len(_FAMILIES)], "given": "Ada"},
            {"family": _FAMILIES[seed // 8 % len(_FAMILIES)], "given": "Émile"},
        ][: 1 + seed % 2],
        "issued": {"date-parts": [[1990 + seed % 35, 1 + seed % 12]]},
        "publisher": "Sample Publisher",
    }
    return work if dataset else {**work, "container-title": "Journal of Sample Data"}


def _make_odd_work(name: str) -> dict[str, Any]:
    return {
        "type": "dataset",
        "DOI": name,
        "title": ["H&lt;sub&gt;2&lt;/sub&gt;O &amp;amp; <i>E. coli</i>, p < 0.05\n <script>alert(1)</script>"],
        "author": [{"affiliation": []}, {"literal": "The <b>Sample</b> Consortium"}, None],
        "issued": {"raw": "published in May 2019"},
        "container-title": [],
        "publisher": {"name": "not a text"},
    }


def list_works(path: str, query: str, answers: SampleAnswers) -> HttpReply:
    """Return what Crossref answers to `/works?filter=doi:…`, `/works/<name>`, and DataCite to `/dois?ids=…` and
    `/dois/<name>`: of its own names alone, and of no name that isn't registered."""
    service, _, one = path[1:].partition("/")
    is_crossref = service == "works"
    fields = parse_qs(query)
    names = [unquote(one)] if one else _list_names(fields, is_crossref=is_crossref)
    agency = "Crossref" if is_crossref else "DataCite"
    words = {name: generated_names.find_behaviour_word(generated_names.split_suffix(name)) for name in names}
    works = [
        _make_odd_work(name) if words[name] == "oddwork" else _make_work(name, dataset=not is_crossref)
        for name in names[:MOST_LISTED]
        if answers.agency(name).ra == agency and words[name] != "unknownwork"
    ]
    if one and not works:
        return HttpReply(404, b"Resource not found.", {"Content-Type": "text/plain"})
    written = [write_for_crossref(work) if is_crossref else write_for_datacite(work) for work in works]
    if is_crossref:
        body: dict[str, Any] = {"status": "ok", "message": written[0] if one else {"items": written}}
    else:
        body = {"data": written[0] if one else written}
    return HttpReply(200, json.dumps(body).encode(), {"Content-Type": "application/json"})


def _list_names(fields: dict[str, list[str]], *, is_crossref: bool) -> list[str]:
    text = fields.get("filter" if is_crossref else "ids", [""])[0]
    names = (name.removeprefix("doi:") if is_crossref else name for name in text.split(","))
    return list({fold(name): name for name in names if name}.values())


def write_for_crossref(work: dict[str, Any]) -> dict[str, Any]:
    """Return the work in Crossref's own form: with lists of titles and journals."""
    lists = {name: [work[name]] for name in ("title", "container-title") if isinstance(work.get(name), str)}
    return {**work, **lists, "type": "posted-content" if work["type"] == "posted-content" else "journal-article"}


def write_for_datacite(work: dict[str, Any]) -> dict[str, Any]:
    """Return the work in DataCite's form, as JSON:API has it."""
    titles = work["title"] if isinstance(work["title"], list) else [work["title"]]
    return {
        "id": fold(work["DOI"]),
        "type": "dois",
        "attributes": {
            "doi": fold(work["DOI"]),
            "titles": [{"title": title} for title in titles],
            "creators": [
                {"familyName": person.get("family"), "givenName": person.get("given"), "name": person.get("literal")}
                for person in work["author"]
                if person
            ],
            "publicationYear": work["issued"].get("date-parts", [[2019]])[0][0],
            "publisher": work["publisher"],
            "types": {"citeproc": "dataset"},
        },
    }
