"""Whose fault an error is: of what is to be stored, which concerns one row or one answer, or of the database itself."""

from django.db import DataError

_OF_VALUES = (DataError, ValueError, TypeError, OverflowError, RecursionError)
_PROGRAM_LIMIT = "54"  # SQLSTATE: an index entry or a statement that is too large


def is_of_the_data(error: Exception) -> bool:
    """Whether what is to be stored is refused, here or by the database; not that the database is away, or full."""
    if isinstance(error, _OF_VALUES):
        return True
    return str(getattr(error.__cause__, "sqlstate", "")).startswith(_PROGRAM_LIMIT)
