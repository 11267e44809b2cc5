"""What `doctor` says of the list of retractions."""

from datetime import timedelta
from typing import Any

import pytest

from resolver.proxy.file_downloads import NoDownload
from resolver.services.health.findings import Level
from resolver.services.health.retraction_list import look_at_retractions
from resolver.services.retractions.load import load_retractions
from tests.retraction_list import SAMPLE
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db


def levels(**later: float) -> list[Level]:
    return [found.level for found in look_at_retractions(NOW + timedelta(**later))]


def test_a_portal_without_a_list_hears_nothing() -> None:
    assert levels() == []


def test_a_list_of_more_than_sixty_days_is_old() -> None:
    load_retractions(str(SAMPLE), now=NOW)
    assert levels() == [Level.OK]
    assert levels(days=59) == [Level.OK]
    assert levels(days=61) == [Level.ADVICE]


def test_a_refused_attempt_is_named_until_a_list_is_loaded() -> None:
    with pytest.raises(NoDownload):
        load_retractions("https://127.0.0.1/", now=NOW)
    assert levels() == [Level.ADVICE]
    load_retractions(str(SAMPLE), now=NOW + timedelta(hours=1))
    assert levels() == [Level.OK]


def test_an_address_without_https_is_a_fault(settings: Any) -> None:
    settings.RETRACTIONS_URL = "http://example.org/list.csv"
    assert levels() == [Level.FAULT]
