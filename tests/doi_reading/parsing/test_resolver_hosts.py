"""Addresses that look like the resolver's and are not: mistyped ones, and hosts that pose as the DOI system."""

import pytest

from doi_reading import read
from doi_reading.tables.resolver_look_alikes import FAKE_HOSTS


def codes(text: str) -> list[str]:
    return [one.code for one in read(text).problems]


@pytest.mark.parametrize(
    "resolver",
    [
        "https//doi.org/", "http:/doi.org/", "ttps://doi.org/", "htps://doi.org/", "https:doi.org/", "https://doi.org",
        "https://doi,org/", "https://doi.og/", "https://dio.org/", "http://dx.doi.ord/", "https://doi/", "https://doiorg/",
        "https://www.dx.doi.org/", "://doi.org/", "doi,org/", "https:\\\\doi.org\\", "https://doi.org\\",
    ],
)  # fmt: skip
def test_a_mistyped_resolver_is_named_as_such_and_the_name_after_it_is_read(resolver: str) -> None:
    reading = read(f"{resolver}10.1000/182")
    assert (reading.form, str(reading.doi)) == ("url", "10.1000/182")
    assert [(one.code, one.start, one.end) for one in reading.problems] == [("damaged-resolver", 0, len(resolver))]


@pytest.mark.clause("P5")
@pytest.mark.parametrize("host", ["https://doi.org/", "doi.org/", "https://hdl.handle.net/"])
@pytest.mark.parametrize("slashes", ["/", "//", "%2F", "%2f%2F", "/%2F", "//////"])
@pytest.mark.parametrize(("before", "after"), [("", ""), ("see ", " there")])
def test_more_slashes_behind_the_resolver_are_other_text_since_the_link_works(
    host: str, slashes: str, before: str, after: str
) -> None:
    reading = read(f"{before}{host}{slashes}10.1000/182{after}")
    assert str(reading.doi) == "10.1000/182"
    start = len(before) + len(host)
    assert {one.code for one in reading.problems} == {"surrounding-text"}
    assert (start, start + len(slashes)) in [(one.start, one.end) for one in reading.problems]
    assert reading.form == ("text" if before else "url")


@pytest.mark.parametrize("path", ["doi:", "api/handles/", "urn:hdl:", "info:hdl/"])
def test_more_slashes_before_a_label_or_the_api_do_no_harm_either(path: str) -> None:
    reading = read(f"https://doi.org//{path}10.1000/182")
    assert str(reading.doi) == "10.1000/182"
    assert ("surrounding-text", 16, 17) in [(one.code, one.start, one.end) for one in reading.problems]
    assert "damaged-resolver" not in [one.code for one in reading.problems]


@pytest.mark.clause("N1", "N3")
@pytest.mark.parametrize(
    "path", ["urn:hdl:10.1000/182", "urn:hdl:10.1000:182", "URN:HDL:10.1000:182", "urn:eidr:10.1000:182"]
)
def test_the_urn_of_a_handle_is_read_as_that_of_a_doi(path: str) -> None:
    for before, form in (("https://doi.org/", "url"), ("", "urn")):
        reading = read(before + path)
        assert (reading.form, str(reading.doi), reading.problems) == (form, "10.1000/182", ())


@pytest.mark.clause("P5")
@pytest.mark.parametrize(
    ("before", "form"),
    [
        ("https://doi.org/api/handles//", "api-url"), ("https://doi.org/api/handles/%2F", "api-url"),
        ("https://doi.org/doiRA//", "api-url"), ("doi:/", "uri"), ("doi://", "uri"), ("doi:%2F", "uri"),
        ("info:doi//", "info"), ("urn:doi:/", "urn"),
    ],
)  # fmt: skip
def test_slashes_right_before_a_name_are_pointed_out_however_they_are_written(before: str, form: str) -> None:
    reading = read(f"{before}10.1000/182")
    assert (reading.form, str(reading.doi)) == (form, "10.1000/182")
    assert [(one.code, one.start, one.end) for one in reading.problems] == [("damaged-resolver", 0, len(before))]
    assert ("damaged-resolver", 4, 4 + len(before)) in [
        (one.code, one.start, one.end) for one in read(f"see {before}10.1000/182 there").problems
    ]


def test_slashes_behind_the_scheme_are_pointed_out_though_the_name_has_signs_to_encode() -> None:
    sici = "10.1002/(SICI)1097-0142(19950601)75:11<2784::AID-CNCR1>3.0.CO;2-X"
    reading = read(f"doi://{sici}")
    assert str(reading.doi) == sici
    assert [(one.start, one.end) for one in reading.problems if one.code == "damaged-resolver"] == [(0, 6)]


def test_a_slash_behind_a_printed_label_is_other_text_since_a_label_is_no_link() -> None:
    reading = read("DOI: /10.1000/182")
    assert (reading.form, str(reading.doi)) == ("label", "10.1000/182")
    assert [(one.code, one.start, one.end) for one in reading.problems] == [("surrounding-text", 5, 6)]


