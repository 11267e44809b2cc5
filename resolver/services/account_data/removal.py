"""Delete an account with all that belongs to it. The last administrator stays."""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction

from resolver.models import Draft, Job, KeptAnswer, Lookup, Watch
from resolver.services.accounts import quotas
from resolver.services.accounts.owners import OF_ACCOUNTS, find_account_id
from resolver.services.jobs import drafts, lifecycle
from resolver.services.jobs.job_search import find_jobs
from resolver.services.lookups.history import clear_history
from resolver.services.storage.batched_removal import remove_watches


class LastAdministrator(Exception):
    """Without this account no one could administer the portal."""


def delete_account(account: User) -> None:
    """Delete the account with its lists, lookups, drafts and tokens. Raises LastAdministrator."""
    with transaction.atomic():
        # Locked, so that one stays if the last two are deleted at once.
        administrators = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
        if account.is_superuser and not set(administrators) - {account}:
            raise LastAdministrator
        account.delete()


def forget_owner(owner: str) -> None:
    """Forget an account in the transaction that deletes it: hide and stop its lists, and remove its watches. The sweep
    removes the rows of its lists. Its history is removed after the transaction, which would block all other writers.
    The cleanup removes what an interruption leaves."""
    quotas.forget_uses(owner)
    remove_watches(Watch.objects.filter(owner=owner))
    lifecycle.disown_jobs(find_jobs(owner))
    transaction.on_commit(lambda: delete_owner_data(owner), robust=True)


def delete_owner_data(owner: str) -> None:
    """Remove an owner's drafts and lookups, a little at a time, and its lists as a deletion does."""
    for job in find_jobs(owner):
        lifecycle.disown_job(job)
    for draft in Draft.objects.filter(owner=owner):
        drafts.discard_draft(draft)
    clear_history(owner)
    KeptAnswer.objects.filter(owner=owner).delete()
    quotas.forget_uses(owner)


def delete_data_of_deleted_accounts() -> None:
    """Remove what requests stored after their account was deleted: they had begun before."""
    for owner in {owner for model in (Lookup, Job, Draft, KeptAnswer) for owner in _iterate_accounts(model)}:
        account = find_account_id(owner)
        if account is not None and not User.objects.filter(pk=account).exists():
            delete_owner_data(owner)


def _iterate_accounts(model: type[Lookup | Job | Draft | KeptAnswer]) -> Iterator[str]:
    """Yield each owner in the table that is an account, by one look into the index for each."""
    owner: str | None = OF_ACCOUNTS
    while owner := model.objects.filter(owner__gt=owner).order_by("owner").values_list("owner", flat=True).first():
        if find_account_id(owner) is not None:
            yield owner
