"""Names in the path of a request."""

import pytest

from resolver.domain.handle.names_in_path import find_name_in_path, parse_which_ra_list


@pytest.mark.clause("N1", "N2", "N3", "E9")
@pytest.mark.parametrize(
    "raw",
    [
        "10.123/456ABC/z:z",
        "10.123%2F456ABC%2Fz%3az",
        "doi:10.123/456ABC/z:z",
        "DOI:10.123/456ABC/z:z",
        "doi%3A10.123/456ABC/z:z",
        "info:doi/10.123/456ABC/z:z",
        "urn:doi:10.123:456ABC%2Fz:z",
        "URN:DOI:10.123/456ABC/z:z",
        "hdl:10.123/456ABC/z:z",
        "Hdl:10.123/456ABC/z:z",
        "info:hdl/10.123/456ABC/z:z",
        "urn:hdl:10.123:456ABC%2Fz:z",
        "urn:hdl:10.123/456ABC/z:z",
        "urn:eidr:10.123:456ABC%2Fz:z",
        "/10.123/456ABC/z:z",
        "///doi:10.123/456ABC/z:z",
        "%2F/10.123/456ABC/z:z",
    ],
)
def test_every_spelling_is_the_same_name(raw: str) -> None:
    assert find_name_in_path(raw) == "10.123/456ABC/z:z"


@pytest.mark.clause("N1", "N3")
@pytest.mark.parametrize("prefix", ["10.10.123", "10.1.2.3.4"])
def test_the_colon_after_a_prefix_of_several_parts_may_be_its_slash(prefix: str) -> None:
    assert find_name_in_path(f"urn:doi:{prefix}:456") == f"{prefix}/456"


@pytest.mark.clause("N3")
@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("urn:doi:10.123/a10.4:b", "10.123/a10.4:b"),  # only the first colon after the prefix may be a slash
        ("10.123:456", "10.123:456"),  # only after urn:doi:
        ("doi:10.123:456", "10.123:456"),
        ("10.1/doi:x", "10.1/doi:x"),
        ("urn:hdl:1721.1:71495", "1721.1/71495"),
        ("urn:hdl:0.NA:10.1000", "0.NA/10.1000"),
        ("doi:/10.1/x", "/10.1/x"),  # a slash behind the label is of the name
        ("doi:hdl:10.1/x", "hdl:10.1/x"),
        ("10.1//x/", "10.1//x/"),
        ("/", ""),
        ("doi:doi:10.1/x", "doi:10.1/x"),
        ("0.NA/10.5555", "0.NA/10.5555"),
        ("", ""),
    ],
)
def test_nothing_else_of_a_name_is_touched(raw: str, name: str) -> None:
    assert find_name_in_path(raw) == name


@pytest.mark.clause("E10")
@pytest.mark.parametrize(
    ("raw", "name"), [("10.1/a%2523", "10.1/a%23"), ("10.1/a+b", "10.1/a+b"), ("10.1/%zz%", "10.1/%zz%")]
)
def test_a_name_is_decoded_once(raw: str, name: str) -> None:
    assert find_name_in_path(raw) == name


@pytest.mark.clause("E15")
@pytest.mark.parametrize("raw", ["10.1/%E9", "10.1/a\udce9", "10.1/\ud800", "doi:10.1/%C3"])
def test_bytes_that_are_no_utf8_are_no_name(raw: str) -> None:
    assert find_name_in_path(raw) is None


@pytest.mark.clause("E4")
def test_raw_and_encoded_utf8_are_the_same_name() -> None:
    raw = "10.1/\u00e1".encode().decode("ascii", "surrogateescape")
    assert (
        find_name_in_path(raw) == find_name_in_path("10.1/%C3%A1") == find_name_in_path("10.1/\u00e1") == "10.1/\u00e1"
    )


@pytest.mark.clause("R2", "E6")
def test_a_list_is_split_at_raw_commas_and_each_name_decoded_once() -> None:
    assert parse_which_ra_list("10.1/a%2Cb,10.1/%252C,,10.1/a%2Cb,10.1/%E9,") == [
        "10.1/a,b", "10.1/%2C", "", "10.1/a,b", "10.1/%E9", "",
    ]  # fmt: skip
