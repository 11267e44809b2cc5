"""The daily quotas of one account, as an operator sets them in the admin."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from resolver.models import AccountQuota
from tests.web.conftest import text_of


def test_an_operator_sets_the_quota_of_an_account_in_the_admin(client: Client, db: None, settings: Any) -> None:
    settings.MAX_LISTS_PER_DAY = 2
    ada = User.objects.create_user("ada")
    client.force_login(User.objects.create_superuser("root"))
    page = "/admin/resolver/accountquota/add/"
    assert "Empty: as the settings of the portal say. 0: no limit." in text_of(client.get(page))
    assert client.post(page, {"account": ada.pk, "lists": "50", "rows": "", "requests": "0"}).status_code == 302
    quota = AccountQuota.objects.get()
    assert (quota.account, quota.lists, quota.rows, quota.requests) == (ada, 50, None, 0)
    client.force_login(ada)
    assert "You can check 50 more lists today, of 50 a day." in text_of(client.get("/account"))


def test_the_form_does_not_list_all_accounts(client: Client, db: None) -> None:
    User.objects.bulk_create(User(username=f"reader{number}") for number in range(50))
    ada = User.objects.create_user("ada")
    client.force_login(User.objects.create_superuser("root"))
    quota = AccountQuota.objects.create(account=ada, lists=50)
    for page in ("add/", f"{quota.pk}/change/"):
        assert b"reader" not in client.get(f"/admin/resolver/accountquota/{page}").content
    assert "ada" in text_of(client.get(f"/admin/resolver/accountquota/{quota.pk}/change/"))
