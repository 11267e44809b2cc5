"""Addresses fit for a header, the bodies that show them, and who wants another kind of answer."""

from xml.etree import ElementTree

import pytest

from resolver.domain.redirect.content_negotiation import find_header_attributes, wants_data
from resolver.domain.redirect.resolve_results import build_showurls_body, redirect_body
from resolver.domain.redirect.safe_url import MAX_URL_CHARACTERS, NotRedirectable, to_location_header


@pytest.mark.clause("P1")
@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        ("\r\n https://x/ \t", "https://x/"),
        ("HTTPS://x/(a);b~c!$&'*+,=:@?d#e[f]", "HTTPS://x/(a);b~c!$&'*+,=:@?d#e[f]"),
        ("https://x/%3C%zz%", "https://x/%3C%zz%"),
        ("https://x/\u00e1 <\"'>\\^`{|}", "https://x/%C3%A1%20%3C%22'%3E%5C%5E%60%7B%7C%7D"),
    ],
)
def test_an_address_is_sent_as_stored_but_for_what_no_url_may_hold(stored: str, sent: str) -> None:
    assert to_location_header(stored) == sent


@pytest.mark.clause("P1")
@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        ("https://m\u00fcnchen.example/stra\u00dfe", "https://xn--mnchen-3ya.example/stra%C3%9Fe"),
        ("HTTP://M\u00dcNCHEN.example:8080/?q=\u00fc", "HTTP://xn--mnchen-3ya.example:8080/?q=%C3%BC"),
        ("https://user@m\u00fcnchen.example/", "https://user@xn--mnchen-3ya.example/"),
        ("https://\u0440\u0444", "https://xn--p1ai"),
        ("https://\u4f8b\u3048.jp#\u00e9", "https://xn--r8jz45g.jp#%C3%A9"),
        ("https://\u4f8b\u3002jp/", "https://xn--fsq.jp/"),
        ("ftp://m\u00fcnchen.example/", "ftp://xn--mnchen-3ya.example/"),
        ("https://M.example/\u00fc", "https://M.example/%C3%BC"),
        ("https://m%C3%BCnchen.example/\u00fc", "https://m%C3%BCnchen.example/%C3%BC"),
        ("https://\u00fc\uff0fevil.example/", "https://%C3%BC%EF%BC%8Fevil.example/"),
        ("https://\u2100.example/", "https://%E2%84%80.example/"),
        ("https://\u00fc\\@evil.example/", "https://%C3%BC%5C@evil.example/"),
        ("https://:80/?https://\u00fc/", "https://:80/?https://%C3%BC/"),
        ("https://" + "\u00fc" * 64 + ".example/", "https://" + "%C3%BC" * 64 + ".example/"),
        ("https://" + "\u00fc" * 300, "https://" + "%C3%BC" * 300),
    ],
)
def test_an_international_host_is_sent_as_dns_has_it_where_it_can_be_one(stored: str, sent: str) -> None:
    assert to_location_header(stored) == sent


@pytest.mark.clause("P10")
def test_what_is_appended_stays_outside_an_international_host() -> None:
    assert to_location_header("https://m\u00fcnchen.example", "\u00fc") == "https://xn--mnchen-3ya.example/%C3%BC"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("javascript:alert(1)", "isn't http"),
        ("https://x/\x00", "control character"),
        (f"https://x/{'y' * MAX_URL_CHARACTERS}", "longer than"),
    ],
)
def test_an_address_to_which_nobody_is_sent_says_why(address: str, why: str) -> None:
    with pytest.raises(NotRedirectable, match=why):
        to_location_header(address)


@pytest.mark.clause("P1")
def test_the_body_of_a_redirect_is_doi_org_s_and_escaped() -> None:
    assert redirect_body("https://x/?a&b'c").decode() == (
        "<html><head><title>Handle Redirect</title></head>\n"
        '<body><a href="https://x/?a&amp;b&#x27;c">https://x/?a&amp;b&#x27;c</a></body></html>'
    )


