"""The search of a host in the URL values of a row, which are stored as JSON."""

from typing import Any

from django.db.models.lookups import IContains

from resolver.models.fields import encode_inside_json

_ANY_LIST = "["
# An address with such characters, raw or as an escape of JSON, may be on a host that it doesn't contain.
_BEYOND_ASCII = {
    "postgresql": "octet_length({column}) <> length({column}) OR strpos({column}, '\\u') > 0",
    "sqlite": "length(CAST({column} AS BLOB)) <> length({column}) OR instr({column}, '\\u') > 0",
}


class MayHaveHost(IContains):
    """Whether one of the URL values may be on the host: a quick condition that holds for all rows that lead there, and
    for few others.

    An address in ASCII contains the name of its host behind a slash or a user, in small or capital letters. No database
    reads international names as browsers do, and an IPv6 address is written in several ways: any row may have these.
    """

    def get_prep_lookup(self) -> str:
        """Return the text as it is: it is no JSON value."""
        return str(self.rhs)

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        """Return the condition of the whole column. Most rows fail the first test, and need no other one."""
        name = encode_inside_json(self.rhs)
        texts = (_ANY_LIST,) if ":" in name else (name, f"/{name}", f"@{name}")
        tests = [compiler.compile(IContains(self.lhs, text)) for text in texts]
        (first, _), *exact = tests
        contains = f"{first} AND ({' OR '.join(test for test, _ in exact)})" if exact else first
        beyond = _BEYOND_ASCII[connection.vendor].format(column=compiler.compile(self.lhs)[0])
        return f"(({contains}) OR {beyond})", tuple(value for _, values in tests for value in values)
