"""A message is the English text, and knows the template and the details that it was made of."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doi_reading import Message
from doi_reading.message import UnusableInput, decode_message, encode_message, join_messages

ROWS = Message.of_count("{count} row of {name}", "{count} rows of {name}", 1200, name="a")
REFUSAL = Message("Line {line}: {reason}", line="1200", reason=ROWS)


def test_it_is_the_english_text_with_separators_in_numbers_and_none_in_texts():
    assert REFUSAL == "Line 1200: 1,200 rows of a"
    assert json.dumps({"detail": REFUSAL}) == '{"detail": "Line 1200: 1,200 rows of a"}'


@pytest.mark.parametrize(("count", "text"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows")])
def test_a_count_of_one_has_a_template_of_its_own(count: int, text: str):
    assert Message.of_count("{count} row", "{count} rows", count) == text


@pytest.mark.parametrize("kept", [str(REFUSAL), copy.deepcopy(REFUSAL), pickle.loads(pickle.dumps(REFUSAL))])
def test_a_copy_and_its_text_are_still_messages(kept: Message):
    assert (kept, kept.template, kept.details) == (REFUSAL, REFUSAL.template, REFUSAL.details)


def test_the_text_of_an_error_is_its_message():
    assert str(UnusableInput(REFUSAL)).template == REFUSAL.template
    assert UnusableInput(REFUSAL).reason is REFUSAL


def test_messages_are_joined_with_each_of_them_kept():
    joined = join_messages(", ", ROWS, REFUSAL)
    assert joined == f"{ROWS}, {REFUSAL}"
    assert list(joined.details.values()) == [ROWS, REFUSAL]
    assert join_messages(" ") == ""


@pytest.mark.parametrize("text", ["{", "{count}", "{0.__class__}", "%(a)s", "\ud800\x00\x1a"])
def test_what_a_stranger_writes_into_a_detail_is_only_text(text: str):
    assert Message("The name is {name}.", name=text) == f"The name is {text}."


@given(st.text(st.characters(exclude_categories=())), st.integers())
def test_it_comes_back_from_json_as_it_was(text: str, count: int):
    message = Message("{first}: {second}", first=text, second=Message.of_count("{count} row", "{count} rows", count))
    back = decode_message(json.loads(json.dumps(encode_message(message))))
    assert (back, back.template, back.plural, back.details) == (message, message.template, "", message.details)


@pytest.mark.parametrize("plain", ["The name ends in a slash.", "", None, True, 7])
def test_what_is_no_message_is_the_same_in_json(plain: object):
    assert decode_message(encode_message(plain)) is encode_message(plain) is plain
