"""What the search services are sent of a row: whole words, in every script, or nothing; and what their 404 means."""

from typing import Any
from unicodedata import normalize
from urllib.parse import parse_qs, urlsplit

import pytest

from resolver.domain.handle.answers import Failure, ProxyError
from resolver.domain.work.search_query import SearchQuery
from resolver.proxy.client import ProxyClient
from resolver.proxy.limits import FileBudget
from resolver.proxy.work_searches import LONGEST_TEXT_BYTES, SEARCH_SERVICES, Hits, choose_own_service
from tests.proxy.conftest import config_for
from tests.proxy.raw_server import RawServer, http

TITLES = {
    "Latin": "Bücher der Universität Århus für Anfänger",
    "Vietnamese": "nghiên cứu về tiếng việt hiện đại",
    "Greek": "η ιστορία της ελληνικής γλώσσας",
    "Cyrillic": "история русской й музыки",
    "Hebrew": "תּוֹלְדוֹת הַסִּפְרוּת הָעִבְרִית",
    "Arabic": "تَارِيخُ الأَدَبِ العَرَبِيِّ الحَدِيثِ",
    "Persian": "کتاب‌های می‌خواهم فارسی",
    "Devanagari": "किताबों की दुनिया में हिन्दी",
    "Bengali": "বাংলা সাহিত্যের ইতিহাস",
    "Tamil": "தமிழ் இலக்கிய வரலாறு",
    "Telugu": "తెలుగు సాహిత్య చరిత్ర",
    "Sinhala": "ශ්‍රී ලංකාවේ ඉතිහාසය",
    "Thai": "ประวัติศาสตร์ของภาษาไทย ที่นี่",
    "Khmer": "ប្រវត្តិសាស្ត្រ ភាសាខ្មែរ",
    "Burmese": "မြန်မာ့သမိုင်း စာပေ",
    "Korean": "한국어 문학의 역사",
    "Japanese": "がくせいのための ガイドブック",
}


def ask(service: str, query: SearchQuery) -> str:
    """What is asked for in the address."""
    sent = parse_qs(urlsplit(SEARCH_SERVICES[service].write(query)).query)
    return sent[{"Crossref": "query.bibliographic", "DataCite": "query", "OpenAlex": "search"}[service]][0]


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("script", TITLES)
def test_words_are_sent_whole_and_composed(script: str, form: str) -> None:
    title = TITLES[script]
    query = SearchQuery(normalize(form, title))  # type: ignore[arg-type]
    whole = normalize("NFC", title)
    assert ask("Crossref", query) == whole
    assert ask("DataCite", query) == f"titles.title:({whole.lower()})"
    assert ask("OpenAlex", query) == whole.lower()
    sent = parse_qs(choose_own_service("http://x/service/lookup").write(query).removeprefix("?"))
    assert sent["atitle"] == [whole]


@pytest.mark.parametrize(
    ("title", "sent"),
    [
        ("İstanbul'da KIŞ", "istanbul'da kiş"),
        ("Uni\u00adversität", "universität"),
        ("\u200fתולדות\u200e הספרות\u200b עברית", "תולדות הספרות עברית"),
        ("U.S. trade, version 2.0: 1,5 %", "u.s trade version 2.0 1,5"),
        ("el col·leccionista d’art", "el col·leccionista d’art"),
        ("_owls_ AND \"owls\" (1999) a/b [c] {d} e:f", "owls and owls 1999 a b c d e f"),
        ("*? ~g ^h \\i & +j -k || l! <m> = n && o", "g h i j k l m n o"),
        ("a\u0301b \u0301 \u0301\u0302 c'", "áb c"),
        ("a\u200d \u200cb", "a b"),
    ],
)  # fmt: skip
def test_only_what_holds_a_word_together_is_sent_with_it(title: str, sent: str) -> None:
    assert ask("OpenAlex", SearchQuery(title)) == sent
    assert ask("DataCite", SearchQuery(title)) == f"titles.title:({sent})"


@pytest.mark.parametrize("text", ["", "& & & & & +", "' ’ _ \u0301 \u200d", "()", "\ud800 \x00"])
def test_a_query_without_words_is_sent_to_no_service(text: str) -> None:
    services = [*SEARCH_SERVICES.values(), choose_own_service("http://x/lookup"), choose_own_service("http://x")]
    for query in (SearchQuery(text), SearchQuery(text=text)):
        assert not any(service.takes(query) for service in services)


def test_a_word_that_is_too_long_is_left_out_and_not_cut() -> None:
    run = "ประวัติศาสตร์" * 20
    assert ask("OpenAlex", SearchQuery(f"{run} ของ ภาษาไทย")) == "ของ ภาษาไทย"
    query = SearchQuery(run)
    assert [name for name, service in SEARCH_SERVICES.items() if service.takes(query)] == ["Crossref"]


@pytest.mark.parametrize("letter", ["a\u0301", "\u0301", "a.", "1,", "क\u094d\u200d", "'", "a ", "ก"])
def test_hostile_texts_stay_within_the_bounds(letter: str) -> None:
    query = SearchQuery(letter * 100_000, letter * 100_000)
    for service in SEARCH_SERVICES.values():
        assert len(service.write(query)) < 6 * LONGEST_TEXT_BYTES


def search_at(url: str, budget: FileBudget) -> Hits | Failure:
    with ProxyClient(config_for(url), budget, patience=3.0) as client:
        return client.search(SearchQuery("Owls"), choose_own_service(url), begin=lambda: None)


@pytest.mark.parametrize(
    "message",
    [
        "No matching document found",
        "No bibliographical record found",
        "No metadata available for post-validation",
        "Best bibliographical record did not passed the post-validation",
        "Cannot find records for the input query.",
        "Cannot find records or mapping Ids for the input query.",
        "Cannot find bibliographical records or map ID for the input query",
    ],
)
def test_a_biblio_glutton_says_in_its_own_words_that_nothing_fits(message: str, budget: FileBudget) -> None:
    with RawServer(lambda request: http(404, {"message": message})) as server:
        assert search_at(f"{server.url}/service/lookup", budget) == ()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Not Found</html>",
        b"[" * 100_000,
        [],
        {"code": 404, "message": "HTTP 404 Not Found"},
        {"code": 404, "message": "No matching document found"},
        {"message": "no Route matched with those values"},
        {"message": "Not Found"},
        {"message": ["No matching document found"]},
        {"message": "no " * 100_000},
        {"detail": "No record found"},
    ],
    ids="empty page nested list path code gateway short no-text long other".split(),
)
def test_another_404_is_a_failure_that_names_the_address_without_a_password(body: Any, budget: FileBudget) -> None:
    with RawServer(lambda request: http(404, body)) as server:
        with_password = server.url.replace("://", "://reader:s%23cret@")
        for root, asked in (
            (f"{with_password}/servce/lookup", f"{server.url}/servce/lookup"),
            (f"{with_password}/wrong", f"{server.url}/wrong/works"),
        ):
            assert search_at(root, budget) == ProxyError(f"{asked} answered with HTTP 404")
    assert len(server.requests) == 2, "another attempt would end in the same way"
