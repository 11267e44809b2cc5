"""Where a link leads by chance, and by its prefix: the name itself is not kept waiting for either."""

from typing import Any

import pytest
from django.test import Client

from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.gateway.conftest import ProxyBehind
from tests.proxy import raw_server as raw

PREFIX = "/api/handles/0.NA/10.1000"


@pytest.fixture
def stored(behind: ProxyBehind, program: Client) -> ProxyBehind:
    """The record of 10.1000/182 is stored, as a lookup or a list leaves it: that of its prefix is not."""
    program.get("/api/handles/10.1000/182")
    return behind


@pytest.mark.clause("L5")
def test_chance_goes_by_the_weights(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/loc"] = [
        (
            "10320/loc",
            '<locations><location href="https://light.example/" weight="1e-9"/>'
            '<location href="https://heavy.example/" weight="1"/></locations>',
        )
    ]
    assert {program.get("/10.1000/loc")["Location"] for _ in range(30)} == {"https://heavy.example/"}


@pytest.mark.clause("L1", "P13")
def test_a_pause_keeps_nobody_from_where_a_stored_name_leads(
    stored: ProxyBehind, program: Client, settings: Any
) -> None:
    settings.REDIS_URL = ""  # a pause in Redis would hold for the tests after it
    proxy_from_settings().budget.pause(40)
    answer = program.get("/10.1000/182")
    assert (answer.status_code, answer["Location"]) == (302, "https://www.doi.org/hb.html")
    assert answer["Cache-Control"] == "no-store"
    assert PREFIX not in stored.server.targets


@pytest.mark.clause("L1", "P13")
@pytest.mark.parametrize("fault", [raw.silence, raw.reset, raw.http(500, "")])
def test_a_prefix_that_does_not_answer_is_asked_once_and_then_left_alone(
    fault: raw.Answer, stored: ProxyBehind, program: Client, settings: Any
) -> None:
    settings.DOI_PROXY_TIMEOUT = 0.3
    stored.records["0.NA/10.1000"] = fault
    for _ in range(3):
        answer = program.get("/10.1000/182")
        assert (answer.status_code, answer["Location"]) == (302, "https://www.doi.org/hb.html")
        assert answer["Cache-Control"] == "no-store"
    assert stored.server.targets.count(PREFIX) == 1


@pytest.mark.clause("L1")
def test_the_handle_that_a_prefix_names_keeps_nobody_waiting_either(
    stored: ProxyBehind, program: Client, settings: Any
) -> None:
    stored.records |= {
        "0.NA/10.1000": [("HS_NAMESPACE", "<namespace><locs>10.1000/places</locs></namespace>")],
        "10.1000/places": raw.http(500, ""),
    }
    for _ in range(2):
        assert program.get("/10.1000/182").status_code == 302
    assert stored.server.targets.count("/api/handles/10.1000/places") == 1


def test_a_record_of_the_name_itself_is_asked_for_as_often_as_ever(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/out"] = raw.reset
    assert program.get("/10.1000/out").status_code == 500
    assert behind.server.targets.count("/api/handles/10.1000/out") == 3
