"""The words that an attacker would try first in a password of this portal."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

WORDS = ("doiportal", "crossref", "datacite", "librarian", "library", "bibliothek", "password", "passwort", "doi")
"""A longer word comes before the words that it contains."""


class PortalWordsValidator:
    """Refuse a password with fewer than 8 characters besides these words: `library2026` is the year alone."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raises ValidationError."""
        rest = password.casefold()
        for word in WORDS:
            rest = rest.replace(word, "")
        if len(rest) < min(8, len(password)):
            raise ValidationError(self.get_help_text(), code="password_of_portal_words")

    def get_help_text(self) -> str:
        """Return what the admin's form says."""
        return _("Don’t build your password from words that are easy to guess here, such as “doiportal” or “library”.")
