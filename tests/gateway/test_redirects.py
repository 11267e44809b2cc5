"""`/<name>`: where a link leads, from the records that the proxy behind has (sections P and L)."""

from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from resolver.models import StoredAnswer
from tests.gateway.conftest import ProxyBehind
from tests.proxy import raw_server as raw

LOCATIONS = """<locations chooseby="locatt,country,weighted">
<location id="0" href="https://uk.example/" country="gb" weight="0"/>
<location id="1" href="https://www1.example/" weight="1"/>
<location id="2" href="https://www2.example/" weight="0"/>
</locations>"""


def leads(program: Client, path: str, **headers: str) -> tuple[int, str]:
    answer = program.get(path, headers=headers)
    return answer.status_code, answer.get("Location", "")


@pytest.mark.clause("P1")
def test_a_link_is_redirected_with_302(behind: ProxyBehind, program: Client) -> None:
    answer = program.get("/10.1000/182")
    assert (answer.status_code, answer["Location"]) == (302, "https://www.doi.org/hb.html")
    assert answer["Vary"] == "Accept"
    assert not answer.cookies
    assert b'<a href="https://www.doi.org/hb.html">' in answer.content


@pytest.mark.clause("P13")
def test_a_stored_redirect_costs_one_query_and_no_request(behind: ProxyBehind, program: Client) -> None:
    program.get("/10.1000/182")
    before = len(behind.server.requests)
    with CaptureQueriesContext(connection) as queries:
        answer = program.get("/10.1000/182")
    assert (answer.status_code, answer["Age"]) == (302, "0")
    assert "Expires" in answer
    assert answer["Cache-Control"] == "max-age=86400"
    assert len(queries) == 1
    assert len(behind.server.requests) == before


