"""The end of an account: the last that can administer the portal stays."""

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from resolver.services.account_data.removal import LastAdministrator, delete_account
from tests.meanwhile import another_connection


@pytest.mark.django_db(transaction=True)
def test_of_two_administrators_who_leave_at_once_one_stays() -> None:
    ada, eve = (User.objects.create_superuser(name) for name in ("ada", "eve"))
    with another_connection(lambda: delete_account(eve)) as another:
        with transaction.atomic():
            delete_account(ada)
            another.begin()
        with pytest.raises(LastAdministrator):
            another.get_result()
    assert User.objects.get() == eve
