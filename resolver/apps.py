"""The one app of the portal."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_delete


class ResolverConfig(AppConfig):
    name = "resolver"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "DOI validation"

    def ready(self) -> None:
        """An owner is a user or a session, so no foreign key can cascade; accounts are Django's, so nothing of ours is
        called when one is deleted, or logs in (in the admin pages, in the shell), but this."""
        from django.contrib.auth import get_user_model

        post_delete.connect(forget_user, sender=get_user_model())
        user_logged_in.connect(bound_session)


def forget_user(instance: Any, **_: Any) -> None:
    """What belonged to the account goes with it, in the same transaction."""
    from resolver.services import owners

    owners.forget(owners.of_user(instance))


def bound_session(request: Any, **_: Any) -> None:
    """An account's session ends some days after the login, however much it is used."""
    from resolver import conf

    request.session.set_expiry(conf.account_session())
