"""What is stored comes back as it was, on every database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolver.models import StoredAnswer
from resolver.models.fields import decode_storable, encode_storable

TREACHEROUS = ["\x00", "a\x00b", "\x1a", "\x1a0000", "\ud800", "\udcff\x1a\x00", "Á\u0301", "𝒟", "\x1ad800"]


@pytest.mark.parametrize("text", TREACHEROUS)
def test_any_text_can_be_stored_and_comes_back(text: str) -> None:
    assert decode_storable(encode_storable(text)) == text
    encode_storable(text).encode()
    assert "\x00" not in encode_storable(text)


@given(st.text(st.characters(exclude_categories=())))
def test_every_text_comes_back(text: str) -> None:
    assert decode_storable(encode_storable(text)) == text


@pytest.mark.django_db
@pytest.mark.clause("S8")
@pytest.mark.parametrize("text", TREACHEROUS)
def test_the_database_gives_it_back_and_finds_it(text: str) -> None:
    StoredAnswer.objects.create(proxy="p", digest="d", name=f"10.1/{text}", record={"raw": {text: [text]}})
    found = StoredAnswer.objects.get(name__contains=text)
    assert found.name == f"10.1/{text}"
    assert found.record == {"raw": {text: [text]}}


@pytest.mark.django_db
@pytest.mark.parametrize("number", [2**64, -(2**70), 0.1, 1e22, True])
def test_a_number_in_an_answer_is_stored_as_it_is_however_large(number: float) -> None:
    stored = StoredAnswer.objects.create(proxy="p", digest="d", name="10.1/n", record={"ttl": number})
    stored.refresh_from_db()
    assert stored.record["ttl"] == number
    assert type(stored.record["ttl"]) is type(number)
