"""The end of an account: the last that can administer the portal stays."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from resolver.services.logins.accounts import LastAdministrator, delete_account
from tests.services.conftest import is_somebody_waiting


@pytest.mark.django_db(transaction=True)
def test_of_two_administrators_who_leave_at_once_one_stays() -> None:
    ada, eve = (User.objects.create_superuser(name) for name in ("ada", "eve"))

    def leave() -> None:
        try:
            delete_account(eve)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as another:
        with transaction.atomic():
            delete_account(ada)
            left = another.submit(leave)
            end = time.monotonic() + 20
            while not (is_somebody_waiting() or left.done()):
                assert time.monotonic() < end
                time.sleep(0.01)
        with pytest.raises(LastAdministrator):
            left.result(30)
    assert User.objects.get() == eve
