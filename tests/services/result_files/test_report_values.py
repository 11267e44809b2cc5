"""The table of what a report stores, and what each output makes of an entry."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import models

from resolver.api.serializers.stored_values import StoredValueField
from resolver.models import Lookup, Row
from resolver.models.fields import CodesField, ExactTextField, JsonTextField
from resolver.models.reports.report_value import ReportValue, arrange, list_values
from resolver.services.lookups.stored_results import CHECKED_COLUMNS, UNCHECKED_COLUMNS
from resolver.services.result_files.columns import list_columns
from resolver.services.result_files.json_members import build_list_objects
from resolver.services.result_files.result_row import STORED_NAMES, ResultRow
from tests.services.conftest import make_job

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC)
CASES = [
    (ExactTextField(), "a", "a", "a"),
    (ExactTextField(), "", None, ""),
    (models.BooleanField(), True, True, "1"),
    (models.BooleanField(), False, False, ""),
    (models.DateTimeField(), MOMENT, "2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
    (models.DateTimeField(), None, None, ""),
    (models.IntegerField(), 0, 0, "0"),
    (models.IntegerField(), None, None, ""),
    (JsonTextField(), ["a", "b c"], ["a", "b c"], "a | b c"),
    (CodesField(), ("a", "b"), ("a", "b"), "a b"),
]


class Holder:
    def __init__(self, value: Any) -> None:
        self.doi = value


def make_value(field: Any, **about: Any) -> ReportValue:
    field.name = "doi"
    return ReportValue(field, **about)


@pytest.mark.parametrize(("field", "stored", "in_json", "in_cell"), CASES)
def test_each_output_writes_a_value_by_its_field(field: Any, stored: Any, in_json: Any, in_cell: str) -> None:
    value = make_value(field, empty_is_null=isinstance(field, ExactTextField))
    assert value.build_json_getter()(Holder(stored)) == in_json
    assert value.build_cell_getter()(Holder(stored)) == in_cell


def test_what_is_shown_may_differ_from_what_is_stored() -> None:
    value = make_value(ExactTextField(), show=lambda row: f"{row.doi}!")
    assert (value.build_json_getter()(Holder("a")), value.build_cell_getter()(Holder("a"))) == ("a!", "a!")


def test_rest_and_json_lines_have_the_same_value() -> None:
    value = make_value(models.DateTimeField())
    assert StoredValueField(value, {}, "").to_representation(Holder(MOMENT)) == value.build_json_getter()(
        Holder(MOMENT)
    )


def test_a_new_value_comes_after_those_that_programs_know() -> None:
    assert arrange(["new", "ra", "doi"], ("doi", "gone", "ra")) == ("doi", "ra", "new")


def test_each_value_with_a_column_is_in_the_widest_file_once() -> None:
    names = [
        column.name
        for column in list_columns(**dict.fromkeys(("split", "compared", "audited", "corrected", "searched"), True))
    ]
    assert len(set(names)) == len(names)
    assert {value.column.name for value in list_values(Row) if value.column} < set(names)


def test_each_value_with_a_help_text_is_in_the_objects_of_a_list() -> None:
    found = build_list_objects(are_places=False, corrected=True)(ResultRow(), [])
    assert {value.member for value in list_values(Row) if value.help} < set(found)


def test_a_retry_empties_what_a_check_writes_unless_it_follows_from_the_text() -> None:
    assert set(CHECKED_COLUMNS) - set(UNCHECKED_COLUMNS) == {"doi", "key", "url", "fingerprint", "same_as"}
    row = Row()
    assert {name: getattr(row, name) for name in UNCHECKED_COLUMNS} == UNCHECKED_COLUMNS


def test_lookups_and_rows_have_one_name_for_a_value() -> None:
    both = {value.name for value in list_values(Row)} & {value.name for value in list_values(Lookup)}
    assert both >= {"doi", "outcome", "ra", "urls", "problem_codes", "answered_at", "proxy"}


@pytest.mark.django_db
def test_a_row_of_a_file_has_the_stored_values_by_their_names(proxy: Any) -> None:
    filled = {"doi": "10.1000/1", "urls": ["https://a.example/"], "problem_codes": ("a", "b"), "answered_at": MOMENT}
    Row.objects.create(job=make_job("doi\n10.1000/1\n", proxy), line=1, **filled)
    stored = Row.objects.get()
    row = ResultRow(*Row.objects.values_list(*STORED_NAMES).get())
    assert {name: getattr(row, name) for name in STORED_NAMES} == {name: getattr(stored, name) for name in STORED_NAMES}
    assert {name: getattr(row, name) for name in filled} == filled


@pytest.mark.django_db
def test_codes_are_found_whole_and_come_back_in_order(proxy: Any) -> None:
    job = make_job("doi\n10.1000/1\n", proxy)
    for line, codes in enumerate([("no-doi",), ("inner-space", "alias"), ()], 1):
        Row.objects.create(job=job, line=line, problem_codes=codes)
    rows = Row.objects.order_by("line")
    assert list(rows.values_list("problem_codes", flat=True)) == [("no-doi",), ("inner-space", "alias"), ()]
    assert [row.line for row in rows.filter(problem_codes__contains=" alias ")] == [2]
    assert [row.line for row in rows.filter(problem_codes__contains=" space ")] == []
    assert [row.line for row in rows.filter(problem_codes=())] == [3]
    assert [row.line for row in rows.filter(problem_codes=("no-doi",))] == [1]
