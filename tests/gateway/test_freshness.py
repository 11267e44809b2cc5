"""How long an answer is kept, and what is said of that: by the ttl of its values and by its own age (P13, P15)."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from resolver.models import StoredAnswer
from tests.gateway.conftest import ProxyBehind
from tests.proxy import raw_server as raw

NAME = "10.1000/ttl"
FACES = ["/api/handles/10.1000/ttl", "/10.1000/ttl"]


def record(*ttls: Any, **headers: str) -> bytes:
    """A record of URL values with these times to live."""
    values = [
        {"index": n, "type": "URL" if n == 1 else "DESC", "data": {"format": "string", "value": "https://a.example/"}}
        | ({} if ttl is ... else {"ttl": ttl})
        for n, ttl in enumerate(ttls, 1)
    ]
    return raw.http(200, {"responseCode": 1, "handle": NAME, "values": values}, **headers)


def later(seconds: float) -> None:
    """So much time has passed since the record was asked for."""
    StoredAnswer.objects.filter(name=NAME).update(record_at=F("record_at") - timedelta(seconds=seconds))


def asked(behind: ProxyBehind) -> int:
    return behind.asked.count("/api/handles/10.1000/ttl")


@pytest.mark.clause("P15")
@pytest.mark.parametrize("path", FACES)
def test_a_record_is_kept_as_long_as_the_shortest_of_its_values(
    path: str, behind: ProxyBehind, program: Client
) -> None:
    behind.records[NAME] = record(86_400, 60)
    first = program.get(path)
    assert (first["Age"], first["Cache-Control"]) == ("0", "max-age=60")
    later(50)
    second = program.get(path)
    assert int(second["Age"]) in range(50, 59)
    assert second["Cache-Control"] == "max-age=60"
    assert asked(behind) == 1
    later(15)
    assert program.get(path)["Age"] == "0"
    assert asked(behind) == 2


@pytest.mark.clause("P15")
@pytest.mark.parametrize("path", FACES)
@pytest.mark.parametrize("ttl", [0, -1, "0", "2001-01-01T00:00:00Z"])
def test_what_may_not_be_kept_is_asked_for_each_time(path: str, ttl: Any, behind: ProxyBehind, program: Client) -> None:
    behind.records[NAME] = record(ttl)
    for _ in range(2):
        answer = program.get(path)
        assert (answer["Age"], answer["Cache-Control"]) == ("0", "max-age=0")
    assert asked(behind) == 2


@pytest.mark.clause("P15")
@pytest.mark.parametrize("ttl", [..., 604_800, 10**30, "9999-12-31T23:59:59Z", "soon", None, True, ["x"]])
def test_nothing_is_kept_for_longer_than_a_day(ttl: Any, behind: ProxyBehind, program: Client) -> None:
    behind.records[NAME] = record(ttl)
    assert program.get(FACES[0])["Cache-Control"] == "max-age=86400"
    later(86_300)
    assert program.get(FACES[0]).status_code == 200
    assert asked(behind) == 1


@pytest.mark.clause("P15")
def test_a_value_that_ends_at_a_moment_is_kept_until_then(behind: ProxyBehind, program: Client) -> None:
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=10)
    behind.records[NAME] = record(until.isoformat())
    answer = program.get(FACES[0])
    assert answer["Expires"] == format_datetime(until, usegmt=True)
    assert int(answer["Cache-Control"].removeprefix("max-age=")) in range(590, 601)


@pytest.mark.clause("P15", "P7")
def test_a_link_counts_as_long_as_each_record_on_its_way(behind: ProxyBehind, program: Client) -> None:
    behind.records |= {"10.1000/old": [("HS_ALIAS", NAME)], NAME: record(300)}
    assert program.get("/10.1000/old")["Cache-Control"] == "max-age=300"
    later(400)
    program.get("/10.1000/old")
    assert asked(behind) == 2


@pytest.mark.clause("P15", "L1")
def test_an_older_record_of_the_prefix_lets_a_link_count_no_longer(behind: ProxyBehind, program: Client) -> None:
    program.get("/10.1000/182")
    StoredAnswer.objects.update(record_at=F("record_at") - timedelta(seconds=1000))
    behind.records[NAME] = record(60)
    answer = program.get("/10.1000/ttl")
    assert (answer["Age"], answer["Cache-Control"]) == ("0", "max-age=60")


@pytest.mark.clause("P13")
@pytest.mark.parametrize("path", ["/api/handles/10.1000/new", "/10.1000/new", "/doiRA/10.1000/new,10.1000/182"])
def test_that_a_name_does_not_exist_is_kept_for_an_hour_and_by_browsers_for_ten_minutes(
    path: str, behind: ProxyBehind, program: Client
) -> None:
    assert program.get(path)["Cache-Control"] == "max-age=600"
    ago = timedelta(minutes=55)
    StoredAnswer.objects.update(record_at=F("record_at") - ago, agency_at=F("agency_at") - ago)
    before = len(behind.asked)
    kept = program.get(path)
    age, total = int(kept["Age"]), int(kept["Cache-Control"].removeprefix("max-age="))
    assert age in range(3300, 3360)
    assert total - age in range(240, 301)
    assert len(behind.asked) == before
    behind.records["10.1000/new"] = [("URL", "https://a.example/")]
    StoredAnswer.objects.update(
        record_at=F("record_at") - timedelta(minutes=6), agency_at=F("agency_at") - timedelta(minutes=6)
    )
    assert program.get(path).status_code in (200, 302)
    assert len(behind.asked) > before


@pytest.mark.clause("P13")
@pytest.mark.parametrize("path", FACES)
def test_an_answer_is_as_old_as_it_was_when_it_came(path: str, behind: ProxyBehind, program: Client) -> None:
    behind.records[NAME] = record(86_400, Age="7200")
    answer = program.get(path)
    assert int(answer["Age"]) in range(7200, 7260)
    assert answer["Cache-Control"] == "max-age=86400"
    later(78_000)
    assert int(program.get(path)["Age"]) in range(85_200, 85_260)
    later(1800)
    program.get(path)
    assert asked(behind) == 2


@pytest.mark.clause("P13", "P15")
def test_the_age_is_taken_off_the_time_to_live(behind: ProxyBehind, program: Client) -> None:
    behind.records[NAME] = record(3600, Age="3000")
    assert program.get(FACES[0])["Cache-Control"] == "max-age=3600"
    later(700)
    program.get(FACES[0])
    assert asked(behind) == 2


@pytest.mark.clause("P13")
@pytest.mark.parametrize(
    ("headers", "age"),
    [
        ({"Date": -7200}, 7200),
        ({"Age": "60", "Date": -7200}, 60),
        ({"Date": 7200}, 0),
        ({"Date": -20}, 0),
        ({"Date": -900_000}, 0),
        ({"Age": "99999999999"}, 86_400),
        ({"Age": "9" * 400}, 0),
        ({"Age": "-5"}, 0),
        ({"Age": "1e9"}, 0),
        ({"Date": "yesterday"}, 0),
    ],
)
def test_an_age_is_believed_as_far_as_it_can_be(
    headers: dict[str, Any], age: int, behind: ProxyBehind, program: Client
) -> None:
    told = {
        name: format_datetime(timezone.now() + timedelta(seconds=value), usegmt=True)
        if isinstance(value, int)
        else value
        for name, value in headers.items()
    }
    behind.records[NAME] = record(86_400, **told)
    assert int(program.get(FACES[0])["Age"]) in range(age, age + 60)


@pytest.mark.clause("P13", "P15")
def test_a_name_that_is_missing_has_an_age_too(behind: ProxyBehind, program: Client) -> None:
    behind.records[NAME] = raw.http(404, {"responseCode": 100, "handle": NAME}, Age="600")
    answer = program.get(FACES[0])
    assert (answer.status_code, int(answer["Age"]) // 60) == (404, 10)
