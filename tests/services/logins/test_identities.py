"""Accounts of people who log in at a provider: two first logins at once are one account."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.db import connection, transaction

from resolver.services.logins.group_rights import GroupRights
from resolver.services.logins.identities import Identity, log_in_identity
from tests.services.conftest import is_somebody_waiting

pytestmark = pytest.mark.django_db(transaction=True)
EVERYONE = GroupRights(users=frozenset(), admins=frozenset())


@pytest.mark.parametrize("second_name", ["ada", "countess"])
def test_two_first_logins_of_one_person_at_once_are_one_account(second_name: str) -> None:
    first, second = (Identity("oidc:https://example.org", "1", name) for name in ("ada", second_name))

    def log_in_again() -> User:
        try:
            return log_in_identity(second, EVERYONE)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as another:
        with transaction.atomic():
            account = log_in_identity(first, EVERYONE)
            again = another.submit(log_in_again)
            end = time.monotonic() + 20
            while not (is_somebody_waiting() or again.done()):
                assert time.monotonic() < end
                time.sleep(0.01)
        assert again.result(30) == account
    assert User.objects.get() == SocialAccount.objects.get().user == account
