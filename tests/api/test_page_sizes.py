"""Every list takes pages up to the size that the document says, and refuses other sizes: none is lowered in silence."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from resolver.models import Webhook
from tests.api.conftest import assert_problem, run
from tests.api.schema_client import DOCUMENT, SchemaClient
from tests.api.test_tokens import make_key

pytestmark = pytest.mark.django_db

LISTS = {
    path: size["schema"]["maximum"]
    for path, item in DOCUMENT["paths"].items()
    for size in item.get("get", {}).get("parameters", ())
    if size["name"] == "page_size"
}
ROWS = "/api/v1/jobs/{id}/rows"


@pytest.fixture
def program(user: User) -> Client:
    """A program of an account that has each object with a list of its own."""
    return SchemaClient(headers={"Authorization": f"Bearer {make_key(user)}"})


def make_owner_of(program: Client, user: User, path: str) -> str:
    """The id of a new object to which the list at this path belongs."""
    if path.startswith("/api/v1/webhooks/"):
        address = "https://192.0.3.1/events"
        return str(Webhook.objects.create(account=user, url=address, secret="x", created_at=timezone.now()).pk)
    job: str = program.post("/api/v1/jobs", b"doi\n10.5555/a\n", "text/csv").json()["id"]
    if path.startswith("/api/v1/jobs/"):
        return job
    run(job)
    watch: str = program.post("/api/v1/watches", {"job": job}, "application/json").json()["id"]
    return watch


def test_a_page_of_rows_may_be_longer_than_others() -> None:
    assert len(LISTS) == 8
    assert {path for path, most in LISTS.items() if most == 1000} == {ROWS}
    assert {most for path, most in LISTS.items() if path != ROWS} == {500}


@pytest.mark.parametrize(("path", "most"), LISTS.items())
def test_a_list_takes_pages_up_to_the_size_of_the_document(program: Client, user: User, path: str, most: int) -> None:
    address = path.replace("{id}", make_owner_of(program, user, path) if "{id}" in path else "")
    assert program.get(f"{address}?page_size={most}").status_code == 200
    for size in (str(most + 1), "9" * 5000, "0", "-1", "x", "1.0", "", "1_0", "%2B5"):
        refused: dict[str, Any] = assert_problem(program.get(f"{address}?page_size={size}"), 400)["errors"]
        assert list(refused) == ["page_size"]
        assert f"from 1 to {most}" in refused["page_size"][0]