@pytest.mark.parametrize(
    "address",
    [
        "https://doi.org/?", "https://doi.org/#", "https://doi.org/#/", "http://dx.doi.org/doi/", "https://doi.org/abs/",
        "doi.org/handle//", "https://www.doi.org/the-identifier/", "https://doi.org/~",
        "https://doi.org/http://", "https://doi.org/doi.", "https://doi.org/pdf", "https://hdl.handle.net/?",
    ],
)  # fmt: skip
def test_text_between_the_resolver_and_a_name_makes_a_link_that_fails_and_is_pointed_out(address: str) -> None:
    reading = read(f"see {address}10.1000/182 there")
    assert str(reading.doi) == "10.1000/182"
    found = [(one.code, one.start, one.end) for one in reading.problems if one.code != "surrounding-text"]
    assert found == [("damaged-resolver", 4, 4 + len(address))]


def test_a_damaged_resolver_is_not_called_other_text_too() -> None:
    assert codes("https://doi.org/abs/10.1000/182") == ["damaged-resolver"]


@pytest.mark.parametrize("host", ["https://hdl.handle.net/", "https://doi.org/"])
def test_the_label_of_a_handle_behind_the_resolver_is_no_damage_since_the_link_works(host: str) -> None:
    assert codes(f"{host}hdl:10.1000/182") == ["surrounding-text"]
    assert read(f"{host}HDL:10.1000/182").form == "url"


def test_an_invisible_character_before_a_link_that_fails_stays_an_error() -> None:
    assert codes("see \u200bhttps://doi.org/abs/10.1000/182") == ["surrounding-text", "non-graphic", "damaged-resolver"]


@pytest.mark.parametrize("scheme", ["https://", "http://", "http:", "https:/", "http//", "https;//", "https://www."])
@pytest.mark.parametrize("label", ["", "doi:"])
def test_a_link_without_the_resolver_is_pointed_out_and_the_name_in_it_is_read(scheme: str, label: str) -> None:
    reading = read(f"{scheme}{label}10.1000/182")
    assert str(reading.doi) == "10.1000/182"
    assert ("damaged-resolver", 0, len(scheme)) in [(one.code, one.start, one.end) for one in reading.problems]


@pytest.mark.parametrize(
    "address",
    [
        "https://doi. org/", "https://doi .org/", "https://doi.org /", "https: //doi.org/", "https:// doi.org/",
        "https ://doi.org/", "http s://doi.org/", "https://dx. doi.org/", "https://www. doi.org/", "doi. org/", "https://\ndoi.org/",
    ],
)  # fmt: skip
def test_white_space_in_the_address_of_the_resolver_is_pointed_out_and_the_name_after_it_is_read(address: str) -> None:
    reading = read(f"see {address}10.1000/182 there")
    assert str(reading.doi) == "10.1000/182"
    found = [(one.code, one.start, one.end) for one in reading.problems if one.code != "surrounding-text"]
    assert found == [("damaged-resolver", 4, 4 + len(address))]


def test_white_space_behind_a_damaged_resolver_stays_an_error() -> None:
    assert codes("http://dx .doi.org/ 10.1000/182") == ["damaged-resolver", "unescaped-space"]


@pytest.mark.parametrize("text", ["See https://doi.org. 10.1000/182", "https://doi.org: 10.1000/182"])
def test_white_space_after_the_name_of_the_resolver_in_a_sentence_is_no_damage(text: str) -> None:
    assert codes(text) == ["surrounding-text"]


@pytest.mark.parametrize("text", ['<a href="https://doi.org/">10.1000/182</a>', "[https://doi.org/](10.1000/182)"])
def test_the_resolver_beside_a_name_with_a_bracket_or_a_quote_between_them_is_not_mistyped(text: str) -> None:
    assert codes(text) == ["surrounding-text", "surrounding-text"]


@pytest.mark.parametrize(
    "query",
    ["id=doi:10.1000/182", "id=doi:10.1000/182&nols=y", "rft_id=info:doi/10.1000/182", "id=doi%3A10.1000%2F182"],
)
def test_the_name_in_an_openurl_of_the_resolver_is_read(query: str) -> None:
    reading = read(f"https://doi.org/openurl?{query}")
    assert (reading.form, str(reading.doi)) == ("wrapped", "10.1000/182")
    assert codes(f"https://doi.org/openurl?{query}") == ["wrapped"]


@pytest.mark.parametrize("address", ["https://example.org/10.1000/182", "https://doi.example.org/10.1000/182"])
def test_another_host_is_no_mistyped_resolver(address: str) -> None:
    assert codes(address) == ["publisher-url"]


def test_a_mistyped_resolver_without_a_name_right_after_it_is_another_website() -> None:
    assert codes("https://dio.org/articles/10.1000/182") == ["publisher-url"]


@pytest.mark.parametrize("host", sorted(FAKE_HOSTS))
@pytest.mark.parametrize("before", ["https://", "http://www.", "", "see https://", "cited as "])
def test_a_host_that_poses_as_the_doi_system_is_an_error_and_its_name_is_read(before: str, host: str) -> None:
    reading = read(f"{before}{host}/10.1000/182")
    assert str(reading.doi) == "10.1000/182"
    assert ("fake-resolver", "error") in [(one.code, one.severity) for one in reading.problems]
    assert not {"publisher-url", "damaged-resolver"} & set(codes(f"{before}{host}/10.1000/182"))


def test_the_resolver_and_its_older_names_are_neither_mistyped_nor_fake() -> None:
    for host in ("doi.org", "dx.doi.org", "www.doi.org"):
        assert not {"damaged-resolver", "fake-resolver", "publisher-url"} & set(codes(f"https://{host}/10.1000/182"))
