"""The parameters of a request to the proxy."""

from dataclasses import replace
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.handle.record import HandleValue

VALUES = [
    HandleValue(100, "HS_ADMIN", "admin", {}),
    HandleValue(1, "URL", "string", "https://example.org/"),
    HandleValue(1000, "10320/loc", "string", "<locations/>"),
]


@pytest.mark.clause("P6", "P7", "P8", "P12", "A6", "A10")
@pytest.mark.parametrize("flag", ["auth", "cert", "pretty", "noredirect", "ignore_aliases", "nols"])
def test_a_flag_is_set_by_being_there_whatever_its_value(flag: str) -> None:
    for query in (flag, f"{flag}=", f"{flag}=y", f"a=b&{flag}=true", f"{flag}=false", f"{flag}=FALSE", f"{flag}=0"):
        assert getattr(ProxyParameters.of(query), flag) is True
    for query in ("", f"x{flag}", f"a={flag}", flag.upper()):
        assert getattr(ProxyParameters.of(query), flag) is False


@pytest.mark.clause("P9", "H2")
@pytest.mark.parametrize(
    ("query", "indexes"),
    [
        ("", [100, 1, 1000]),
        ("type=URL", [1]),
        ("type=url", [1]),
        ("type=10320%2FLOC&type=HS_ADMIN", [100, 1000]),
        ("index=1&type=HS_ADMIN", [100, 1]),
        ("index=1&index=1000", [1, 1000]),
        ("index=1x&index=", []),
        ("type=", []),
    ],
)
def test_types_and_indexes_are_ored_and_the_order_stays(query: str, indexes: list[int]) -> None:
    assert [value.index for value in ProxyParameters.of(query).select(VALUES)] == indexes


@pytest.mark.clause("P10", "P11")
def test_the_parameters_with_a_text_are_decoded_once() -> None:
    query = "urlappend=%3Fa%3D1%2526&locatt=id:1&locatt=label:a:b&locatt=odd&locatt=:x&action=showurls&callback=f"
    read = ProxyParameters.of(query)
    assert (read.urlappend, read.action, read.callback) == ("?a=1%26", "showurls", "f")
    assert read.locatt == (("id", "1"), ("label", "a:b"), ("odd", None))


@pytest.mark.clause("P9", "P10", "P11")
@pytest.mark.parametrize(
    ("query", "kinds", "append", "locatt"),
    [
        ("urlappend=?a=b+c", (), "?a=b+c", ()),
        ("urlappend=%2Bc%20d", (), "+c d", ()),
        ("type=a+b&locatt=label:x+y", ("a+b",), "", (("label", "x+y"),)),
        ("type=URL;urlappend=/x;locatt=id:1", ("URL",), "/x", (("id", "1"),)),
        ("&;type=URL;;", ("URL",), "", ()),
        ("urlappend=/a%3Bb%26c", (), "/a;b&c", ()),
        ("urlappend=a=b", (), "a=b", ()),
        ("urlappend=/1&urlappend=/2", (), "/1", ()),
        ("urlappend=&urlappend=/2", (), "", ()),
        ("locatt=%20id%20:%201", (), "", (("id", " 1"),)),
        ("locatt=&locatt=:", (), "", ()),
    ],
)
def test_a_plus_stays_a_semicolon_separates_and_the_first_text_to_append_counts(
    query: str, kinds: tuple[str, ...], append: str, locatt: tuple[tuple[str, str], ...]
) -> None:
    read = ProxyParameters.of(query)
    assert (read.types, read.urlappend, read.locatt) == (kinds, append, locatt)


@pytest.mark.parametrize("query", ["%", "%FF=%FF", "&&&", "=", "\udce9=\ud800", "type=" + "&type=x" * 5000, "a;b=c"])
def test_whatever_stands_there_nothing_is_raised(query: str) -> None:
    ProxyParameters.of(query).select(VALUES)


KEYS = [
    "type",
    "index",
    "locatt",
    "urlappend",
    "action",
    "auth",
    "cert",
    "pretty",
    "noredirect",
    "nols",
    "callback",
    "x",
]
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(["a:b", "%26", "&auth", "#", "+", "false"])


@given(st.lists(st.tuples(st.sampled_from(KEYS), TEXTS), max_size=6))
def test_what_was_understood_is_written_as_a_query_that_is_understood_alike(given_: list[tuple[str, str]]) -> None:
    understood = ProxyParameters.of(urlencode(given_, quote_via=quote))
    query = understood.build_query()
    assert query.isascii()
    assert query.isprintable()
    assert not set(query) & set(' #+;<>"')
    assert ProxyParameters.of(query) == replace(understood, pretty=False, callback=None)
