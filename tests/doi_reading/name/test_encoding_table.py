"""What becomes of each character of a name, held against the presentations of the whole."""

import pytest
from hypothesis import given

from doi_reading import encode
from doi_reading.name import EncodedCharacter, explain_encoding
from doi_reading.name.encoding import MANDATORY, RECOMMENDED
from tests.doi_reading.strategies import NAMES, PROPERTY


def of(name: str) -> dict[str, EncodedCharacter]:
    return {fate.text: fate for fate in explain_encoding(name)}


@pytest.mark.clause("E1", "E2", "E4", "E5", "E6", "E17", "U2", "N4")
@PROPERTY
@given(NAMES)
def test_the_fates_of_all_characters_joined_are_the_presentations_of_the_name(name: str) -> None:
    found = list(explain_encoding(name))
    assert "".join(fate.text for fate in found) == name
    assert "https://doi.org/" + "".join(fate.url for fate in found) == encode(name)
    assert "doi:" + "".join(fate.uri for fate in found) == encode(name, "uri")
    assert "urn:doi:" + "".join(fate.urn for fate in found) == encode(name, "urn")
    assert "".join(fate.which_ra for fate in found) == encode(name, "which-ra")


@PROPERTY
@given(NAMES)
def test_a_clause_is_named_where_something_changes_and_nowhere_else(name: str) -> None:
    for fate in explain_encoding(name):
        same = fate.text == fate.url == fate.uri == fate.urn == fate.which_ra
        assert fate.stays == same, fate
        assert len(fate.text) == 1 or fate.stays


@pytest.mark.clause("E1", "E2", "E4", "E6")
def test_each_kind_of_character_names_its_clause() -> None:
    found = of('10.1/é"<,+a')
    assert [found[character].clauses[0] for character in 'é"<,+'] == ["E4", "E1", "E2", "E6", "E2"]
    assert found["+"] == EncodedCharacter("+", "%2B", "+", "%2B", "%2B", ("E2", "N4"))
    assert found[","] == EncodedCharacter(",", ",", ",", ",", "%2C", ("E6",))
    assert {of(f"10.1/{one}")[one].clauses[0] for one in MANDATORY} == {"E1"}
    assert {of(f"10.1/{one}")[one].clauses[0] for one in RECOMMENDED} == {"E2"}


@pytest.mark.clause("E5", "N1", "N2")
def test_the_first_slash_the_others_and_those_beside_dots_differ() -> None:
    assert [(fate.text, fate.url, fate.uri, fate.urn, fate.clauses) for fate in explain_encoding("10.1/a/../b")] == [
        ("10.1", "10.1", "10.1", "10.1", ()),
        ("/", "/", "/", ":", ("N1",)),
        ("a", "a", "a", "a", ()),
        ("/", "/", "%2F", "%2F", ("U2", "N2")),
        ("..", "..", "..", "..", ()),
        ("/", "%2F", "%2F", "%2F", ("E5", "U2", "N2")),
        ("b", "b", "b", "b", ()),
    ]
