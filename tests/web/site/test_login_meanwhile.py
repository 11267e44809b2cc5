"""A browser logs in while another of its requests is under way, or while the portal fails: nothing of it is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from resolver.models import Draft, Job, KeptAnswer, Lookup, Watch
from resolver.services.accounts.owners import get_user_owner
from tests.meanwhile import before_statement, lose_database
from tests.web.conftest import run, send_file

LOGIN = {"username": "ada", "password": "a long enough word"}
LIST = "doi\n10.5555/one\n"


@pytest.fixture
def ada() -> str:
    return get_user_owner(User.objects.create_user(**LOGIN))


def log_in_elsewhere(browser: Client) -> Callable[[], None]:
    """What another tab of this browser does."""

    def log_in() -> None:
        tab = Client()
        tab.cookies.load({name: morsel.value for name, morsel in browser.cookies.items()})
        assert tab.post("/accounts/login/", LOGIN).status_code == 302

    return log_in


def upload_by_rest(visitor: Client, **headers: str) -> Any:
    return visitor.post("/api/v1/jobs?filename=list.csv", LIST.encode(), "text/csv", headers=headers)


def prepare_draft(visitor: Client) -> str:
    return str(visitor.post("/jobs/new", {"text": LIST})["Location"])


def prepare_list(visitor: Client) -> str:
    send_file(visitor, LIST)
    return f"/jobs/{run(Job.objects.get()).pk}"


def nothing(visitor: Client) -> str:
    return ""


@pytest.mark.parametrize(
    ("prepare", "send", "table"),
    [
        (nothing, lambda visitor, _: upload_by_rest(visitor), Job),
        (nothing, lambda visitor, _: upload_by_rest(visitor, **{"Idempotency-Key": "k"}), KeptAnswer),
        (nothing, lambda visitor, _: visitor.post("/jobs/new", {"text": LIST}), Draft),
        (prepare_draft, lambda visitor, draft: visitor.post(draft), Job),
        (prepare_list, lambda visitor, job: visitor.post(f"{job}/again"), Job),
        (prepare_list, lambda visitor, job: visitor.post(f"{job}/watch", {"every": "month", "depth": "full"}), Watch),
        (nothing, lambda visitor, _: visitor.post("/lookups", {"text": "10.5555/two"}), Lookup),
        (
            nothing,
            lambda visitor, _: visitor.post("/api/v1/lookups", {"input": "10.5555/two"}, "application/json"),
            Lookup,
        ),
    ],
    ids=["upload", "key", "draft", "start", "again", "watch", "lookup", "lookup by REST"],
)
def test_what_a_request_stores_while_its_browser_logs_in_is_the_accounts(
    visitor: Client, ada: str, prepare: Any, send: Any, table: Any
) -> None:
    visitor.post("/lookups", {"text": "10.5555/one"})
    prepared = prepare(visitor)
    with before_statement(f'INSERT INTO "{table._meta.db_table}"', log_in_elsewhere(visitor)) as met:
        answer = send(visitor, prepared)
    assert met
    assert answer.status_code in {201, 202, 302}
    for model in (Lookup, Draft, Job, Watch, KeptAnswer):
        assert set(model.objects.values_list("owner", flat=True)) <= {ada}
    assert table.objects.exists()


def test_after_a_login_that_failed_halfway_the_next_one_finds_what_the_browser_had_stored(
    visitor: Client, ada: str
) -> None:
    visitor.post("/lookups", {"text": "10.5555/one"})
    visitor.raise_request_exception = False
    with before_statement('UPDATE "resolver_lookup"', lose_database) as met:
        assert visitor.post("/accounts/login/", LOGIN).status_code >= 500
    assert met
    assert visitor.post("/accounts/login/", LOGIN).status_code == 302
    assert Lookup.objects.get().owner == ada


@pytest.mark.parametrize("statement", ['UPDATE "resolver_lookup"', 'INSERT INTO "django_session"'])
def test_after_a_login_that_failed_halfway_a_browser_that_goes_on_without_sees_what_it_stores(
    visitor: Client, ada: str, statement: str
) -> None:
    visitor.post("/lookups", {"text": "10.5555/one"})
    visitor.raise_request_exception = False
    with before_statement(statement, lose_database) as met:
        assert visitor.post("/accounts/login/", LOGIN).status_code >= 500
    assert met
    for answer in (visitor.post("/lookups", {"text": "10.5555/two"}), visitor.post("/jobs/new", {"text": LIST})):
        assert visitor.get(answer["Location"]).status_code == 200
