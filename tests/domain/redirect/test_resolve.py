"""What a click on a name leads to: its URL values, its aliases, its parameters."""

import pytest

from resolver.domain.handle.answers import Answer, NoValues, ProxyError, Unreachable
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.handle.record import HandleValue, Record
from resolver.domain.redirect.resolve import find_main_path
from resolver.domain.redirect.resolve_results import (
    AddressList,
    AliasLoop,
    ListedAddress,
    NameNotFound,
    NoAnswer,
    Redirect,
    ShownValues,
)
from tests.domain.records import alias, outcome, record, redirect, resolved, shown_values, url, value

NAME = "10.1/a"


@pytest.mark.clause("P1")
def test_a_name_leads_to_its_url_value() -> None:
    assert outcome("10.1/A", {NAME: url(" https://example.org/x%3Cy ")}) == Redirect(
        "https://example.org/x%3Cy", "10.1/A", "It comes from the URL in the DOI record.", ("10.1/A",)
    )


@pytest.mark.clause("P2")
def test_of_several_url_values_that_of_the_lowest_index_is_taken() -> None:
    answer = record(value(7, "URL", "https://x/7"), value(100, "HS_ADMIN", {}, "admin"), value(2, "url", "ftp://x/2"))
    found = redirect(NAME, {NAME: answer})
    assert (found.url, found.why) == ("ftp://x/2", "Of 2 URL values, number 1 is used.")


@pytest.mark.clause("P1", "A8")
@pytest.mark.parametrize(
    "unsafe",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "mailto:a@example.org",
        "//example.org/",
        "https:/example.org",
        "https://",
        "https:///x",
        "https://example.org/\r\nSet-Cookie: a=b",
        "https://example.org/\x00",
        "https://example.org/\x85x",
        "https://example.org/\u2028x",
        "https://example.org/x\u2029y",
        "https://example.org/\ud800",
        "https://example.org/" + "a" * 8_000,
        "",
    ],
)
def test_nobody_is_sent_to_anything_but_a_sound_web_address(unsafe: str) -> None:
    found = shown_values(NAME, {NAME: url(unsafe)})
    assert found.values[0].data == unsafe
    assert "An address was skipped" in found.why
    assert redirect(NAME, {NAME: url(unsafe, "https://x/2")}).url == "https://x/2"


@pytest.mark.clause("A8")
def test_a_record_without_an_address_is_shown() -> None:
    found = shown_values(NAME, {NAME: record(value(1, "EMAIL", "a@example.org"))})
    assert [each.type for each in found.values] == ["EMAIL"]
    empty = shown_values(NAME, {NAME: NoValues()})
    assert (empty.record, empty.values) == (NoValues(), ())


@pytest.mark.clause("P6")
def test_noredirect_shows_the_values_asked_for() -> None:
    answer = record(value(1, "URL", "https://x/"), value(100, "HS_ADMIN", {}, "admin"))
    found = shown_values(NAME, {NAME: answer}, "noredirect&type=hs_admin")
    assert found.record == answer
    assert found.values == (HandleValue(100, "HS_ADMIN", "admin", {}),)
    behind = shown_values("10.1/b", {NAME: answer, "10.1/b": alias(NAME)}, "noredirect")
    assert behind.way == ("10.1/b", NAME)


@pytest.mark.clause("P6")
@pytest.mark.parametrize("action", ["x", "", "redirect"])
def test_noredirect_shows_the_values_beside_any_action_but_showurls(action: str) -> None:
    assert shown_values(NAME, {NAME: url("https://x/")}, f"noredirect&action={action}").values


@pytest.mark.clause("P9")
def test_a_type_or_an_index_leaves_the_other_values_out() -> None:
    records = {NAME: url("https://x/1", "https://x/2")}
    assert redirect(NAME, records, "index=2").url == "https://x/2"
    found, asked = resolved(NAME, records, "type=EMAIL")
    assert isinstance(found, ShownValues)
    assert (found.values, asked) == ((), [NAME])


