"""Parts of result files, as `curl -C -` wants them after a cut download."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import F
from django.http import StreamingHttpResponse
from django.test import Client, RequestFactory
from rest_framework.request import Request

from resolver import conf
from resolver.api.byte_ranges import send_part
from resolver.api.problem_types import DecidedElsewhere, JobNotFinished
from resolver.models import Job
from resolver.services.results.export import JobChanged
from tests.api.conftest import assert_problem, store_list
from tests.stored_list import StoredList

pytestmark = pytest.mark.django_db

LIST = "title,doi\n" + "".join(f"Schöne Bücher {n},10.5555/{n}\n" for n in range(300))


@pytest.fixture(scope="module")
def stored(module_portal: None) -> StoredList:
    return store_list(LIST)


@pytest.fixture
def job(stored: StoredList, api: Client) -> str:
    return f"/api/v1/jobs/{stored.give_to(api).pk}"


def part(api: Client, address: str, wanted: str, **headers: str) -> Any:
    return api.get(address, headers={"Range": wanted, **headers})


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


@pytest.mark.parametrize("file", ["results.csv", "results.csv?corrected=1&delimiter=tab", "results.jsonl"])
def test_the_parts_of_a_file_are_the_file(api: Client, job: str, file: str) -> None:
    answer = api.get(f"{job}/{file}")
    whole = body_of(answer)
    assert answer["Accept-Ranges"] == "bytes"
    length = len(whole)
    for wanted, first, last in (
        ("bytes=0-", 0, length - 1),
        ("bytes=1000-", 1000, length - 1),
        ("bytes=1000-1000", 1000, 1000),
        ("bytes=0-99999999999", 0, length - 1),
        ("bytes=-10", length - 10, length - 1),
        ("bytes=-99999999999", 0, length - 1),
        (f"bytes={length - 1}-", length - 1, length - 1),
    ):
        found = part(api, f"{job}/{file}", wanted)
        assert found.status_code == 206
        assert body_of(found) == whole[first : last + 1]
        assert found["Content-Range"] == f"bytes {first}-{last}/{length}"
        assert int(found["Content-Length"]) == last - first + 1
        assert (found["Content-Type"], found["ETag"]) == (answer["Content-Type"], answer["ETag"])
        assert found["Content-Disposition"] == answer["Content-Disposition"]


@pytest.mark.parametrize("wanted", ["bytes={}-", "bytes={}-{}", "bytes=-0", "bytes=5-4"])
def test_a_range_without_bytes_is_416_with_the_length(api: Client, job: str, wanted: str) -> None:
    length = len(body_of(api.get(f"{job}/results.csv")))
    sent = wanted.format(length, length + 1)
    refused = part(api, f"{job}/results.csv", sent)
    assert sent in assert_problem(refused, 416)["detail"]
    assert refused["Content-Range"] == f"bytes */{length}"


@pytest.mark.parametrize(
    "wanted",
    ["bytes=0-1,5-6", "bytes=-", "bytes=a-b", "rows=0-1", "bytes=0-1x", "0-1", "bytes=" + "9" * 400 + "-", "bytes=١-٢"],
)
def test_a_range_that_is_none_or_several_gets_the_whole(api: Client, job: str, wanted: str) -> None:
    whole = body_of(api.get(f"{job}/results.csv"))
    found = part(api, f"{job}/results.csv", wanted)
    assert (found.status_code, body_of(found)) == (200, whole)


def test_after_a_change_the_rest_of_the_old_file_is_not_sent(api: Client, job: str) -> None:
    address = f"{job}/results.csv?corrected=1"
    etag = api.get(address)["ETag"]
    unchanged = part(api, address, "bytes=10-", **{"If-Range": etag})
    assert (unchanged.status_code, body_of(unchanged)) == (206, body_of(api.get(address))[10:])
    sent = api.patch(f"{job}/rows/2", '{"decision": "rejected"}', content_type="application/json")
    assert sent.status_code == 200, sent.content
    for old in (etag, "Mon, 23 Nov 2026 09:00:00 GMT", f"W/{api.get(address)['ETag']}"):
        found = part(api, address, "bytes=10-", **{"If-Range": old})
        assert (found.status_code, body_of(found)) == (200, body_of(api.get(address)))


def test_a_file_that_was_sent_while_rows_were_decided_counts_as_outdated(api: Client, job: str) -> None:
    address = f"{job}/results.jsonl"
    whole = api.get(address)
    begun = next(whole.streaming_content)
    decided = {"decision": "rejected", "expected": 300}
    sent = api.post(f"{job}/decisions", decided, content_type="application/json")
    assert sent.status_code == 200, sent.content
    mixed = begun + b"".join(whole.streaming_content)
    assert 0 < mixed.count(b"rejected") < body_of(api.get(address)).count(b"rejected")
    assert api.get(address, headers={"If-None-Match": whole["ETag"]}).status_code == 200
    assert part(api, address, "bytes=1000-", **{"If-Range": whole["ETag"]}).status_code == 200


def test_a_workbook_is_sent_whole(api: Client, job: str) -> None:
    found = part(api, f"{job}/results.xlsx", "bytes=10-")
    assert (found.status_code, found["Accept-Ranges"]) == (200, "none")


def test_a_part_leaves_no_file_behind(api: Client, job: str) -> None:
    before = set(conf.incoming_dir().iterdir())
    body_of(part(api, f"{job}/results.csv", "bytes=10-20"))
    part(api, f"{job}/results.csv", "bytes=99999999-")
    assert set(conf.incoming_dir().iterdir()) == before


def test_a_part_of_results_that_change_meanwhile_is_a_409(rf: RequestFactory) -> None:
    def rows() -> Iterator[bytes]:
        yield b"row"
        raise JobChanged

    with pytest.raises(JobNotFinished):
        send_part(Request(rf.get("/", headers={"Range": "bytes=0-3"})), StreamingHttpResponse(rows()), Job())


def test_a_part_of_results_about_which_somebody_decides_meanwhile_is_a_409(job: str, rf: RequestFactory) -> None:
    """It would not fit the other parts with the same ETag."""
    stored = Job.objects.get()

    def rows() -> Iterator[bytes]:
        yield b"row"
        Job.objects.update(review_version=F("review_version") + 1)
        yield b"row"

    with pytest.raises(DecidedElsewhere):
        send_part(Request(rf.get("/", headers={"Range": "bytes=0-3"})), StreamingHttpResponse(rows()), stored)
