"""A late pattern is what `re.compile` returns, but compiled when it is first used."""

import re

import pytest

from doi_reading.late_pattern import compile_late


@pytest.mark.parametrize("method", ["match", "search", "fullmatch", "findall", "split"])
def test_a_late_pattern_answers_as_a_compiled_one(method: str) -> None:
    late, compiled = compile_late("(a)B", re.IGNORECASE), re.compile("(a)B", re.IGNORECASE)
    for text in ("ab", "xAB", "none"):
        one, other = (getattr(each, method)(text) for each in (late, compiled))
        assert one == other or one[0] == other[0]


def test_its_text_its_groups_and_its_replacement_are_there() -> None:
    late = compile_late("(a)(?P<last>b)")
    assert (late.pattern, late.groups, late.groupindex["last"]) == ("(a)(?P<last>b)", 2, 2)
    assert late.sub(r"\g<last>\1", "ab") == "ba"


def test_a_broken_pattern_fails_when_it_is_used() -> None:
    late = compile_late("(")
    with pytest.raises(re.error):
        late.match("x")
