"""An answer that chance, weight or the country chose is kept by nobody as if it were the only one (P16)."""

from typing import Any

import pytest
from django.test import Client

from tests.gateway.conftest import ProxyBehind

NOBODY_ELSE = "private, no-store"
COUNTRY = "X-Country"
UK = '<location id="0" href="https://uk.example/" country="gb"/>'
WWW1 = '<location id="1" href="https://www1.example/" weight="1"/>'
WWW2 = '<location id="2" href="https://www2.example/" weight="0.1"/>'
NEVER = '<location id="3" href="https://never.example/" weight="0"/>'


def locations(*each: str) -> list[tuple[str, str]]:
    return [("URL", "https://url.example/"), ("10320/loc", f"<locations>{''.join(each)}</locations>")]


@pytest.mark.clause("P16", "L5", "P2")
@pytest.mark.parametrize(
    ("values", "query", "varies"),
    [
        (locations(WWW1, WWW2), "", True),
        (locations(WWW1, WWW2), "?locatt=id:1", False),
        (locations(WWW1, WWW2), "?locatt=id:9", True),
        (locations(WWW1, NEVER), "", False),
        (locations(WWW1), "", False),
        (locations(NEVER, NEVER), "", True),
        (locations(WWW1, WWW2), "?action=showurls", False),
        (locations(WWW1, WWW2), "?type=URL", False),
        ([("URL", "https://a.example/"), ("URL", "https://b.example/")], "", True),
        ([("URL", "https://a.example/"), ("URL", "https://b.example/")], "?index=2", False),
        ([("URL", "https://a.example/"), ("DESC", "b")], "", False),
    ],
)
def test_what_chance_may_choose_is_for_who_asks_alone(
    values: list[tuple[str, str]], query: str, varies: bool, behind: ProxyBehind, program: Client
) -> None:
    behind.records["10.1000/loc"] = values
    for _ in range(2):  # asked for, and stored
        answer = program.get(f"/10.1000/loc{query}")
        assert (answer["Cache-Control"] == NOBODY_ELSE) is varies
        assert answer.has_header("Expires") is not varies
    assert behind.asked == ["/api/handles/10.1000/loc"]


@pytest.mark.clause("P16", "L4")
@pytest.mark.parametrize("country", ["GB", "FR", ""])
def test_what_the_country_chooses_is_for_who_asks_alone(
    country: str, behind: ProxyBehind, program: Client, settings: Any
) -> None:
    settings.COUNTRY_HEADER = COUNTRY
    behind.records["10.1000/loc"] = locations(UK, WWW1)
    answer = program.get("/10.1000/loc", headers={COUNTRY: country})
    assert answer["Location"] == ("https://uk.example/" if country == "GB" else "https://www1.example/")
    assert (answer["Cache-Control"], answer["Vary"]) == (NOBODY_ELSE, f"Accept, {COUNTRY}")


@pytest.mark.clause("P16", "L4", "P6")
def test_a_page_that_says_what_the_country_chooses_is_for_who_asks_alone(
    behind: ProxyBehind, program: Client, settings: Any
) -> None:
    behind.records["10.1000/loc"] = locations(UK, WWW1)
    assert "max-age" in program.get("/10.1000/loc?noredirect")["Cache-Control"]
    settings.COUNTRY_HEADER = COUNTRY
    assert program.get("/10.1000/loc?noredirect")["Cache-Control"] == NOBODY_ELSE
    assert "max-age" in program.get("/10.1000/182?noredirect")["Cache-Control"]


@pytest.mark.clause("P16")
def test_the_whole_record_is_the_same_for_everybody(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/loc"] = locations(UK, WWW1, WWW2)
    assert program.get("/api/handles/10.1000/loc")["Cache-Control"] == "max-age=86400"
