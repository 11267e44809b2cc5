"""The owner of what an account has stored: a text made of the account's number, and read back here alone."""

from django.db.models import BigAutoField

from resolver.domain.foreign_text.whole_number import parse_whole_number

OF_ACCOUNTS = "user:"  # so begin the owners that are accounts


def get_account_owner(account_id: int) -> str:
    """Return the owner that stands for this account."""
    return f"{OF_ACCOUNTS}{account_id}"


def find_account_id(owner: str) -> int | None:
    """Return the number of the account that this owner stands for; None for a session or the shell."""
    number = owner.removeprefix(OF_ACCOUNTS)
    return parse_whole_number(number, BigAutoField.MAX_BIGINT) if number != owner else None
