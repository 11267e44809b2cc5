"""Watches of lists that compare their rows with the works of their DOIs."""

from typing import Any

import pytest
from django.utils import timezone

from resolver.domain.work.authors import Person
from resolver.domain.work.metadata import WorkMetadata
from resolver.models import WatchedRow
from resolver.services.proxy_answers.cache import store_metadata
from resolver.services.watches.registration import WatchRefused, update_watch
from tests.services.conftest import NOW
from tests.services.watches.conftest import NAMES, WatchScene

pytestmark = pytest.mark.django_db(transaction=True)

B = "10.77/b"
LIST = "doi,title,author\n" + "".join(f"{name},Sample title of {name},Sample\n" for name in NAMES)
ANOTHER = WorkMetadata(
    doi=B, title="On owls", titles=("On owls",), people=(Person("Strix", "A"),), first_author="Strix, A", years=(1901,)
)


@pytest.fixture(autouse=True)
def _services(settings: Any, scene: WatchScene) -> None:
    settings.METADATA_SERVICE_URL, settings.CONTACT_EMAIL = scene.server.url, "library@example.org"


def exchange_work(scene: WatchScene) -> None:
    store_metadata({B: ANOTHER}, proxy=scene.proxy.base_url, now=timezone.now())


def test_a_doi_that_now_stands_for_another_work_is_a_change_and_so_is_its_return(scene: WatchScene) -> None:
    watch = scene.begin(scene.list_checked(LIST, compare=True))
    assert watch.compare
    exchange_work(scene)
    scene.do_due()
    assert scene.told() == []
    scene.next_day()
    assert scene.told() == [(B, False)]
    assert WatchedRow.objects.get().outcome == "other-work"
    first = WorkMetadata(
        doi=B, title=f"Sample title of {B}", titles=(f"Sample title of {B}",), people=(Person("Sample"),)
    )
    store_metadata({B: first}, proxy=scene.proxy.base_url, now=timezone.now())
    scene.next_day()
    assert scene.told() == [(B, False), (B, True)]


def test_a_watch_that_compares_no_works_says_nothing_of_them(scene: WatchScene) -> None:
    exchange_work(scene)
    watch = scene.begin(scene.list_checked(LIST, compare=True), compare=False)
    assert WatchedRow.objects.get().outcome == "other-work"
    scene.do_due()
    scene.next_day()
    assert scene.told() == []
    with pytest.raises(WatchRefused, match="not-compared"):
        scene.begin(scene.list_checked(LIST), compare=True)
    update_watch(watch, {"compare": True}, now=NOW)
    assert watch.compare


def test_an_agency_that_gives_no_answer_is_no_change(scene: WatchScene, settings: Any) -> None:
    exchange_work(scene)
    scene.begin(scene.list_checked(LIST, compare=True))
    settings.METADATA_SERVICE_URL, settings.METADATA_FRESH_DAYS = "http://127.0.0.1:9", 0
    settings.DOI_PROXY_ATTEMPTS = 1
    scene.do_due()
    scene.next_day()
    assert scene.told() == []
