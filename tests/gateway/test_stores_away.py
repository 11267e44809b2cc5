"""A database or Redis that is away: the gateway knows the status 500 alone, for links as for data; pages say 503."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from resolver.models import StoredAnswer
from tests.gateway.conftest import ProxyBehind

AWAY = {"postgresql": {"HOST": "127.0.0.1", "PORT": "9"}, "sqlite": {"NAME": "/nowhere/doiportal.sqlite3"}}


@pytest.fixture
def _without_database(transactional_db: None) -> Iterator[None]:
    connection.close()
    known = connection.settings_dict
    connection.settings_dict = known | AWAY[connection.vendor]
    yield
    connection.settings_dict = known


@pytest.mark.usefixtures("_without_database")
@pytest.mark.parametrize(
    ("path", "status"),
    [("/10.5555/away", 500), ("/api/handles/10.5555/away", 500), ("/doiRA/10.5555/a", 500), ("/history", 503)],
)
def test_each_kind_of_address_has_its_status(path: str, status: int) -> None:
    answer = Client(raise_request_exception=False).get(path)
    assert answer.status_code == status
    assert "reach its database, Redis or file storage" in answer.content.decode()


def test_a_link_whose_record_is_stored_leads_on_without_redis(behind: ProxyBehind, settings: Any) -> None:
    assert Client().get("/10.1000/182").status_code == 302
    assert StoredAnswer.objects.exclude(name="10.1000/182").delete()[0], "the record of the prefix, asked in passing"
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    assert Client().get("/10.1000/182")["Location"] == "https://www.doi.org/hb.html"
