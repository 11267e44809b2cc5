"""The search inside columns of JSON: of a text in the cells of a row, of a host in its URL values."""

from typing import Any

from django.db.models.lookups import IContains

from resolver.models.fields import encode_inside_json, encode_storable

_CELL_POSTGRESQL = """EXISTS (
    SELECT 1 FROM json_array_elements(({column})::json) AS each(cell),
        LATERAL (SELECT CASE json_typeof(cell) WHEN 'array' THEN cell->0 ELSE cell END) AS one(part)
    WHERE CASE WHEN strpos(part::text, '\\u') > 0
        THEN UPPER(substr(part::text, 2, length(part::text) - 2)) LIKE UPPER(%s)
        ELSE UPPER(part #>> '{{}}') LIKE UPPER(%s) END)"""
_CELL_SQLITE = """EXISTS (
    SELECT 1 FROM (
        SELECT CASE type WHEN 'array' THEN value -> 0 ELSE {column} -> key END AS part FROM json_each({column}))
    WHERE CASE WHEN instr(part, '\\u') > 0
        THEN substr(part, 2, length(part) - 2) LIKE %s ESCAPE '\\'
        ELSE part ->> '$' LIKE %s ESCAPE '\\' END)"""


class CellContains(IContains):
    """Whether the text of a cell contains the text; A-Z is like a-z. The JSON between the cells doesn't count, nor the
    number or the link that a cell has besides its text.

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
        exactly = _CELL_POSTGRESQL if connection.vendor == "postgresql" else _CELL_SQLITE
        return f"({quickly} AND {exactly.format(column=column)})", (*values, *patterns)


# An address with such characters, raw or as an escape of JSON, may be on a host that it doesn't contain.
_BEYOND_ASCII = {
    "postgresql": "octet_length({column}) <> length({column}) OR strpos({column}, '\\u') > 0",
    "sqlite": "length(CAST({column} AS BLOB)) <> length({column}) OR instr({column}, '\\u') > 0",
}


class MayHaveHost(IContains):
    """Whether one of the URL values may be on the host: a quick condition that holds for all rows that lead there, and
    for few others.

    An address in ASCII contains the name of its host after a slash or a user, in small or capital letters. No database
    reads international names as browsers do, and an IPv6 address is written in several ways: any row may have these.
    """

    def get_prep_lookup(self) -> str:
        """Return the text as it is: it is no JSON value."""
        return str(self.rhs)

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Return the condition of the whole column. Most rows fail the first test, and need no other one."""
        name = encode_inside_json(self.rhs)
        texts = ("[",) if ":" in name else (name, f"/{name}", f"@{name}")
        tests = [compiler.compile(IContains(self.lhs, text)) for text in texts]
        (first, _), *exact = tests
        contains = f"{first} AND ({' OR '.join(test for test, _ in exact)})" if exact else first
        beyond = _BEYOND_ASCII[connection.vendor].format(column=compiler.compile(self.lhs)[0])
        return f"(({contains}) OR {beyond})", tuple(value for _, values in tests for value in values)
