"""Accounts of people who log in at a provider: two first logins at once are one account."""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.db import transaction

from resolver.services.logins.group_rights import GroupRights
from resolver.services.logins.identities import Identity, log_in_identity
from tests.meanwhile import another_connection

pytestmark = pytest.mark.django_db(transaction=True)
EVERYONE = GroupRights(users=frozenset(), admins=frozenset())


@pytest.mark.parametrize("second_name", ["ada", "countess"])
def test_two_first_logins_of_one_person_at_once_are_one_account(second_name: str) -> None:
    first, second = (Identity("oidc:https://example.org", "1", name) for name in ("ada", second_name))
    with another_connection(lambda: log_in_identity(second, EVERYONE)) as another:
        with transaction.atomic():
            account = log_in_identity(first, EVERYONE)
            another.begin()
        assert another.get_result() == account
    assert User.objects.get() == SocialAccount.objects.get().user == account
