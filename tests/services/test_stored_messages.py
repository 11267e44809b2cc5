"""A message that is stored keeps its template and details; a sentence that an earlier version stored stays a text."""

from datetime import UTC, datetime

import pytest
from django.db import connection

from doi_reading import Message
from resolver.models import Job, Lookup

TREACHEROUS = ["a", "{a}", '"}', "\x00", "\x1a{", "\ud800", "𝒟"]

pytestmark = pytest.mark.django_db


def a_job(error: str) -> Job:
    job = Job.objects.create(created_at=datetime(2026, 1, 1, tzinfo=UTC), filename="list.csv", upload="x", error=error)
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("text", TREACHEROUS)
def test_a_text_column_gives_the_message_back(text: str):
    error = a_job(Message("There is no column “{name}”.", name=text)).error
    assert isinstance(error, Message)
    assert (error, error.details) == (f"There is no column “{text}”.", {"name": text})


@pytest.mark.parametrize("text", ["", "The file is empty.", *TREACHEROUS])
def test_a_text_column_gives_a_plain_text_back_as_one(text: str):
    error = a_job(text).error
    assert (error, type(error)) == (text, str)


def a_lookup(problems: list[dict[str, str]]) -> Lookup:
    made = datetime(2026, 1, 1, tzinfo=UTC)
    lookup = Lookup.objects.create(created_at=made, input="x", form="none", outcome="invalid", problems=problems)
    lookup.refresh_from_db()
    return lookup


@pytest.mark.parametrize("text", TREACHEROUS)
def test_a_json_column_gives_each_message_back(text: str):
    message = Message("The name ends in “{characters}”.", characters=text)
    (problem,) = a_lookup([{"code": "x", "message": message}]).problems
    assert isinstance(problem["message"], Message)
    assert problem == {"code": "x", "message": f"The name ends in “{text}”."}
    assert problem["message"].details == {"characters": text}


def test_a_sentence_that_an_earlier_version_stored_is_a_text():
    lookup = a_lookup([])
    stored = '[{"code":"trailing-slash","message":"The name ends in a slash."}]'
    with connection.cursor() as cursor:
        cursor.execute("UPDATE resolver_lookup SET problems = %s", [stored])
    lookup.refresh_from_db()
    assert lookup.problems == [{"code": "trailing-slash", "message": "The name ends in a slash."}]
    assert type(lookup.problems[0]["message"]) is str
