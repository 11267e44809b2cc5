"""The 20,000 sample works: found by their words, as each service finds works, and described by their DOIs."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from resolver.domain.work.metadata import WorkMetadata
from resolver.domain.work.openalex_answers import decode_openalex_works
from resolver.domain.work.search_query import SearchQuery
from resolver.domain.work.service_answers import (
    decode_crossref_record,
    decode_crossref_works,
    decode_datacite_works,
    says_no_record,
)
from resolver.proxy.work_searches import SEARCH_SERVICES, choose_own_service
from resolver.standin.sample_works import WORKS, build_sample_work, find_sample_number, is_data_set
from resolver.standin.work_index import WorkIndex, match_words, split_query
from resolver.standin.work_services import CSL_JSON
from tests.standin.conftest import Caller

ROOT = Path(__file__).parents[2]
LOOKUP = choose_own_service("http://x/service/lookup")
ARTICLES, DATA_SETS = (1, 42, 7_000, 19_996), (3, 4_010, 9_997)
NONSENSE = SearchQuery("Zzyzx qwertzu blorb unfindable", "Nobody", year="1899")


def build_query(work: dict[str, Any]) -> SearchQuery:
    author, year = work["author"][0]["family"], str(work["issued"]["date-parts"][0][0])
    return SearchQuery(work["title"].upper(), author, work.get("container-title", ""), year)


def search(get: Caller, service: str, query: SearchQuery) -> list[WorkMetadata]:
    asked = SEARCH_SERVICES[service]
    got = get(asked.write(query))
    assert got.status == 200
    return list(asked.decode(got.body, "x").values())


def names(found: list[WorkMetadata]) -> list[str]:
    return [work.doi for work in found]


@pytest.mark.parametrize("number", ARTICLES)
def test_crossref_finds_an_article_first_among_five(get: Caller, number: int) -> None:
    work = build_sample_work(number)
    found = search(get, "Crossref", build_query(work))
    assert (found[0].doi, found[0].title, len(set(names(found)))) == (work["DOI"], work["title"], 5)
    assert (found[0].first_page, found[0].volume) == (work["page"].partition("-")[0], work["volume"])


def test_crossref_finds_the_work_of_a_whole_reference(get: Caller) -> None:
    work = build_sample_work(42)
    text = f"{work['author'][0]['family']}, X. ({work['issued']['date-parts'][0][0]}). {work['title']}. "
    found = search(get, "Crossref", SearchQuery(text=f"{text}{work['container-title']}, {work['volume']}."))
    assert found[0].doi == work["DOI"]


@pytest.mark.parametrize("query", [NONSENSE, build_query(build_sample_work(3))])
def test_crossref_gives_five_works_even_where_none_fits(get: Caller, query: SearchQuery) -> None:
    found = search(get, "Crossref", query)
    assert len(set(names(found))) == 5
    assert not any(work.title == query.title for work in found)
    assert found == search(get, "Crossref", query)


@pytest.mark.parametrize("number", DATA_SETS)
def test_datacite_finds_data_only_by_all_words_of_the_title(get: Caller, number: int) -> None:
    work = build_sample_work(number)
    query = build_query(work)
    assert names(search(get, "DataCite", query))[:1] == [work["DOI"]]
    assert search(get, "DataCite", SearchQuery(f"{query.title} zzyzx", query.author)) == []
    assert search(get, "DataCite", build_query(build_sample_work(number + 1))) == []
    assert work["DOI"] in names(search(get, "DataCite", SearchQuery(text=f"Somebody: {work['title']}")))


@pytest.mark.parametrize("number", [*ARTICLES, *DATA_SETS])
def test_openalex_lists_works_of_both_and_only_by_all_words(get: Caller, number: int) -> None:
    query = build_query(build_sample_work(number))
    assert build_sample_work(number)["DOI"] in names(search(get, "OpenAlex", query))
    assert search(get, "OpenAlex", SearchQuery(f"{query.title} zzyzx")) == []


def test_a_glutton_gives_one_work_or_none(get: Caller) -> None:
    work = build_sample_work(42)
    for query in (build_query(work), SearchQuery(text=f"Somebody: {work['title']} (1999)")):
        got = get(f"/service/lookup{LOOKUP.write(query)}")
        assert list(decode_crossref_record(got.body, "x")) == [work["DOI"]]
    got = get(f"/service/lookup{LOOKUP.write(NONSENSE)}")
    assert (got.status, says_no_record(got.body)) == (404, True)


@pytest.mark.parametrize("number", [*ARTICLES, *DATA_SETS, 5, 8, 13])
def test_a_doi_is_registered_and_its_work_the_same_as_the_found_one(get: Caller, number: int) -> None:
    work = build_sample_work(number)
    name, agency = work["DOI"], "DataCite" if is_data_set(number) else "Crossref"
    assert get(f"/api/handles/{name}").json["responseCode"] == 1
    assert get(f"/doiRA/{name}").json == [{"DOI": name, "RA": agency}]
    assert get(f"/metadata/{name}", headers={"Accept": CSL_JSON}).json == work
    if agency == "Crossref":
        listed = decode_crossref_works(get(f"/works?filter=doi:{name}").body, "x")
    else:
        listed = decode_datacite_works(get(f"/dois?ids={name}").body, "x")
    found = search(get, agency, build_query(work))
    assert listed[name] in found


@pytest.mark.parametrize(
    "name",
    ["10.5072/sample-data-00004", "10.5072/sample-data-20003", "10.5072/sample-data-3", "10.5072/sample-work-00004"],
)
def test_no_other_name_of_the_prefix_of_data_exists(get: Caller, name: str) -> None:
    assert get(f"/api/handles/{name}").status == 404
    assert get(f"/doiRA/{name}").json[0]["status"] == "DOI does not exist"


def test_some_works_exist_twice_and_some_only_seem_to() -> None:
    article, preprint = build_sample_work(4), build_sample_work(5)
    assert (article["title"], article["author"]) == (preprint["title"], preprint["author"])
    assert preprint["relation"]["is-preprint-of"][0]["id"] == article["DOI"]
    assert article["relation"]["has-preprint"][0]["id"] == preprint["DOI"]
    work, namesake = build_sample_work(7), build_sample_work(8)
    assert work["title"] == namesake["title"]
    assert work["author"] != namesake["author"]
    work, sequel = build_sample_work(12), build_sample_work(13)
    assert (work["author"], work["issued"]) == (sequel["author"], sequel["issued"])
    assert len({*split_query(work["title"])} ^ {*split_query(sequel["title"])}) == 2


def test_the_example_of_the_documents_is_found(get: Caller) -> None:
    documents = " ".join((ROOT / "docs/for-operators.md").read_text().split())
    title, given, family, year = re.findall(r'One of them is "(.+?)" by (\w+) (\w+), (\d+)', documents)[0]
    first, second = search(get, "Crossref", SearchQuery(title, family, year=year))[:2]
    assert (first.title, first.first_author, first.year) == (title, f"{family}, {given}", int(year))
    assert (second.title, second.doi != first.doi) == (title, True)


def test_all_other_works_have_titles_of_their_own_and_names_that_lead_back_to_them() -> None:
    works = [build_sample_work(number) for number in range(WORKS)]
    assert [find_sample_number(work["DOI"].upper()) for work in works] == [*range(WORKS)]
    assert len({work["title"] for work in works}) == WORKS - 2 * WORKS // 20
    assert all(5 <= len(re.findall(r"\w+", work["title"])) <= 12 for work in works)
    assert sum(map(is_data_set, range(WORKS))) == WORKS * 15 // 100


def test_threads_that_search_first_at_the_same_time_get_the_same() -> None:
    index, title = WorkIndex(), build_sample_work(42)["title"]
    condition = match_words(split_query(title), "AND", "title")
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda _: index.rank(condition, 5), range(8))] == [[42]] * 8


@pytest.mark.parametrize(
    ("word", "status"), [("busy", 503), ("limit", 429), ("GARBAGE", 200), ("html", 200), ("forbidden", 403)]
)
@pytest.mark.parametrize(
    "path", ["/works?query.bibliographic=", "/works?search=", "/dois?query=", "/service/lookup?atitle="]
)
def test_a_search_fails_by_its_words(get: Caller, path: str, word: str, status: int) -> None:
    got = get(f"{path}On%20the%20fault%20{word}%20of%20owls")
    assert got.status == status
    assert not got.body.startswith(b'{"') or b"\xff" in got.body
    assert ("retry-after" in got.headers) is (status == 429)


HALF_A_PAIR = "\ud800".encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    "text",
    ['"', '" OR "', "owls*", "title : owls", "NEAR(a b)", "a\0b", HALF_A_PAIR, "AND", "(" * 999, "x" * 7000, "-5",
     "Ω ﬁ ß", "owls " * 1400, "titles.title:(", "titles.title:()", "titles.title:(owls) OR creators.name:(",
     "titles.title:(owls) OR creators.name:(?)"],
)  # fmt: skip
@pytest.mark.parametrize(
    "path", ["/works?query.bibliographic=", "/works?search=", "/dois?query=", "/service/lookup?biblio="]
)
def test_no_query_is_more_than_words(get: Caller, path: str, text: str | bytes) -> None:
    assert get(f"{path}{quote(text)}"[:8192]).status in (200, 404)


@pytest.mark.parametrize("size", ["-1", "", "x", "9999999999999", "²", "0"])
def test_no_size_is_more_than_the_most(get: Caller, size: str) -> None:
    got = get(f"/works?query.bibliographic=owls&rows={quote(size)}")
    assert len(json.loads(got.body)["message"]["items"]) == (0 if size == "0" else 5)
    assert len(get("/works?query.bibliographic=owls&rows=999").json["message"]["items"]) == 50


def test_openalex_says_what_crossref_says(get: Caller) -> None:
    work = build_sample_work(42)
    (found,) = decode_openalex_works(get(f"/works?search={quote(work['title'])}").body, "x").values()
    (same,) = decode_crossref_works(get(f"/works?filter=doi:{work['DOI']}").body, "x").values()
    for name in ("doi", "title", "year", "container", "volume", "first_page"):
        assert getattr(found, name) == getattr(same, name)
