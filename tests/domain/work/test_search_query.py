"""What a row is searched by, and when it says too little."""

from unicodedata import normalize

import pytest

from resolver.domain.work.row_work import RowWork
from resolver.domain.work.search_query import LONGEST_QUERY_CHARACTERS, SearchQuery, build_search_query

TITLE = "Effective strategies for the inclusion of children"


def test_a_title_is_searched_with_the_first_surname_the_journal_and_the_year():
    work = RowWork(TITLE, ("Crosland, Kimberly and Dunlap, Glen",), "2012-03-01", "Behavior Modification")
    query = build_search_query(work)
    assert query is not None
    assert query.bibliographic == f"{TITLE} Crosland Behavior Modification 2012"


@pytest.mark.parametrize(
    "work",
    [
        RowWork("Annual report", ("Nobody, A.",), "1999"),
        RowWork(TITLE),
        RowWork("", ("Crosland, K.",), "2012", "Behavior Modification"),
        RowWork(text="Vorotyntsev, Sov. Electrochem. 20"),
        RowWork(text="see the list of works by the same author in this volume"),
    ],
    ids=["short title", "title alone", "no title", "short reference", "text without a year"],
)
def test_a_row_that_says_too_little_is_not_searched(work):
    assert build_search_query(work) is None


def test_a_title_alone_is_enough_where_a_person_chooses():
    query = build_search_query(RowWork(f"{TITLE} https://example.org/a"), title_alone=True)
    assert query is not None
    assert query.bibliographic == TITLE
    for title in ("Annual report of", "https://example.org/a/b/c/d", ""):
        assert build_search_query(RowWork(title), title_alone=True) is None


@pytest.mark.parametrize("name", ["Müller, Jörg", "J. Müller", "Müller J", "Jörg Müller"])
def test_initials_are_not_sent(name):
    query = build_search_query(RowWork(TITLE, (name,)))
    assert query is not None
    assert "Müller" in query.author
    assert "J." not in query.author.split()
    assert "J" not in query.author.split()


def test_a_reference_is_searched_without_its_doi_and_addresses():
    text = f"Crosland K. {TITLE}. Behav Modif. 2012;36:251-69. doi: 10.1177/0145445512442682 https://example.org/a"
    query = build_search_query(RowWork(text=text))
    assert query is not None
    assert query.bibliographic == f"Crosland K. {TITLE}. Behav Modif. 2012;36:251-69."


def find_key(title, year="2012"):
    query = build_search_query(RowWork(title, ("Crosland, K.",), year))
    assert query is not None
    return query.key


@pytest.mark.parametrize(
    "title", [TITLE, "Bücher der Universität Århus", "ελληνικής γλώσσας ιστορία ΐ", "тысяча й ё слов"]
)
def test_case_blanks_and_composition_are_no_matter_for_the_key(title):
    loud = normalize("NFD", title.upper()).replace(" ", "\t ")
    assert find_key(title) == find_key(loud) != find_key(title, "2013")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("किताबों की दुनिया में हिन्दी", "कताब का दनय म हनद"),
        ("ที่นี่ เป็น ประวัติ ของ ภาษาไทย", "ทน เปน ประวต ของ ภาษาไทย"),
        ("Die Maße der alten Welt", "Die Masse der alten Welt"),
        ("Bucher der alten Universitat", "Bücher der alten Universität"),
        ("Owls & their silent flight", "Owls and their silent flight"),
        ("Notes on C++ for beginners", "Notes on C for beginners"),
        ("Notes on 2.0 for beginners", "Notes on 20 for beginners"),
    ],
)
def test_different_queries_have_different_keys(one, other):
    assert find_key(one) != find_key(other)


def test_a_word_in_another_part_makes_another_key():
    assert SearchQuery("a b", "c").key != SearchQuery("a", "b c").key != SearchQuery("a", "b", "c").key


@pytest.mark.parametrize(
    ("title", "enough"),
    [
        ("& & & & & +", False),
        ("Owls & owls +", False),
        ("' _ \u0301 - Owls", False),
        ("किताबों की दुनिया", False),
        ("किताबों की दुनिया में", True),
        ("鳥の研究", True),
        ("鳥類", False),
        ("한국어 역사", True),
        ("ประวัติศาสตร์", False),
        ("ประวัติศาสตร์ของภาษาไทยและที่นี่", True),
        ("Owls—their silent flight", True),
    ],
)
def test_a_title_has_four_words_that_are_sent(title, enough):
    query = build_search_query(RowWork(normalize("NFD", title), ("Crosland, K.",), "2012"))
    assert (query is not None) is enough


def test_a_row_of_a_data_repository_is_known_as_one():
    query = build_search_query(RowWork("Soil moisture in the Alps", ("Crosland, K.",), "2012", "Zenodo"))
    assert query is not None
    assert query.of_data


def test_a_long_text_is_cut():
    query = build_search_query(RowWork("word " * 100_000, ("x" * 100_000,), "9" * 100_000, "y" * 100_000))
    assert query is not None
    assert len(query.bibliographic) <= 4 * LONGEST_QUERY_CHARACTERS
