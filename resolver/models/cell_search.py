"""The search of a text in the cells of a row, which are stored as JSON."""

from typing import Any

from django.db.models.lookups import IContains

from resolver.models.fields import encode_inside_json, encode_storable

_POSTGRESQL = """EXISTS (
    SELECT 1 FROM json_array_elements(({column})::json) AS each(cell),
        LATERAL (SELECT CASE json_typeof(cell) WHEN 'array' THEN cell->0 ELSE cell END) AS one(part)
    WHERE CASE WHEN strpos(part::text, '\\u') > 0
        THEN UPPER(substr(part::text, 2, length(part::text) - 2)) LIKE UPPER(%s)
        ELSE UPPER(part #>> '{{}}') LIKE UPPER(%s) END)"""
_SQLITE = """EXISTS (
    SELECT 1 FROM (
        SELECT CASE type WHEN 'array' THEN value -> 0 ELSE {column} -> key END AS part FROM json_each({column}))
    WHERE CASE WHEN instr(part, '\\u') > 0
        THEN substr(part, 2, length(part) - 2) LIKE %s ESCAPE '\\'
        ELSE part ->> '$' LIKE %s ESCAPE '\\' END)"""


class CellContains(IContains):
    """Whether the text of a cell contains the text; A-Z is like a-z. Neither what stands between the cells in the JSON
    counts, nor the number or the link that a cell has beside its text.

    Only rows whose JSON contains the text are parsed. A cell with an escape such as `\\u0000`, which PostgreSQL refuses
    to decode, is compared as it is stored.
    """

    def get_prep_lookup(self) -> str:
        """Return the text as it is: it is no JSON value."""
        return str(self.rhs)

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Return the condition of the whole column, and then that of each cell."""
        encoded = IContains(self.lhs, encode_inside_json(self.rhs))
        quickly, values = compiler.compile(encoded)
        column = compiler.compile(self.lhs)[0]
        escape = connection.ops.prep_for_like_query
        patterns = (f"%{escape(encode_inside_json(self.rhs))}%", f"%{escape(encode_storable(self.rhs))}%")
        exactly = _POSTGRESQL if connection.vendor == "postgresql" else _SQLITE
        return f"({quickly} AND {exactly.format(column=column)})", (*values, *patterns)
