"""Pages by keyset: each item is on one page, from either end, whatever ties there are and whatever comes meanwhile."""

from datetime import timedelta

import pytest
from django.db.models import QuerySet

from resolver.models import Lookup
from resolver.services.storage.keyset import Edge, Page, build_page, filter_beyond, iterate_batches, read_page
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db

ORDERS = [("created_at", "pk"), ("-created_at", "-pk")]


def made(text: str, minute: int) -> Lookup:
    return Lookup(owner="me", created_at=NOW + timedelta(minutes=minute), input=text, form="none", outcome="invalid")


@pytest.fixture
def found() -> QuerySet[Lookup]:
    """Seven lookups, of which three were made at one moment and two at another."""
    minutes = (1, 2, 2, 2, 3, 4, 4)
    Lookup.objects.bulk_create(
        Lookup(
            owner="me", created_at=NOW + timedelta(minutes=minute), input=str(number), form="none", outcome="invalid"
        )
        for number, minute in enumerate(minutes)
    )
    return Lookup.objects.filter(owner="me")


def edge(item: Lookup, *, backwards: bool = False) -> Edge:
    return Edge((item.created_at, item.pk), backwards)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
@pytest.mark.parametrize("order", ORDERS)
def test_pages_hold_every_item_once_in_either_direction(
    found: QuerySet[Lookup], order: tuple[str, ...], size: int
) -> None:
    everything = list(found.order_by(*order))
    page = read_page(found, order, None, size)
    ahead = [page]
    while page.has_next:
        page = read_page(found, order, edge(page.items[-1]), size)
        ahead.append(page)
    assert [item for each in ahead for item in each.items] == everything
    back = [page]
    while page.has_previous:
        page = read_page(found, order, edge(page.items[0], backwards=True), size)
        back.append(page)
    assert [item for each in reversed(back) for item in each.items] == everything


def test_an_item_that_comes_meanwhile_moves_no_other_to_another_page(found: QuerySet[Lookup]) -> None:
    order = ("-created_at", "-pk")
    before = read_page(found, order, None, 3)
    made("new", 60).save()
    after = read_page(found, order, edge(before.items[-1]), 3)
    assert [item.input for item in after.items] == [item.input for item in found.order_by(*order)[4:7]]


def test_a_page_beyond_the_last_item_has_no_neighbours(found: QuerySet[Lookup]) -> None:
    last = found.order_by("-created_at", "-pk")[0]
    assert read_page(found, ("created_at", "pk"), edge(last), 3) == Page([], has_previous=False, has_next=False)


def test_a_page_that_was_cut_short_says_on_which_side_others_are() -> None:
    middle = Edge((5,))
    assert build_page([6, 7], middle, more=True) == Page([6, 7], has_previous=True, has_next=True)
    assert build_page([4, 3], Edge((5,), backwards=True), more=True) == Page([3, 4], has_previous=True, has_next=True)
    assert build_page([], middle, more=True) == Page([], has_previous=False, has_next=False)


@pytest.mark.parametrize("order", ORDERS)
def test_batches_are_all_items_in_order_and_none_is_longer(found: QuerySet[Lookup], order: tuple[str, ...]) -> None:
    taken = list(iterate_batches(found, order, 3))
    assert [len(batch) for batch in taken] == [3, 3, 1]
    assert [item for batch in taken for item in batch] == list(found.order_by(*order))


def test_an_order_that_goes_both_ways_is_refused(found: QuerySet[Lookup]) -> None:
    with pytest.raises(ValueError, match="go one way"):
        filter_beyond(found, ("created_at", "-id"), Edge((NOW, 1)))
