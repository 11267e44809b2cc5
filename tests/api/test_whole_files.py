"""Result files are sent whole, and count as outdated once a row is decided."""

from typing import Any

import pytest
from django.test import Client

from tests.api.conftest import store_list
from tests.stored_list import StoredList

pytestmark = pytest.mark.django_db

LIST = "title,doi\n" + "".join(f"Schöne Bücher {n},10.5555/{n}\n" for n in range(300))


@pytest.fixture(scope="module")
def stored(module_portal: None) -> StoredList:
    return store_list(LIST)


@pytest.fixture
def job(stored: StoredList, api: Client) -> str:
    return f"/api/v1/jobs/{stored.give_to(api).pk}"


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content)


@pytest.mark.parametrize("file", ["results.csv", "results.jsonl", "hosts.csv"])
def test_who_wants_a_part_gets_the_whole(api: Client, job: str, file: str) -> None:
    whole = api.get(f"{job}/{file}")
    found = api.get(f"{job}/{file}", headers={"Range": "bytes=10-20", "If-Range": whole["ETag"]})
    assert (found.status_code, body_of(found)) == (200, body_of(whole))
    assert not {"Accept-Ranges", "Content-Range"} & set(found.headers)


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
