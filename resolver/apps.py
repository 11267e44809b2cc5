"""The one app of the portal. What is imported within its functions takes time that few commands need."""

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import pre_delete
from django.utils.module_loading import import_string


class ResolverConfig(AppConfig):
    name = "resolver"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "DOI validation"

    def ready(self) -> None:
        """Connect the signals, and give the services the writers of events and mails, which are in layers above them.

        Accounts are Django's: no other code of ours runs when one is deleted or logs in. An owner is a user or a
        session, so no foreign key can cascade."""
        from django.contrib.auth import get_user_model

        pre_delete.connect(forget_user, sender=get_user_model())
        user_logged_in.connect(limit_session)
        give_writers()


def forget_user(instance: Any, **_: Any) -> None:
    """Delete everything that belongs to the account, for which Django has no foreign key."""
    from resolver.services.account_data.removal import forget_owner
    from resolver.services.accounts.owners import get_user_owner

    forget_owner(get_user_owner(instance))


def limit_session(request: Any, **_: Any) -> None:
    """Let the session end some days after the login, however much it is used."""
    from resolver import conf

    request.session.set_expiry(conf.session_lifetime())


def give_writers() -> None:
    """Name the functions that write the bodies of events as REST shows them, and mails about watches."""
    from resolver.services.watches.mails import MAIL_WRITER
    from resolver.services.webhooks.events import EVENT_WRITERS

    EVENT_WRITERS.job = _import_later("resolver.api.serializers.event_bodies.write_job")
    EVENT_WRITERS.change = _import_later("resolver.api.serializers.event_bodies.write_watch_change")
    MAIL_WRITER.write = _import_later("resolver.web.watches.mail.write_changes")


def _import_later(function: str) -> Callable[..., Any]:
    return lambda *arguments: import_string(function)(*arguments)
