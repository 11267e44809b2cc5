"""The one app of the portal. What is imported within its functions takes time that few commands need."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import pre_delete

if TYPE_CHECKING:
    from resolver.models import Job, MailAddress, WatchRun
    from resolver.services.watches.mails import Mail


class ResolverConfig(AppConfig):
    name = "resolver"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "doiportal"

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
    """Give the services what writes the bodies of events, and mails about watches."""
    from resolver.services.watches.mails import MAIL_WRITER
    from resolver.services.webhooks.events import EVENT_WRITERS

    EVENT_WRITERS.job = write_job_event
    EVENT_WRITERS.change = write_change_event
    MAIL_WRITER.write = write_watch_mail


def write_job_event(job: "Job", portal: str) -> Mapping[str, Any]:
    """Return the job as REST shows it."""
    from resolver.api.serializers.event_bodies import write_job

    return write_job(job, portal)


def write_change_event(run: "WatchRun", portal: str) -> Mapping[str, Any]:
    """Return the watch of the run as REST shows it."""
    from resolver.api.serializers.event_bodies import write_watch_change

    return write_watch_change(run, portal)


def write_watch_mail(runs: "Sequence[WatchRun]", address: "MailAddress") -> "Mail":
    """Return the mail about these runs."""
    from resolver.web.watches.mail import write_changes

    return write_changes(runs, address)
