"""Each sees their own: searched, filtered, deleted, and taken along at log-in."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from resolver.models import Job, Lookup
from resolver.services.accounts.owners import SESSION_KEY, get_owner
from resolver.services.jobs.job_search import find_jobs
from resolver.services.lookups import history
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.storage import batched_removal
from tests.services.conftest import NOW, make_job

pytestmark = pytest.mark.django_db(transaction=True)

ANONYMOUS = SimpleNamespace(is_authenticated=False)
LIBRARIAN = SimpleNamespace(is_authenticated=True, pk=7)


def inputs(owner: str, **filters: str) -> list[str]:
    return [lookup.input for lookup in history.find_lookups(owner, **filters)]


@pytest.fixture
def asked(proxy: DoiProxy) -> None:
    for text in ("10.5555/One", "10.5555/missing-Á", "10.5555/100%25_x", "no name"):
        create_lookup(text, owner="user:1", proxy=proxy, now=NOW)
    create_lookup("10.5555/theirs", owner="user:2", proxy=proxy, now=NOW)


@pytest.mark.usefixtures("asked")
def test_one_owner_sees_nothing_of_another() -> None:
    assert len(inputs("user:1")) == 4
    assert inputs("user:2") == ["10.5555/theirs"]
    assert inputs("user:3") == []


@pytest.mark.clause("S8")
@pytest.mark.usefixtures("asked")
def test_searching_folds_a_to_z_and_nothing_else() -> None:
    assert inputs("user:1", q="oNe") == ["10.5555/One"]
    assert inputs("user:1", q="MISSING-Á") == ["10.5555/missing-Á"]
    assert inputs("user:1", q="missing-á") == []
    assert inputs("user:1", q="%25_x") == ["10.5555/100%25_x"]
    assert inputs("user:1", q="1_0") == []
    assert inputs("user:1", q="x" * 100_000) == []
    assert inputs("user:1", q="\x00\ud800") == []


@pytest.mark.usefixtures("asked")
def test_filters() -> None:
    assert inputs("user:1", outcome="not-found") == ["10.5555/missing-Á"]
    assert inputs("user:1", problem="no-doi") == ["no name"]
    assert inputs("user:1", problem="doi") == []
    assert len(inputs("user:1", ra="Crossref")) == 2


@pytest.mark.usefixtures("asked")
def test_a_deleted_lookup_is_gone() -> None:
    history.delete_lookup(history.find_lookups("user:1", q="one")[0])
    assert len(inputs("user:1")) == 3


@pytest.mark.usefixtures("asked")
def test_a_history_is_emptied_some_lookups_at_a_time_and_that_of_others_stays(
    proxy: DoiProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        batched_removal, "ITEMS_PER_TRANSACTION", 1
    )  # all four were made at one moment, and go together
    create_lookup("10.5555/later", owner="user:1", proxy=proxy, now=NOW + timedelta(days=1))
    with CaptureQueriesContext(connection) as queries:
        history.clear_history("user:1")
    assert sum(query["sql"].startswith("DELETE") for query in queries) == 2
    assert (inputs("user:1"), inputs("user:2")) == ([], ["10.5555/theirs"])


def test_what_an_anonymous_session_stored_is_the_users_after_log_in(proxy: DoiProxy) -> None:
    request = SimpleNamespace(user=ANONYMOUS, session={})
    owner = get_owner(request)
    assert owner == get_owner(request) == f"session:{request.session[SESSION_KEY]}"
    create_lookup("10.5555/a", owner=owner, proxy=proxy, now=NOW)
    make_job("10.5555/a\n10.5555/b\n", proxy, owner=owner, idempotency_key="k")
    make_job("10.5555/a\n10.5555/b\n", proxy, owner="user:7", idempotency_key="k")
    request.user = LIBRARIAN
    assert get_owner(request) == "user:7"
    assert SESSION_KEY not in request.session
    assert set(Lookup.objects.values_list("owner", flat=True)) == {"user:7"}
    assert find_jobs("user:7").count() == Job.objects.count() == 2