@pytest.mark.clause("P6", "P9")
@pytest.mark.parametrize(
    ("answer", "query", "why"),
    [
        (url("https://x/"), "noredirect&type=zap", "The record has no value with a requested type or index."),
        (url("https://x/"), "index=9", "The record has no value with a requested type or index."),
        (record(), "noredirect", "The record has no values."),
        (record(), "type=zap", "The record has no values."),
        (NoValues(), "noredirect", "The record has no values."),
    ],
)
def test_where_nothing_is_shown_it_is_told_whether_the_record_is_empty(answer: Answer, query: str, why: str) -> None:
    found = shown_values(NAME, {NAME: answer}, query)
    assert found.why.endswith(why)
    assert found.why.count("value") == why.count("value") + found.why.count("asks for the values")


@pytest.mark.clause("P10")
@pytest.mark.parametrize(
    ("query", "end"),
    [
        ("urlappend=%3Fa%3D1%262", "?a=1&2"),
        ("urlappend=%0D%0AX-Evil:%201", "%0D%0AX-Evil:%201"),
        ("urlappend=%FF%C3%A9", "%EF%BF%BD%C3%A9"),
        ("urlappend=/a&urlappend=b", "/a"),
        ("urlappend=?a=b+c", "?a=b+c"),
    ],
)
def test_urlappend_ends_the_address_and_can_end_nothing_else(query: str, end: str) -> None:
    assert redirect(NAME, {NAME: url("https://x/1")}, query).url == "https://x/1" + end


@pytest.mark.clause("P7")
def test_aliases_are_followed_to_their_end_unless_ignored() -> None:
    records = {"10.1/c": alias(" 10.1/B "), "10.1/b": alias(NAME), NAME: url("https://x/")}
    found = redirect("10.1/c", records)
    assert (found.url, found.name, found.way) == ("https://x/", NAME, ("10.1/c", "10.1/B", NAME))
    shown = shown_values("10.1/c", records, "ignore_aliases")
    assert shown.values[0].data == " 10.1/B "


@pytest.mark.clause("P7")
@pytest.mark.parametrize(
    ("records", "way", "repeats"),
    [
        ({NAME: alias("10.1/A")}, (NAME, "10.1/A"), True),
        ({NAME: alias("10.1/b"), "10.1/b": alias(NAME)}, (NAME, "10.1/b", NAME), True),
        (
            {f"10.1/{at}": alias(f"10.1/{at + 1}") for at in range(30)} | {NAME: alias("10.1/0")},
            (NAME, *(f"10.1/{at}" for at in range(21))),
            False,
        ),
    ],
)
def test_aliases_without_an_end_are_told(records: dict[str, object], way: tuple[str, ...], repeats: bool) -> None:
    found = outcome(NAME, records)  # type: ignore[arg-type]
    assert found == AliasLoop(NAME, way)
    assert found.repeats is repeats


@pytest.mark.clause("P7")
def test_an_alias_of_white_space_alone_is_none() -> None:
    answer = record(value(1, "HS_ALIAS", " "), value(2, "HS_ALIAS", NAME))
    assert redirect("10.1/b", {"10.1/b": answer, NAME: url("https://x/")}).url == "https://x/"
    assert isinstance(outcome("10.1/b", {"10.1/b": record(value(1, "HS_ALIAS", ""))}), ShownValues)


@pytest.mark.clause("P7")
def test_twenty_aliases_are_followed() -> None:
    records = {f"10.1/{at}": alias(f"10.1/{at + 1}") for at in range(20)} | {"10.1/20": url("https://x/")}
    assert redirect("10.1/0", records).url == "https://x/"