@pytest.mark.clause("P2")
def test_of_several_urls_the_one_of_the_lowest_index_is_taken(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/two"] = [("URL", "https://a.example/"), ("URL", "https://b.example/")]
    assert leads(program, "/10.1000/two") == (302, "https://a.example/")
    assert leads(program, "/10.1000/two?index=2") == (302, "https://b.example/")


@pytest.mark.clause("P3", "P11", "L2", "L3", "L4", "L5")
def test_locations_come_before_urls_and_are_chosen_among(behind: ProxyBehind, program: Client, settings: Any) -> None:
    behind.records["10.1000/loc"] = [("URL", "https://url.example/"), ("10320/loc", LOCATIONS)]
    assert leads(program, "/10.1000/loc") == (302, "https://www1.example/")
    assert leads(program, "/10.1000/loc?locatt=id:2") == (302, "https://www2.example/")
    settings.COUNTRY = "gb"
    assert leads(program, "/10.1000/loc") == (302, "https://uk.example/")


@pytest.mark.clause("L4")
def test_a_country_is_read_from_the_header_that_the_operator_names_and_from_no_other(
    behind: ProxyBehind, program: Client, settings: Any
) -> None:
    behind.records["10.1000/loc"] = [("10320/loc", LOCATIONS)]
    here = {"CF-IPCountry": "GB"}
    assert leads(program, "/10.1000/loc", **here) == (302, "https://www1.example/")
    settings.COUNTRY_HEADER = "CF-IPCountry"
    assert leads(program, "/10.1000/loc", **here) == (302, "https://uk.example/")
    assert program.get("/10.1000/loc")["Vary"] == "Accept, CF-IPCountry"
    for nonsense in ("", "GBR", "é!", "g"):
        assert leads(program, "/10.1000/loc", **{"CF-IPCountry": nonsense}) == (302, "https://www1.example/")


@pytest.mark.clause("L1")
def test_the_locations_of_the_prefix_count_beside_the_address_of_the_record(
    behind: ProxyBehind, program: Client
) -> None:
    behind.records |= {
        "0.NA/10.1000": [
            ("HS_NAMESPACE", "<namespace><locs>0.NA/10.1000</locs></namespace>"),
            ("10320/loc", LOCATIONS),
        ],
    }
    found = {leads(program, "/10.1000/182") for _ in range(40)}
    assert found == {(302, "https://www1.example/"), (302, "https://www.doi.org/hb.html")}
    assert program.get("/10.1000/182")["Cache-Control"] == "private, no-store"
    assert leads(program, "/10.1000/182?locatt=id:2") == (302, "https://www2.example/")


@pytest.mark.clause("L1")
def test_a_prefix_that_cannot_be_asked_for_is_no_failure_of_the_name_but_the_answer_is_not_kept(
    behind: ProxyBehind, program: Client
) -> None:
    behind.records["0.NA/10.1000"] = raw.http(200, {"responseCode": 2, "handle": "0.NA/10.1000"})
    answer = program.get("/10.1000/182")
    assert (answer.status_code, answer["Location"]) == (302, "https://www.doi.org/hb.html")
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.clause("L6")
@pytest.mark.parametrize(
    "xml",
    [
        "<locations><location href=",
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><locations><location href="https://&e;/"/></locations>',
        "<!DOCTYPE x [" + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9)) + "]><locations/>",
        "<a>" * 5000,
    ],
)
def test_locations_that_cannot_be_read_are_passed_over(xml: str, behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/xml"] = [("URL", "https://url.example/"), ("10320/loc", xml)]
    assert leads(program, "/10.1000/xml") == (302, "https://url.example/")


@pytest.mark.clause("P6")
def test_noredirect_shows_the_values(behind: ProxyBehind, program: Client) -> None:
    answer = program.get("/10.1000/182?noredirect")
    assert answer.status_code == 200
    assert "Location" not in answer
    assert b"https://www.doi.org/hb.html" in answer.content


@pytest.mark.clause("A8", "P1")
def test_a_record_without_an_address_is_shown(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/mail"] = [("EMAIL", "info@example.org")]
    answer = program.get("/10.1000/mail")
    assert answer.status_code == 200
    assert b"info@example.org" in answer.content


@pytest.mark.clause("P7")
@pytest.mark.parametrize("query", ["", "?urlappend=%2Bx+y&locatt=id:1", "?a=%FF;b#"])
def test_an_alias_leads_to_its_main_name_on_the_portal_with_the_same_query(
    query: str, behind: ProxyBehind, program: Client
) -> None:
    behind.records["10.1000/old"] = [("HS_ALIAS", "10.1000/182")]
    answer = program.get(f"/10.1000/old{query}")
    assert (answer.status_code, answer["Location"]) == (301, f"/10.1000/182{query.rstrip('#')}")
    assert answer["Vary"] == "Accept"
    assert 0 < int(answer["Cache-Control"].partition("max-age=")[2]) <= 86400
    assert program.get("/10.1000/old?ignore_aliases").status_code == 200
    asked = behind.asked
    assert leads(program, "/10.1000/182") == (302, "https://www.doi.org/hb.html")
    assert behind.asked == asked


@pytest.mark.clause("P7", "L1")
def test_noredirect_of_an_alias_shows_the_address_to_which_the_alias_leads(
    behind: ProxyBehind, program: Client
) -> None:
    template = '<locations><location href_template="https://p.example/{hdl}"/></locations>'
    behind.records |= {"10.1000/old": [("HS_ALIAS", "10.1000/new")], "10.1000/new": [("10320/loc", template)]}
    assert leads(program, "/10.1000/old") == (301, "/10.1000/new")
    assert leads(program, "/10.1000/new") == (302, "https://p.example/10.1000%2Fnew")
    assert b"https://p.example/10.1000%2Fnew" in program.get("/10.1000/old?noredirect").content


@pytest.mark.clause("E5", "P7")
@pytest.mark.parametrize(("target", "status", "asked"), [("../x", 404, ["/api/handles/..%2Fx"]), ("..", 500, [])])
def test_an_alias_leaves_the_folder_of_the_handles_by_no_dots(
    target: str, status: int, asked: list[str], behind: ProxyBehind, program: Client
) -> None:
    behind.records["10.1000/out"] = [("HS_ALIAS", target)]
    assert program.get("/10.1000/out").status_code == status
    assert behind.asked == ["/api/handles/10.1000/out", *asked]


@pytest.mark.clause("P7")
def test_more_aliases_than_are_followed_are_told_as_a_limit_of_the_portal(behind: ProxyBehind, program: Client) -> None:
    behind.records |= {f"10.1000/{at}": [("HS_ALIAS", f"10.1000/{at + 1}")] for at in range(22)}
    answer = program.get("/10.1000/0")
    assert answer.status_code == 500
    assert b"its chain of aliases is longer than the 20 that we follow" in answer.content
    behind.records["10.1000/21"] = [("URL", "https://www.doi.org/hb.html")]
    assert leads(program, "/10.1000/1") == (301, "/10.1000/21")


@pytest.mark.clause("P7")
@pytest.mark.parametrize(
    "target", ["/evil.example/x", "//evil.example/x", "history", "evil.example/x", "api/handles/1"]
)
def test_an_alias_of_a_name_without_an_address_here_leads_where_that_name_leads(
    target: str, behind: ProxyBehind, program: Client
) -> None:
    behind.records |= {"10.1000/old": [("HS_ALIAS", target)], target: [("URL", "https://www.doi.org/hb.html")]}
    assert leads(program, "/10.1000/old") == (302, "https://www.doi.org/hb.html")


@pytest.mark.clause("P1", "N1", "N3", "P14")
@pytest.mark.parametrize(
    "path",
    [
        "//10.1000/182", "/////10.1000/182", "//doi:10.1000/182", "/hdl:10.1000/182", "/HDL:10.1000/182",
        "//hdl:10.1000/182", "/urn:hdl:10.1000/182", "/urn:hdl:10.1000:182", "/info:hdl/10.1000/182",
        "/urn:eidr:10.1000:182", "/%2F10.1000/182",
    ],
)  # fmt: skip
def test_slashes_and_labels_before_a_name_are_dropped(path: str, behind: ProxyBehind, program: Client) -> None:
    answer = program.generic("GET", path, PATH_INFO=unquote(path), RAW_URI=path)
    assert (answer.status_code, answer["Location"]) == (302, "https://www.doi.org/hb.html")


@pytest.mark.clause("P1")
def test_a_slash_behind_the_label_is_part_of_the_name(behind: ProxyBehind, program: Client) -> None:
    assert program.get("/doi:/10.1000/182").status_code == 404


@pytest.mark.clause("P1", "L3")
def test_the_headers_of_a_reader_choose_a_location_and_the_answer_says_so(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/loc"] = [(
        "10320/loc",
        '<locations http_sc="303"><location href="https://en.example/" language="en"/>'
        '<location href="https://de.example/" language="de" weight="0"/>'
        '<location href="https://b.example/" http_role="browser" weight="0" http_sc="307"/></locations>',
    )]  # fmt: skip
    german = {"Accept-Language": "de-AT, de;q=0.8, en;q=0.5"}
    assert leads(program, "/10.1000/loc", **german) == (303, "https://de.example/")
    answer = program.get("/10.1000/loc", headers={"User-Agent": "Mozilla/5.0", **german})
    assert (answer.status_code, answer["Location"]) == (307, "https://b.example/")
    assert answer["Vary"] == "Accept, User-Agent, Accept-Language"
    assert leads(program, "/10.1000/loc", **{"Accept-Language": "fr"})[1] == "https://en.example/"
    assert leads(program, "/10.1000/loc?locatt=language:en", **german)[1] == "https://en.example/"


@pytest.mark.clause("P7")
def test_a_loop_of_aliases_ends_in_an_error_page(behind: ProxyBehind, program: Client) -> None:
    behind.records |= {"10.1000/a": [("HS_ALIAS", "10.1000/b")], "10.1000/b": [("HS_ALIAS", "10.1000/A")]}
    answer = program.get("/10.1000/a")
    assert answer.status_code == 500
    assert b"10.1000/b" in answer.content
    assert answer["Cache-Control"] == "no-store"
    assert not {"Age", "Expires"} & set(answer.headers)
    assert len(behind.asked) == 2


@pytest.mark.clause("P8")
def test_auth_and_cert_go_past_what_is_stored(behind: ProxyBehind, program: Client) -> None:
    program.get("/10.1000/182")
    for query in ("?auth", "?cert=true"):
        answer = program.get(f"/10.1000/182{query}")
        assert (answer.status_code, answer["Age"]) == (302, "0")
        assert parsedate_to_datetime(answer["Expires"]) <= timezone.now()
        assert answer["Cache-Control"] == "max-age=0"
    assert behind.asked == [f"/api/handles/10.1000/182{query}" for query in ("", "?auth=true", "?cert=true")]


@pytest.mark.clause("P10", "P12")
def test_urlappend_is_put_at_the_end_and_nols_changes_nothing(behind: ProxyBehind, program: Client) -> None:
    assert leads(program, "/10.1000/182?urlappend=%3Fa=1%26b=2&nols=y") == (302, "https://www.doi.org/hb.html?a=1&b=2")


@pytest.mark.clause("P10", "L1", "L3")
def test_urlappend_is_put_at_the_end_of_a_location_too(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/loc"] = [("URL", "https://url.example/"), ("10320/loc", LOCATIONS)]
    assert leads(program, "/10.1000/loc?urlappend=%3Fa=1") == (302, "https://www1.example/?a=1")
    assert leads(program, "/10.1000/loc?urlappend=x&locatt=id:0") == (302, "https://uk.example/x")


@pytest.mark.clause("P11", "L1")
def test_showurls_lists_the_locations_with_what_is_known_of_each(behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/loc"] = [("10320/loc", LOCATIONS)]
    answer = program.get("/10.1000/loc?action=showurls")
    assert answer["Content-Type"] == "application/xml;charset=utf-8"
    assert [one.attrib for one in ElementTree.fromstring(answer.content)] == [
        {"href": "https://uk.example/", "id": "0", "country": "gb", "weight": "0"},
        {"href": "https://www1.example/", "id": "1", "weight": "1"},
        {"href": "https://www2.example/", "id": "2", "weight": "0"},
    ]


@pytest.mark.clause("A9")
@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//evil.example/",
        "https://a.example/\r\nSet-Cookie: a=b",
        "file:///etc/passwd",
    ],
)
def test_nobody_is_sent_to_an_address_that_is_none_of_the_web(url: str, behind: ProxyBehind, program: Client) -> None:
    behind.records["10.1000/bad"] = [("URL", url)]
    answer = program.get("/10.1000/bad")
    assert answer.status_code == 200
    assert "Location" not in answer
    assert not answer.cookies


@pytest.mark.clause("A2")
@pytest.mark.parametrize(
    ("behind_it", "why"),
    [
        (raw.http(500, {"responseCode": 2, "message": "m", "handle": "10.1000/a"}), "response code 2: m"),
        (raw.PAGE, "a web page, not data"),
        (raw.reset, "cut before the answer"),
    ],
)
def test_what_could_not_be_asked_gets_a_page_that_says_so(
    behind_it: raw.Answer, why: str, behind: ProxyBehind, program: Client
) -> None:
    behind.records["10.1000/a"] = behind_it
    answer = program.get("/10.1000/a")
    assert (answer.status_code, why in answer.content.decode()) == (500, True)
    assert answer["Content-Type"].startswith("text/html")
    assert answer["Cache-Control"] == "no-store"
    assert not StoredAnswer.objects.filter(name="10.1000/a").exists()


def test_a_name_that_is_not_utf8_gets_a_page(behind: ProxyBehind, program: Client) -> None:
    assert program.get("/10.1000/x", RAW_URI="/10.1000/%E9").status_code == 400
