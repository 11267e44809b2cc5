"""Idempotency-Key: the same upload sent twice is one job."""

import pytest
from django.test import Client

from resolver import conf
from tests.api.conftest import Post, assert_problem

pytestmark = pytest.mark.django_db

LIST = "doi\n10.5555/one\n10.5555/missing\n"


def test_the_same_idempotency_key_gives_the_same_job(upload: Post, api: Client) -> None:
    key = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
    first, again = upload(LIST, headers=key), upload(LIST, headers=key)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert first.headers["Location"] == again.headers["Location"]
    assert upload(LIST).json()["id"] != first.json()["id"]
    assert len(api.get("/api/v1/jobs").json()["results"]) == 2
    for different in (upload(LIST + "x", headers=key), upload(LIST.replace("one", "two"), headers=key),
                      upload(LIST, headers=key, quick="true"), upload(LIST, headers=key, column="doi")):  # fmt: skip
        assert assert_problem(different, 422)["type"] == "/problems/idempotency-key-reused"
    assert len(api.get("/api/v1/jobs").json()["results"]) == 2
    assert len(list(conf.uploads_dir().iterdir())) == 2


def test_an_idempotency_key_is_its_owners(upload: Post, other: Client) -> None:
    key = {"Idempotency-Key": "k"}
    mine = upload(LIST, headers=key).json()
    assert mine["id"] != upload("10.5555/x\n", headers=key, client=other).json()["id"]


def test_an_idempotency_key_has_a_bound(upload: Post) -> None:
    assert_problem(upload(LIST, headers={"Idempotency-Key": "k" * 256}), 400)
    assert upload(LIST, headers={"Idempotency-Key": "k" * 255}).status_code == 202
