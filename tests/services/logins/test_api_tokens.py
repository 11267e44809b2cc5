"""The tokens of an account that are made at the same moment."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from resolver.models import ApiToken, TokenScope
from resolver.services.logins import api_tokens
from resolver.services.logins.api_tokens import TooManyTokens, create_token
from tests.services.conftest import NOW, is_somebody_waiting


@pytest.mark.django_db(transaction=True)
def test_two_tokens_that_are_made_at_once_do_not_pass_the_bound_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_tokens, "MOST_TOKENS", 1)
    ada = User.objects.create_user("ada")

    def make() -> None:
        try:
            create_token(ada, "second", TokenScope.READ, now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as another:
        with transaction.atomic():
            create_token(ada, "first", TokenScope.READ, now=NOW)
            made = another.submit(make)
            end = time.monotonic() + 20
            while not (is_somebody_waiting() or made.done()):
                assert time.monotonic() < end
                time.sleep(0.01)
        with pytest.raises(TooManyTokens):
            made.result(30)
    assert ApiToken.objects.get().name == "first"
