"""Addresses fit for a header, the bodies that show them, and who wants another kind of answer."""

from xml.etree import ElementTree

import pytest

from resolver.domain.redirect.content_negotiation import wants_data
from resolver.domain.redirect.response_bodies import build_showurls_body, redirect_body
from resolver.domain.redirect.safe_url import MAX_LENGTH, NotRedirectable, to_location_header


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


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("javascript:alert(1)", "isn't http"),
        ("https://x/\x00", "control character"),
        (f"https://x/{'y' * MAX_LENGTH}", "longer than"),
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