@pytest.mark.clause("P7")
@pytest.mark.parametrize(
    ("name", "query", "path"),
    [
        ("10.1/b", "", "10.1/A%23"),
        ("10.1/b", "urlappend=/x&auth", "10.1/A%23"),
        ("10.1/b", "action=x", "10.1/A%23"),
        ("10.1/c", "", "10.1/A%23"),
        ("abc", "", "10.1/A%23"),
        ("10.1/to-values", "", "10.1/values"),
        ("10.1/a#", "", ""),
        ("10.1/b", "noredirect", ""),
        ("10.1/b", "action=showurls", ""),
        ("10.1/b", "ignore_aliases", ""),
        ("10.1/gone", "", ""),
        ("10.1/empty", "", ""),
        ("10.1/loop", "", ""),
        ("10.1/to-path", "", ""),
        ("10.1/to-page", "", ""),
        ("10.1/long", "", ""),
    ],
)
def test_the_link_with_an_alias_is_one_to_that_with_its_main_name(name: str, query: str, path: str) -> None:
    records = {
        "10.1/a#": url("https://x/"), "10.1/b": alias("10.1/A#"), "10.1/c": alias("10.1/b"), "10/abc": alias("10.1/b"),
        "10.1/to-values": alias("10.1/values"), "10.1/values": record(value(1, "EMAIL", "a@example.org")),
        "10.1/gone": alias("10.1/missing"), "10.1/empty": alias("10.1/none"), "10.1/none": NoValues(),
        "10.1/loop": alias("10.1/loop"), "10.1/to-path": alias("/evil.example/a"), "/evil.example/a": url("https://x/"),
        "10.1/to-page": alias("history"), "history": url("https://x/"),
        "10.1/long": alias("10.1/" + "a" * 4000), "10.1/" + "a" * 4000: url("https://x/"),
    }  # fmt: skip
    assert find_main_path(outcome(name, records, query), ProxyParameters.of(query)) == path


@pytest.mark.clause("P1", "P2")
@pytest.mark.parametrize(
    ("kinds", "index"),
    [
        (["URL.pdf"], 1),
        (["0.TYPE/URL"], 1),
        (["0.type/url.x"], 1),
        (["url.pdf", "URL.html"], 1),
        (["URL.pdf", "URL"], 2),
        (["URL.pdf", "0.TYPE/URL"], 2),
        (["0.TYPE/URL", "URL"], 1),
    ],
)
def test_subtypes_of_url_are_addresses_where_no_value_of_the_type_itself_is(kinds: list[str], index: int) -> None:
    answer = record(*(value(at, kind, f"https://x/{at}") for at, kind in enumerate(kinds, 1)))
    assert redirect(NAME, {NAME: answer}).url == f"https://x/{index}"
    assert isinstance(answer, Record)
    assert answer.urls[0] == f"https://x/{index}"


@pytest.mark.parametrize("kind", ["URLs", "URL/x", "XURL", "0.TYPE/URLX", "0.TYPE/EMAIL", "10320/URL"])
def test_types_that_only_look_like_url_are_no_addresses(kind: str) -> None:
    assert shown_values(NAME, {NAME: record(value(1, kind, "https://x/"))})


@pytest.mark.clause("P4", "P7")
def test_a_missing_name_and_a_missing_alias_are_not_found() -> None:
    assert outcome(NAME, {}) == NameNotFound(NAME, (), (NAME,))
    assert outcome("abc", {"10/abc": alias(NAME)}) == NameNotFound(NAME, (), ("10/abc", NAME))
    assert outcome(NAME, {NAME: alias("10.1/gone")}) == NameNotFound("10.1/gone", (), (NAME, "10.1/gone"))


@pytest.mark.parametrize("failure", [ProxyError("no such luck"), Unreachable("timed out")])
def test_what_cannot_be_asked_is_no_verdict(failure: ProxyError | Unreachable) -> None:
    assert outcome(NAME, {NAME: failure}) == NoAnswer(NAME, failure, (NAME,))
    records = {NAME: alias("10.1/b"), "10.1/b": failure}
    assert outcome(NAME, records) == NoAnswer("10.1/b", failure, (NAME, "10.1/b"))
    assert outcome("abc", {"10/abc": failure}) == NoAnswer("10/abc", failure, ("10/abc",))


