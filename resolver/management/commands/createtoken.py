"""`manage.py createtoken`: an API token for an account, for a program that cannot log in."""

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from resolver.management.one_account import find_account
from resolver.models import TokenScope
from resolver.services.logins.api_tokens import (
    LONGEST_LIFE_DAYS,
    LONGEST_NAME,
    MOST_TOKENS,
    TokenNameTaken,
    TooManyTokens,
    create_token,
)
from resolver.services.storage.clock import read_clock


class Command(BaseCommand):
    """Prints the key once, alone on its line, so that a script can keep it."""

    help = "Make an API token for an account, and print its key. Only a hash of the key is stored."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="of the account that the token acts for")
        parser.add_argument("--name", required=True, help="what the token is for; shown on the account page")
        parser.add_argument(
            "--scope", choices=TokenScope.values, default=TokenScope.READ, help="what it may do (default: read)"
        )
        parser.add_argument("--days", type=int, help="how long it lasts (default: until it is revoked)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit status 2 if no token was made."""
        name, days = options["name"].strip(), options["days"]
        if not 0 < len(name) <= LONGEST_NAME:
            raise CommandError(f"A name has 1 to {LONGEST_NAME} characters.", returncode=2)
        if days is not None and not 0 < days <= LONGEST_LIFE_DAYS:
            raise CommandError(f"A token lasts 1 to {LONGEST_LIFE_DAYS:,} days.", returncode=2)
        account = find_account(options["username"])
        try:
            _, key = create_token(account, name, TokenScope(options["scope"]), now=read_clock(), days=days)
        except TokenNameTaken as error:
            raise CommandError(f"This account has a token with the name {name!r} already.", returncode=2) from error
        except TooManyTokens as error:
            raise CommandError(f"This account has {MOST_TOKENS} tokens. Revoke one first.", returncode=2) from error
        self.stdout.write(key)
