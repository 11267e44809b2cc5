"""The tokens of an account that are made at the same moment."""

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from resolver.models import ApiToken, TokenScope
from resolver.services.logins import api_tokens
from resolver.services.logins.api_tokens import TooManyTokens, create_token
from tests.meanwhile import another_connection
from tests.services.conftest import NOW


@pytest.mark.django_db(transaction=True)
def test_two_tokens_that_are_made_at_once_do_not_pass_the_bound_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api_tokens, "MOST_TOKENS", 1)
    ada = User.objects.create_user("ada")
    with another_connection(lambda: create_token(ada, "second", TokenScope.READ, now=NOW)) as another:
        with transaction.atomic():
            create_token(ada, "first", TokenScope.READ, now=NOW)
            another.begin()
        with pytest.raises(TooManyTokens):
            another.get_result()
    assert ApiToken.objects.get().name == "first"
