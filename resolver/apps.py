"""The one app of the portal."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import pre_delete


class ResolverConfig(AppConfig):
    name = "resolver"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "DOI validation"

    def ready(self) -> None:
        """Connect the signals. Accounts are Django's: when one is deleted or logs in, nothing else of ours is called.
        An owner is a user or a session, so no foreign key can cascade."""
        from django.contrib.auth import get_user_model

        pre_delete.connect(forget_user, sender=get_user_model())
        user_logged_in.connect(limit_session)


def forget_user(instance: Any, **_: Any) -> None:
    """Delete everything that belongs to the account, for which Django has no foreign key."""
    from resolver.services.account_data.removal import forget_owner
    from resolver.services.accounts.owners import get_user_owner

    forget_owner(get_user_owner(instance))


def limit_session(request: Any, **_: Any) -> None:
    """Let the session end some days after the login, however much it is used."""
    from resolver import conf

    request.session.set_expiry(conf.session_lifetime())
