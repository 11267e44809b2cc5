"""REST records and Which RA of the sample proxy."""

import pytest

from tests.standin.conftest import Caller


@pytest.mark.clause("A1", "A3")
def test_a_record_has_the_shape_of_the_real_one(get: Caller) -> None:
    got = get("/api/handles/10.1000/182")
    assert (got.status, got.headers["content-type"]) == (200, "application/json;charset=UTF-8")
    assert (got.json["responseCode"], got.json["handle"]) == (1, "10.1000/182")
    url = got.json["values"][0]
    assert url == {
        "index": 1,
        "type": "URL",
        "data": {"format": "string", "value": "http://www.doi.org/hb.html"},
        "ttl": 86400,
        "timestamp": "2004-01-21T14:14:17Z",
    }


@pytest.mark.clause("A2")
@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("10.1000/182", 200, 1),
        ("10.5555/any-name", 200, 1),
        ("10.5555/missing", 404, 100),
        ("10.1000/456", 404, 100),
        ("10.1000/456%23789", 404, 100),
        ("10.5556/any-name", 404, 100),
        ("10.5555/u743z%E2%80%9004%E2%80%90ii", 404, 100),
        ("10.5555/novalues", 200, 200),
        ("10.5555/error", 500, 2),
        ("10.5555", 200, 1),
        ("10.5556", 404, 100),
        ("10.5555/", 404, 100),
    ],
)
def test_the_code_goes_with_its_http_status(get: Caller, name: str, status: int, code: int) -> None:
    got = get(f"/api/handles/{name}")
    assert (got.status, got.json["responseCode"]) == (status, code)


@pytest.mark.clause("S8")
def test_names_compare_without_ascii_case_and_come_back_as_asked(get: Caller) -> None:
    got = get("/api/handles/10.1038/NPHYS1170")
    assert (got.status, got.json["handle"]) == (200, "10.1038/NPHYS1170")
    upper, lower = "10.26321/%C3%81.GUTI%C3%89RREZ.ZARZA.02.2018.03", "10.26321/%C3%A1.guti%C3%A9rrez.zarza.02.2018.03"
    assert get(f"/api/handles/{upper}").status == 200
    assert get(f"/api/handles/{upper.replace('ZARZA', 'zarza')}").status == 200
    assert get(f"/api/handles/{lower}").status == 404


@pytest.mark.clause("E9", "E10")
@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("a%2Fb", "a/b"),
        ("a/b", "a/b"),
        ("a%252Fb", "a%2Fb"),
        ("a%23b%3Fc", "a#b?c"),
        ("a+b", "a+b"),
        ("a%2Bb", "a+b"),
        ("a/../b", "a/../b"),
        ("a/..%2Fb", "a/../b"),
        ("%E4%BD%A0", "\u4f60"),
        ("a%zz", "a%zz"),
    ],
)
def test_a_name_is_decoded_once_from_the_raw_target(get: Caller, target: str, name: str) -> None:
    assert get(f"/api/handles/10.5555/{target}").json["handle"] == f"10.5555/{name}"


@pytest.mark.clause("E15")
@pytest.mark.parametrize("target", ["/api/handles/10.5555/%E9", "/api/handles/"])
def test_bytes_that_are_no_utf8_are_no_name(get: Caller, target: str) -> None:
    got = get(target)
    assert (got.status, got.json["responseCode"]) == (500, 2)


@pytest.mark.clause("P9", "A6", "H2")
@pytest.mark.parametrize(
    ("query", "indexes"),
    [
        ("type=URL", [1]),
        ("type=url", [1]),
        ("type=URL&type=HS_ADMIN", [1, 100]),
        ("index=700050", [700050]),
        ("index=700050&type=URL", [1, 700050]),
        ("auth&cert", [1, 700050, 100]),
    ],
)
def test_types_and_indexes_are_ored(get: Caller, query: str, indexes: list[int]) -> None:
    got = get(f"/api/handles/10.1038/nphys1170?{query}")
    assert [value["index"] for value in got.json["values"]] == indexes


@pytest.mark.clause("A2")
def test_a_type_that_is_not_there_is_values_not_found(get: Caller) -> None:
    got = get("/api/handles/10.1000/1?type=zap")
    assert (got.status, got.json) == (200, {"responseCode": 200, "handle": "10.1000/1"})


@pytest.mark.clause("A6")
def test_pretty_is_indented(get: Caller) -> None:
    assert get("/api/handles/10.1000/1?pretty").text.startswith('{\n  "responseCode": 1')


@pytest.mark.clause("A7")
def test_jsonp_wraps_and_takes_plain_names_only(get: Caller) -> None:
    got = get("/api/handles/10.1000/1?type=URL&callback=processResponse")
    assert got.text.startswith('processResponse({"responseCode":1')
    assert got.text.endswith("});")
    assert got.headers["content-type"].startswith("application/javascript")
    assert get("/api/handles/10.5555/missing?callback=f").text == 'f({"responseCode":100,"handle":"10.5555/missing"});'
    assert get("/api/handles/10.1000/1?callback=alert(1)").status == 500


@pytest.mark.clause("A7")
def test_every_origin_may_read_it(get: Caller) -> None:
    for target in ("/api/handles/10.1000/1", "/api/handles/10.5555/missing", "/doiRA/10.1000/1"):
        assert get(target).headers["access-control-allow-origin"] == "*"
    assert get("/api/handles/10.1000/1", "OPTIONS").status == 204
    assert get("/api/handles/10.1000/1", "POST").status == 405
    assert get("/api/handles/10.1000/1", "HEAD").status == 200


@pytest.mark.clause("R1", "R2", "R3", "E6")
@pytest.mark.parametrize("path", ["/doiRA/", "/ra/"])
def test_which_ra_splits_at_raw_commas_and_keeps_the_order(get: Caller, path: str) -> None:
    got = get(path + "10.5555/a%2Cb,10.1430/8105,notADoi,10.1109/CVPR.2016.999999,10.3760,10.99999,10.1000/1,10.5072/x")
    assert got.json == [
        {"DOI": "10.5555/a,b", "RA": "Crossref"},
        {"DOI": "10.1430/8105", "RA": "mEDRA"},
        {"DOI": "notADoi", "status": "Invalid DOI"},
        {"DOI": "10.1109/CVPR.2016.999999", "status": "DOI does not exist"},
        {"DOI": "10.3760", "RA": "ISTIC"},
        {"DOI": "10.99999", "status": "DOI does not exist"},
        {"DOI": "10.1000/1", "RA": "Public"},
        {"DOI": "10.5072/x", "status": "DOI does not exist"},
    ]
    assert get(path + "10.7554").text == '[\n  {\n    "DOI": "10.7554",\n    "RA": "Crossref"\n  }\n]'


@pytest.mark.clause("R4")
def test_which_ra_takes_no_short_dois(get: Caller) -> None:
    assert get("/doiRA/10/g8r7pm").json == [{"DOI": "10/g8r7pm", "status": "Invalid DOI"}]


def test_a_path_over_8_kilobytes_is_too_long(get: Caller) -> None:
    names = ",".join(f"10.5555/some-name-{number:05}" for number in range(400))
    assert get("/doiRA/" + names).status == 414
    assert len(get("/doiRA/" + names[:5700].rpartition(",")[0]).json) > 200