@pytest.mark.clause("P11")
def test_the_list_of_addresses_is_xml() -> None:
    urls = ["https://x/?a&b", "https://x/?\"<'"]
    root = ElementTree.fromstring(build_showurls_body((url, {}) for url in urls))
    assert (root.tag, [location.get("href") for location in root]) == ("locations", urls)
    assert len(ElementTree.fromstring(build_showurls_body([]))) == 0


@pytest.mark.clause("P11", "L1")
def test_an_address_in_the_list_has_the_attributes_of_its_location() -> None:
    known = {"id": "1", "weight": "0.5", "country": "gb", "label": "a\"<&>'\n\tb", "größe": "é"}
    given = {**known, "href": "javascript:x", "href_template": "https://t/{hdl}", "xmlns": "x:y", "xlink:type": "a"}
    (location,) = ElementTree.fromstring(build_showurls_body([("https://x/", given)]))
    assert location.attrib == {"href": "https://x/", **known}


@pytest.mark.parametrize(
    ("accept", "data"),
    [
        ("", False),
        ("*/*", False),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", False),
        ("application/json, text/plain, */*", False),
        ("text/html", False),
        ("application/vnd.citationstyles.csl+json", True),
        ("Application/X-BibTeX", True),
        ("text/x-bibliography; style=apa; locale=en", True),
        ("application/rdf+xml;q=0.5, text/html;q=0.3", True),
        ("application/rdf+xml;q=0.3, text/html;q=0.5", False),
        ("application/json;q=1.0,*/*;q=0.1", True),
        ("application/json;q=0", False),
        ("application/json;q=x", True),
        (",;,q=1,nonsense", False),
    ],
)
def test_who_would_rather_have_something_else_than_a_page_wants_data(accept: str, data: bool) -> None:
    assert wants_data(accept) is data


HTML = (("ctype", "text/html"), ("media-type", "text/html"))


@pytest.mark.clause("L3")
@pytest.mark.parametrize(
    ("accept", "agent", "found"),
    [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "", (("http_role", "browser"), *HTML)),
        ("*/*", "Mozilla/5.0 (X11)", (("http_role", "browser"), *HTML)),
        ("", "Opera/9.80", (("http_role", "browser"), *HTML)),
        ("*/*", "curl/8.0", (("http_role", "no_conneg"),)),
        ("", "", (("http_role", "no_conneg"),)),
        ("*/*, */*;q=0.5", "x", (("http_role", "no_conneg"),)),
        ("application/pdf", "curl/8.0", (("http_role", "browser"),)),
        ("image/png", "curl/8.0", (("http_role", "browser"),)),
        ("application/*", "curl/8.0", (("http_role", "browser"),)),
        (
            "Application/X-BibTeX;q=0.5, application/rdf+xml",
            "Mozilla/5.0",
            (
                ("ctype", "application/rdf+xml"), ("media-type", "application/rdf+xml"),
                ("ctype", "application/x-bibtex"), ("media-type", "application/x-bibtex"), ("http_role", "conneg"),
            ),
        ),
        (
            "text/turtle, */*;q=0.1, text/csv;q=0.05",
            "",
            (("ctype", "text/turtle"), ("media-type", "text/turtle"), ("http_role", "conneg")),
        ),
    ],
)  # fmt: skip
def test_the_headers_of_a_request_ask_for_attributes(
    accept: str, agent: str, found: tuple[tuple[str, str], ...]
) -> None:
    assert find_header_attributes(accept, agent, "") == found


@pytest.mark.clause("L3")
def test_languages_are_asked_for_in_order_of_preference() -> None:
    asked = find_header_attributes("*/*", "", "en;q=0.5, de-DE, de;q=0.9, ,fr;q=0.9")
    assert asked[1:] == (("language", "de-de"), ("language", "de"), ("language", "fr"), ("language", "en"))
    assert len(find_header_attributes("a/b," * 300, "", "x," * 300)) <= 31
