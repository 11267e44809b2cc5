"""`manage.py deleteaccount`: deletes a person's account with all its data, as the page *Account* does."""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from resolver.management.one_account import find_account
from resolver.services.account_data.removal import LastAdministrator, delete_account


class Command(BaseCommand):
    """Asks for the name once more, unless there is `--noinput`."""

    help = "Delete an account with its lists, lookups, tokens and webhooks. This can't be undone."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="of the account")
        parser.add_argument("--noinput", action="store_true", help="don't ask")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 2 if nothing was deleted."""
        account = find_account(options["username"])
        name = account.get_username()
        if not options["noinput"] and _ask(f"To delete {name!r} with all its data, type this name again: ") != name:
            raise CommandError("Another name was typed. Nothing was deleted.", returncode=2)
        try:
            delete_account(account)
        except LastAdministrator as error:
            says = "Only this account can administer the portal. Make another one first."
            raise CommandError(says, returncode=2) from error
        self.stdout.write(f"The account {name!r} and all that was stored for it are deleted.")


def _ask(question: str) -> str:
    try:
        return input(question)
    except EOFError:  # standard input is closed
        return ""
