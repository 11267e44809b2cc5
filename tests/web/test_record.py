"""A record on the page: whatever a proxy sent, there are rows and no fault."""

import pytest

from resolver.web.record import MOST, ValueRow, value_rows


@pytest.mark.clause("A3")
def test_each_value_is_a_row_in_the_order_in_which_it_came():
    values = [
        {"index": 2, "type": "URL", "data": {"format": "string", "value": "https://a.example/"}, "ttl": 86400,
         "timestamp": "2004-01-21T14:14:17Z"},
        {"index": 100, "type": "HS_ADMIN", "data": {"format": "admin", "value": {"index": 200}}, "ttl": 86400},
    ]  # fmt: skip
    assert value_rows({"values": values}) == [
        ValueRow("2", "URL", "string", "https://a.example/", "86400", "2004-01-21T14:14:17Z"),
        ValueRow("100", "HS_ADMIN", "admin", '{"index": 200}', "86400", ""),
    ]


@pytest.mark.clause("A9")
@pytest.mark.parametrize("record", [None, {}, {"values": None}, {"values": "x"}, {"values": [1, None, "x", []]}])
def test_a_record_that_is_none_has_no_rows(record: dict[str, object] | None):
    assert value_rows(record) == []


@pytest.mark.clause("A9")
@pytest.mark.parametrize("value", [{}, {"data": "bare"}, {"data": None}, {"index": [1], "type": {"a": 1}, "data": [2]}])
def test_a_value_of_another_shape_is_shown_as_it_is(value: dict[str, object]):
    assert len(value_rows({"values": [value]})) == 1


def test_a_record_with_very_many_values_is_shown_in_part():
    assert len(value_rows({"values": [{"index": number} for number in range(1000)]})) == MOST
