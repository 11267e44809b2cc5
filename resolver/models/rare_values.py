"""A condition that SQLite takes for rare, where it has no statistics."""

from typing import Any

from django.db.models import BooleanField, ExpressionWrapper, Q


class Rarely(ExpressionWrapper):  # type: ignore[type-arg]  # it has no arguments when it runs
    """The condition that columns have these values. SQLite then looks for an index that begins with them.

    It would else take `line > 5` for as rare as a value, and read a whole list by its lines. PostgreSQL has the bare
    condition.
    """

    def __init__(self, **values: Any) -> None:
        super().__init__(Q(**values), output_field=BooleanField())

    def as_sqlite(self, compiler: Any, connection: Any) -> Any:
        """Return the condition with a hint, which changes no result."""
        condition, values = self.as_sql(compiler, connection)
        return f"unlikely({condition})", values
