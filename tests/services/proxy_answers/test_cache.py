"""Stored answers: for a day, for one proxy, and never a failure."""

from datetime import timedelta

import pytest

from resolver.domain.handle.record import Agency, Missing, NoValues, ProxyError, Resolution, Unreachable
from resolver.domain.handle.wire import record_from_raw
from resolver.models import StoredAnswer
from resolver.services.proxy_answers.cache import keep, recall
from tests.services.conftest import NOW

pytestmark = pytest.mark.django_db
PROXY = "https://doi.example"
RAW = {
    "responseCode": 1,
    "handle": "10.1000/Abc",
    "values": [{"index": 1, "type": "URL", "data": {"format": "string", "value": "https://example.org/"}}],
}


def test_a_record_and_its_agency_come_back_for_an_equivalent_name() -> None:
    keep({"10.1000/Abc": Resolution(record_from_raw(RAW))}, {}, proxy=PROXY, now=NOW)
    keep({}, {"10.1000/ABC": Agency("10.1000/ABC", ra="Crossref")}, proxy=PROXY, now=NOW)
    known = recall(["10.1000/abC"], proxy=PROXY, now=NOW)["10.1000/abc"]
    assert known.resolution is not None
    assert known.resolution.answer.raw["handle"] == "10.1000/abC"
    assert known.agency == Agency("10.1000/abC", ra="Crossref")
    assert StoredAnswer.objects.count() == 1


@pytest.mark.clause("S8")
def test_only_a_to_z_are_folded() -> None:
    keep({"10.1000/Á": Resolution(Missing())}, {}, proxy=PROXY, now=NOW)
    assert recall(["10.1000/á"], proxy=PROXY, now=NOW) == {}


@pytest.mark.clause("P13")
def test_an_answer_is_fresh_for_24_hours() -> None:
    keep({"10.1000/1": Resolution(Missing())}, {}, proxy=PROXY, now=NOW)
    day = timedelta(hours=24)
    assert recall(["10.1000/1"], proxy=PROXY, now=NOW + day)["10.1000/1"].resolution is not None
    later = recall(["10.1000/1"], proxy=PROXY, now=NOW + day + timedelta(seconds=1))
    assert later["10.1000/1"].resolution is None


@pytest.mark.clause("P13")
def test_an_agency_is_fresh_for_24_hours() -> None:
    keep({}, {"10.1000/1": Agency("10.1000/1", ra="Crossref")}, proxy=PROXY, now=NOW)
    day = timedelta(hours=24)
    assert recall(["10.1000/1"], proxy=PROXY, now=NOW + day)["10.1000/1"].agency is not None
    assert recall(["10.1000/1"], proxy=PROXY, now=NOW + day + timedelta(seconds=1))["10.1000/1"].agency is None


def test_answers_of_one_proxy_are_not_those_of_another() -> None:
    keep({"10.1000/1": Resolution(Missing())}, {}, proxy=PROXY, now=NOW)
    assert recall(["10.1000/1"], proxy="https://other.example", now=NOW) == {}


def test_failures_are_not_stored() -> None:
    keep({"a": Resolution(ProxyError("x")), "b": Resolution(Unreachable("x"))}, {}, proxy=PROXY, now=NOW)
    keep({}, {"a": ProxyError("x"), "b": Unreachable("x")}, proxy=PROXY, now=NOW)
    assert not StoredAnswer.objects.exists()


@pytest.mark.parametrize("answer", [Missing(), NoValues(), record_from_raw(RAW)])
def test_kinds_of_answers_come_back_as_they_were(answer: Missing | NoValues) -> None:
    keep({"10.1000/Abc": Resolution(answer)}, {}, proxy=PROXY, now=NOW)
    assert recall(["10.1000/Abc"], proxy=PROXY, now=NOW)["10.1000/abc"].resolution == Resolution(answer)


@pytest.mark.clause("S7")
def test_a_very_long_name_is_stored_too() -> None:
    name = "10.1000/" + "ž" * 20_000
    keep({name: Resolution(Missing())}, {}, proxy=PROXY, now=NOW)
    assert name in recall([name], proxy=PROXY, now=NOW)
