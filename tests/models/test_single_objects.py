"""One object found, or inserted, without the ORM."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from resolver.models import AccountQuota, ApiToken, Lookup
from resolver.models.single_objects import find_first_objects, find_object, insert_object

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 23, 12, 0, 0, 123_456, tzinfo=UTC)


def make_lookup(text: str = "10.1000/\x00\ud800 ä") -> Lookup:
    return Lookup(
        owner="session:a",
        created_at=NOW,
        input=text,
        form="name",
        search=text,
        outcome="resolved",
        doi=text,
        record={"handle": text, "values": [1.5, None, True]},
        problem_codes=("case", "scheme"),
        urls=["https://example.org/ä"],
        answered_at=NOW - timedelta(days=1),
    )


def compare(found: object, stored: object) -> None:
    fields = [field.attname for field in type(stored)._meta.concrete_fields]  # type: ignore[attr-defined]
    assert {name: getattr(found, name) for name in fields} == {name: getattr(stored, name) for name in fields}


def test_an_inserted_object_is_what_the_orm_would_have_stored() -> None:
    by_orm, alone = make_lookup(), make_lookup()
    by_orm.save(force_insert=True)
    insert_object(alone)
    first, second = Lookup.objects.get(pk=by_orm.pk), Lookup.objects.get(pk=alone.pk)
    second.pk = first.pk
    compare(second, first)


def test_a_found_object_is_what_the_orm_would_have_found() -> None:
    lookup = make_lookup()
    lookup.save(force_insert=True)
    found = find_object(Lookup, pk=lookup.pk, owner="session:a")
    assert found is not None
    compare(found, Lookup.objects.get(pk=lookup.pk))
    assert found.record == lookup.record
    assert (found.problem_codes, found.created_at) == (("case", "scheme"), NOW)


def test_nothing_is_found_if_one_value_differs() -> None:
    lookup = make_lookup()
    insert_object(lookup)
    assert find_object(Lookup, pk=lookup.pk, owner="session:b") is None
    assert find_object(Lookup, pk=uuid.uuid4(), owner="session:a") is None


def test_an_inserted_object_can_be_saved_and_deleted() -> None:
    lookup = make_lookup()
    insert_object(lookup)
    lookup.form = "url"
    lookup.save()
    assert [one.form for one in Lookup.objects.all()] == ["url"]
    lookup.delete()
    assert not Lookup.objects.exists()


def test_a_key_that_is_taken_is_refused() -> None:
    lookup = make_lookup()
    insert_object(lookup)
    again = make_lookup()
    again.pk = lookup.pk
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_object(again)


def test_an_object_is_found_by_a_foreign_key_and_a_text_key_with_one_query() -> None:
    account = User.objects.create(username="ada")
    AccountQuota.objects.create(account=account, rows=7)
    Session.objects.create(session_key="abc", session_data="x", expire_date=NOW)
    token = ApiToken.objects.create(account=account, name="t", digest="d" * 64, created_at=NOW)
    with CaptureQueriesContext(connection) as queries:
        quota = find_object(AccountQuota, account=account.pk)
        session = find_object(Session, session_key="abc")
        found = find_object(ApiToken, digest="d" * 64)
    assert len(queries) == 3
    assert quota is not None
    assert (quota.rows, quota.lists) == (7, None)
    assert session is not None
    assert session.expire_date == NOW
    assert found == token


def test_the_first_objects_come_in_the_order_of_the_model_with_the_columns_that_were_asked_for() -> None:
    for day in range(4):
        lookup = make_lookup(f"10.1000/{day}")
        lookup.created_at = NOW + timedelta(days=day)
        lookup.owner = "session:b" if day == 3 else "session:a"
        lookup.save(force_insert=True)
    found = find_first_objects(Lookup, ("id", "input", "problem_codes"), 2, owner="session:a")
    assert [(one.input, one.problem_codes) for one in found] == [
        (f"10.1000/{day}", ("case", "scheme")) for day in (2, 1)
    ]
    assert {one.get_deferred_fields() == found[0].get_deferred_fields() for one in found} == {True}
    assert "record" in found[0].get_deferred_fields()
