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


@pytest.mark.parametrize(
    ("hit", "suggested"),
    [
        (_hit("10.1/review", container="Contemporary Psychology", first_page="9"), ""),
        (_hit("10.1/renamed", container="Behaviour Changed", first_page="251"), "10.1/renamed"),
        (_hit("10.1/abbreviated", container="Behav Modif"), "10.1/abbreviated"),
    ],
)
def test_a_work_in_another_journal_is_suggested_only_with_the_first_page_of_the_row(hit, suggested):
    assert _choose(hit) == ([hit.record.doi], suggested)


def test_a_year_that_is_not_the_same_is_no_proof_by_itself():
    row = RowWork(TITLE, ("Crosland, Kimberly",), "2012")
    assert _choose(_hit("10.1/a", year=2013), row=row) == (["10.1/a"], "")
    assert _choose(_hit("10.1/a", year=2013)) == (["10.1/a"], "10.1/a")


def test_a_preprint_is_suggested_only_where_the_row_names_no_other_place():
    preprint = _hit("10.1101/a", container="", type="posted-content")
    assert _choose(preprint) == (["10.1101/a"], "")
    assert _choose(preprint, row=RowWork(TITLE, ("Crosland",), "2012"))[1] == "10.1101/a"


REFERENCE = "Crosland K, Dunlap G (2012) Effective strategies for the inclusion of children. Behav Modif 36:251–269"


@pytest.mark.parametrize(
    ("hit", "suggested"),
    [
        (_hit("10.1/right"), True),
        (_hit("10.1/right", year=2011), True),
        (_hit("10.1/right", title="Effective stratgies for the inclusion of children"), True),
        (_hit("10.1/page", container="Verhaltensmodifikation", first_page="251"), True),
        (_hit("10.1/review", container="Contemporary Psychology", first_page="9"), False),
        (_hit("10.1/preprint", container="", type="posted-content"), False),
        (_hit("10.1/part", title=f"{TITLE}. Part 2"), False),
        (_hit("10.1/reply", title=f"{TITLE}: A reply"), False),
        (_hit("10.1/shorter", title="Effective strategies for the inclusion"), False),
        (_hit("10.1/longer", title=f"{TITLE} in towns"), False),
        (_hit("10.1/inside", title="Inclusion of children"), False),
    ],
    ids=lambda value: value.record.doi if isinstance(value, Hit) else "",
)
def test_a_whole_reference_gets_the_work_of_its_title_in_its_journal(hit, suggested):
    assert _choose(hit, row=RowWork(text=REFERENCE))[1] == (hit.record.doi if suggested else "")


def test_a_short_title_in_a_reference_needs_its_journal_or_page():
    row = RowWork(text="Crosland K (2012) Types and tokens. Available at the address of the encyclopedia")
    assert _choose(_hit("10.1/book", title="Types and tokens", container=""), row=row) == (["10.1/book"], "")
    row = RowWork(text="Crosland K (2012) Types and tokens. Behav Modif 36:251-269")
    assert _choose(_hit("10.1/a", title="Types and tokens"), row=row)[1] == "10.1/a"


def test_of_two_same_works_the_one_in_the_journal_of_the_reference_is_suggested():
    preprint = _hit("10.1101/a", container="bioRxiv", type="posted-content")
    row = RowWork(text=REFERENCE)
    assert _choose(preprint, _hit("10.1/b"), row=row) == (["10.1/b", "10.1101/a"], "10.1/b")


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
