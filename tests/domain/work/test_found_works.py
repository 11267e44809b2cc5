"""Which hits of a search are offered for a row, and which one is suggested."""

import pytest

from resolver.domain.work.authors import Person
from resolver.domain.work.evidence import WorkVerdict
from resolver.domain.work.found_works import MOST_OFFERED, Hit, SearchedWork, choose_works
from resolver.domain.work.metadata import WorkMetadata
from resolver.domain.work.row_work import RowWork

TITLE = "Effective strategies for the inclusion of children"
ROW = RowWork(TITLE, ("Crosland, Kimberly",), "2012", "Behavior Modification", "36", "251")


def _hit(doi, *, title=TITLE, family="Crosland", year=2012, container="Behavior Modification", **more):
    record = WorkMetadata(
        doi=doi, title=title, titles=(title,), people=(Person(family, "K."),), year=year, years=(year,),
        container=container, containers=(container,), **more,
    )  # fmt: skip
    return Hit(record, "Crossref")


def _choose(*hits, row=ROW, **options):
    works, suggested = choose_works(row, hits, **options)
    return [work.doi for work in works], suggested


def test_the_only_same_work_is_suggested():
    assert _choose(_hit("10.1/other", title="Something else"), _hit("10.1/right")) == (["10.1/right"], "10.1/right")


@pytest.mark.parametrize(
    "hit",
    [
        _hit("10.1/a", title="Effective strategies for the exclusion of children"),
        _hit("10.1/a", title="Quite another title", family="Nobody", year=1970),
    ],
    ids=["one other word", "another work"],
)
def test_a_hit_with_another_title_is_not_offered(hit):
    assert _choose(hit) == ([], "")


def test_an_equal_title_by_other_authors_is_offered_and_not_suggested():
    assert _choose(_hit("10.1/a", family="Nobody")) == (["10.1/a"], "")


def test_an_equal_title_of_another_decade_is_offered_and_not_suggested():
    assert _choose(_hit("10.1/a", year=1992)) == (["10.1/a"], "")


def test_of_two_same_works_none_is_suggested():
    row = RowWork(TITLE, ("Crosland, Kimberly",), "2012")
    assert _choose(_hit("10.1/a"), _hit("10.1/b"), row=row) == (["10.1/a", "10.1/b"], "")


def test_of_a_preprint_and_an_article_the_one_in_the_journal_of_the_row_is_suggested():
    preprint = _hit("10.1101/a", container="bioRxiv", type="posted-content")
    assert _choose(preprint, _hit("10.1/b")) == (["10.1/b", "10.1101/a"], "10.1/b")


def test_a_work_is_not_suggested_where_the_row_names_no_author():
    assert _choose(_hit("10.1/a"), row=RowWork(TITLE, (), "2012"))[1] == ""


def test_the_doi_of_the_row_is_not_offered_again():
    assert _choose(_hit("10.1/A"), without="10.1/a") == ([], "")


def test_a_work_that_two_services_list_is_offered_once():
    assert _choose(_hit("10.1/a"), _hit("10.1/A")) == (["10.1/a"], "10.1/a")


def test_a_few_are_offered_of_many():
    works, suggested = choose_works(ROW, [_hit(f"10.1/{place}") for place in range(10_000)])
    assert (len(works), suggested) == (MOST_OFFERED, "")


def test_a_search_says_what_it_came_to():
    works, suggested = choose_works(ROW, [_hit("10.1/a")])
    assert works[0].comparison.verdict is WorkVerdict.SAME
    assert SearchedWork(works, suggested).found_by == "Crossref"
    assert SearchedWork().found_by == "none"
    assert SearchedWork(too_little=True).found_by == "too-little"