@pytest.mark.clause("S12")
def test_a_short_doi_may_stand_without_its_ten() -> None:
    records = {"10/abc": alias(NAME), NAME: url("https://x/"), "10.2": url("https://p/"), "ftp": url("https://y/")}
    found, asked = resolved("aBc", records)
    assert (getattr(found, "url", ""), asked) == ("https://x/", ["aBc", "10/aBc", NAME, "0.NA/10.1"])
    assert redirect("ftp", records).url == "https://y/"
    assert resolved("zzz", records) == (NameNotFound("zzz", (), ("zzz",)), ["zzz", "10/zzz"])
    gone = NameNotFound("10.1/gone", (), ("p54k", "10.1/gone"))
    assert resolved("p54k", {"p54k": alias("10.1/gone")}) == (gone, ["p54k", "10.1/gone"])
    for name in ("10.3", "a-b", "a/b", ""):
        assert resolved(name, records)[1] == [name]


@pytest.mark.clause("P6", "S12")
def test_the_values_of_a_short_doi_without_its_ten_are_shown() -> None:
    found = shown_values("abc", {"10/abc": alias(NAME), NAME: url("https://x/")}, "noredirect")
    assert (found.way, [each.data for each in found.values]) == (("10/abc", NAME), ["https://x/"])


@pytest.mark.clause("P5")
@pytest.mark.parametrize(
    ("name", "advised"),
    [
        ("10.1000/demo_DOI/", [("trailing-slash", "10.1000/demo_DOI")]),
        ("10.1000/demo//", [("trailing-slash", "10.1000/demo")]),
        ("10.1000//x", [("doubled-slashes", "10.1000/x")]),
        ("10.1000/a///b/", [("trailing-slash", "10.1000/a///b"), ("doubled-slashes", "10.1000/a/b")]),
        ("10.1000", [("bare-prefix", None)]),
        ("10.1000.5/", [("bare-prefix", None)]),
        ("10.1000/x", []),
        ("favicon.ico", []),
        ("/", []),
    ],
)
def test_a_name_that_is_not_there_gets_advice_by_its_form(name: str, advised: list[tuple[str, str | None]]) -> None:
    found = outcome(name, {})
    assert isinstance(found, NameNotFound)
    assert [(each.code, each.name) for each in found.advice] == advised


@pytest.mark.clause("P5")
@pytest.mark.parametrize("answer", [url(), url("javascript:x"), NoValues()])
def test_a_prefix_that_has_a_record_is_no_doi_name_either(answer: Answer) -> None:
    found = shown_values("10.1000/", {"10.1000/": answer})
    assert [each.code for each in found.advice] == ["bare-prefix"]
    shown = shown_values("10.1000/x//", {"10.1000/x//": answer}, "noredirect")
    assert shown.advice == (), "a name that is there may end in a slash (S10)"


@pytest.mark.clause("P11")
def test_showurls_lists_the_url_values_where_there_are_no_locations() -> None:
    records = {NAME: url("javascript:x", "https://x/ 2", "https://x/1", "https://x/1")}
    assert outcome(NAME, records, "action=showurls&noredirect") == AddressList(
        (ListedAddress("https://x/%202"), ListedAddress("https://x/1")), NAME, (NAME,)
    )
    assert outcome(NAME, {NAME: record()}, "action=showurls") == AddressList((), NAME, (NAME,))


@pytest.mark.clause("P12")
def test_other_parameters_change_nothing_of_where_a_name_leads() -> None:
    assert redirect(NAME, {NAME: url("https://x/1")}, "auth&cert&nols=y&src=x&action=x").url == "https://x/1"
