"""Delete an account with all that belongs to it. The last administrator stays."""

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.db import transaction

from resolver.models import Draft, Job, KeptAnswer, Lookup, Watch
from resolver.services.accounts import quotas
from resolver.services.accounts.account_owners import OF_ACCOUNTS, find_account_id
from resolver.services.jobs import drafts, lifecycle
from resolver.services.jobs.job_search import find_jobs
from resolver.services.lookups.history import clear_history
from resolver.services.storage.batched_removal import remove_watches


class LastAdministrator(Exception):
    """Without this account nobody could administer the portal."""


def delete_account(account: User) -> None:
    """Delete the account. Its lists, lookups, drafts and tokens go with it. Raises LastAdministrator."""
    with transaction.atomic():
        # Locked, so that of the last two, who leave at once, one stays.
        administrators = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
        if account.is_superuser and not set(administrators) - {account}:
            raise LastAdministrator
        account.delete()


def forget_owner(owner: str) -> None:
    """Forget an account in the transaction that deletes it: its lists stop and nobody sees them any more, and its
    watches are gone. The sweep has the rows of its lists removed. Its history is removed when the account is gone: not
    in the same transaction, which would hold up all other writers. What an interruption leaves, the cleanup removes."""
    quotas.forget_uses(owner)
    remove_watches(Watch.objects.filter(owner=owner))
    lifecycle.disown_jobs(find_jobs(owner))
    transaction.on_commit(lambda: delete_owner_data(owner), robust=True)


def delete_owner_data(owner: str) -> None:
    """Remove an owner's drafts and lookups with the account, a little at a time, and its lists as a deletion does."""
    for job in find_jobs(owner):
        lifecycle.disown_job(job)
    for draft in Draft.objects.filter(owner=owner):
        drafts.discard_draft(draft)
    clear_history(owner)
    KeptAnswer.objects.filter(owner=owner).delete()
    quotas.forget_uses(owner)


def delete_data_of_deleted_accounts() -> None:
    """Remove what a request stored after its account was deleted: it had begun before."""
    for owner in {owner for model in (Lookup, Job, Draft, KeptAnswer) for owner in _iterate_accounts(model)}:
        account = find_account_id(owner)
        if account is not None and not User.objects.filter(pk=account).exists():
            delete_owner_data(owner)


def _iterate_accounts(model: type[Lookup | Job | Draft | KeptAnswer]) -> Iterator[str]:
    """Yield the owner of each account that owns something there, by a look into the index for each."""
    owner: str | None = OF_ACCOUNTS
    while owner := model.objects.filter(owner__gt=owner).order_by("owner").values_list("owner", flat=True).first():
        if find_account_id(owner) is not None:
            yield owner
