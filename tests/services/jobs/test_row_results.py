"""Rows know what lookups know: Which RA's own words, when the proxy answered, from the store or not, and locations."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from resolver.models import Lookup, Row, StoredAnswer
from resolver.services.jobs import import_rows
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.export import iterate_results
from resolver.services.turns.check import check_chunk
from resolver.services.turns.precheck import precheck_chunks
from tests.proxy import raw_server as raw
from tests.proxy.raw_server import Answer, RawServer, Request
from tests.services.conftest import NOW, make_job
from tests.sheets.result_tables import as_object, read_cells

pytestmark = pytest.mark.django_db(transaction=True)

LATER = NOW + timedelta(minutes=30)  # absence is kept an hour


def checked(text: str, proxy: DoiProxy, *, now: Any = NOW, **options: Any) -> list[Row]:
    job = make_job(f"doi\n{text}\n", proxy, **options)
    for chunk in import_rows.read_into_rows(job.pk, clock=lambda: now):
        check_chunk(chunk, proxy=proxy, clock=lambda: now)
    return list(Row.objects.filter(job=job).order_by("line"))


def looked_up(text: str, proxy: DoiProxy, *, now: Any = NOW) -> Lookup:
    return Lookup.objects.get(pk=create_lookup(text, owner="user:1", proxy=proxy, now=now).pk)


def test_a_row_has_which_ras_own_words(proxy: DoiProxy) -> None:
    missing, there = checked("10.5555/missing-w\n10.5555/there", proxy)
    assert (missing.ra, missing.ra_status) == ("", "DOI does not exist")
    assert (there.ra, there.ra_status) == ("Crossref", "")


@pytest.mark.clause("B2")
def test_a_row_keeps_the_order_of_its_problems(proxy: DoiProxy) -> None:
    text = "http://dx.doi.org/10.5555/a<b>c."
    (row,) = checked(text, proxy)
    codes = [problem["code"] for problem in looked_up(text, proxy).problems]
    assert row.problem_codes == tuple(dict.fromkeys(codes))
    assert list(row.problem_codes) != sorted(row.problem_codes)


def test_what_is_asked_now_was_answered_now(proxy: DoiProxy) -> None:
    for row in checked("10.5555/now\n10.5555/missing-now", proxy):
        assert (row.answered_at, row.checked_at, row.cached) == (NOW, NOW, False)
    found = looked_up("10.5555/now-too", proxy)
    assert (found.answered_at, found.cached) == (NOW, False)


@pytest.mark.parametrize("quick", [False, True])
def test_what_was_stored_was_answered_when_it_was_stored(quick: bool, proxy: DoiProxy) -> None:
    names = "10.5555/stored\n10.5555/missing-stored"
    checked(names, proxy, quick=quick)
    for row in checked(names, proxy, now=LATER, quick=quick):
        assert (row.answered_at, row.checked_at, row.cached) == (NOW, LATER, True)


def test_a_lookup_after_a_list_tells_when_the_list_was_answered(proxy: DoiProxy) -> None:
    checked("10.5555/first-in-a-list", proxy)
    found = looked_up("10.5555/first-in-a-list", proxy, now=LATER)
    assert (found.answered_at, found.created_at, found.cached) == (NOW, LATER, True)


def test_behind_aliases_the_oldest_answer_on_the_way_counts(proxy_at: Callable[..., DoiProxy]) -> None:
    def answer(request: Request) -> Answer:
        if request.target.startswith("/doiRA/"):
            return raw.agencies(request.names)
        alias = {"10.1/alias": "10.1/main"}.get(request.name)
        return raw.record(request.name, ("HS_ALIAS", alias)) if alias else raw.record(request.name)

    with RawServer(answer) as server:
        proxy = proxy_at(server.url)
        looked_up("10.1/alias", proxy, now=LATER)
        StoredAnswer.objects.filter(name="10.1/main").update(record_at=NOW)
        [row] = checked("10.1/alias", proxy, now=LATER + timedelta(hours=1))
    assert (row.alias_of, row.cached) == ("10.1/main", True)
    assert row.answered_at == NOW


def test_which_ra_asked_first_for_the_same_list_is_no_stored_answer(proxy: DoiProxy) -> None:
    job = make_job("doi\n" + "".join(f"10.5555/missing-s{n}\n" for n in range(60)), proxy)
    [chunk] = import_rows.read_into_rows(job.pk, clock=lambda: NOW)
    precheck_chunks(job.pk, proxy=proxy, clock=lambda: NOW)
    check_chunk(chunk, proxy=proxy, clock=lambda: LATER)
    rows = Row.objects.filter(job=job)
    assert set(rows.values_list("outcome", "cached", "answered_at")) == {("not-found", False, NOW)}


def test_a_row_without_an_answer_has_no_time_of_one(nowhere: DoiProxy) -> None:
    for row in checked("10.5555/a\nno DOI at all", nowhere):
        assert (row.answered_at, row.cached) == (None, False)


def test_json_lines_have_them(proxy: DoiProxy) -> None:
    checked("10.5555/missing-j", proxy)
    job = checked("10.5555/missing-j", proxy, now=LATER)[0].job
    [row] = iterate_results(job)
    told = as_object(row, ["doi"])
    assert told["ra_status"] == "DOI does not exist"
    assert (told["checked_at"], told["answered_at"]) == ("2026-03-01T12:30:00Z", "2026-03-01T12:00:00Z")
    assert told["cached"] is True


LOCATIONS = (
    '<locations><location id="1" href="https://example.org/a b" weight="1"/>'
    '<location id="2" href="javascript:alert(1)"/><location id="3" href=" http://example.com/{}"/>'
    '<location id="4" href="https://example.org/a%20b"/><location href="https://x.example/json" http_role="conneg"/>'
    "</locations>"
)


def at_locations(request: Request, xml: str = LOCATIONS) -> Answer:
    if request.target.startswith("/doiRA/"):
        return raw.agencies(request.names)
    return raw.record(request.name, ("10320/loc", xml))


@pytest.mark.clause("L1", "P3")
def test_a_record_with_locations_alone_has_their_addresses_in_rows_and_lookups(
    proxy_at: Callable[..., DoiProxy],
) -> None:
    with RawServer(at_locations) as server:
        proxy = proxy_at(server.url)
        [row] = checked("10.1/loc", proxy)
        found = looked_up("10.1/loc", proxy)
    assert (row.outcome, row.urls) == ("resolved", ["https://example.org/a%20b", "http://example.com/%7B%7D"])
    assert (found.outcome, found.urls) == (row.outcome, row.urls)
    assert (
        read_cells(next(iterate_results(row.job)))["url_values"]
        == "https://example.org/a%20b | http://example.com/%7B%7D"
    )


@pytest.mark.clause("L6")
@pytest.mark.parametrize("xml", ["<locations><location", "<!DOCTYPE x>", "<locations/>", "<x/>", "\0"])
def test_locations_that_cannot_be_read_give_no_addresses_and_no_error(
    xml: str, proxy_at: Callable[..., DoiProxy]
) -> None:
    with RawServer(lambda request: at_locations(request, xml)) as server:
        [row] = checked("10.1/odd", proxy_at(server.url))
    assert (row.outcome, row.urls) == ("resolved", [])


def test_of_very_many_locations_the_first_are_told(proxy_at: Callable[..., DoiProxy]) -> None:
    many = "".join(f'<location href="https://example.org/{n}"/>' for n in range(290))
    with RawServer(lambda request: at_locations(request, f"<locations>{many}</locations>")) as server:
        [row] = checked("10.1/many", proxy_at(server.url))
    assert row.urls == [f"https://example.org/{n}" for n in range(20)]


@pytest.mark.clause("A8")
def test_a_record_without_an_address_is_no_url_in_a_row_and_never_missing(proxy_at: Callable[..., DoiProxy]) -> None:
    def answer(request: Request) -> Answer:
        if request.target.startswith("/doiRA/"):
            return raw.agencies(request.names)
        return raw.record(request.name, ("EMAIL", "a@example.org"))

    with RawServer(answer) as server:
        [row] = checked("10.1/no-url", proxy_at(server.url))
    assert (row.outcome, row.urls, row.suggestion, row.prefix_ra) == ("no-url", [], "", "")
    assert row.job.counts["outcome"] == {"no-url": 1}
    [told] = iterate_results(row.job)
    assert told.outcome == "no-url"
