"""Templates that nobody filled in: one error that says so, and nothing about encodings or cut ends."""

import pytest

from doi_reading import read
from resolver.domain.handle.answers import MissingHandle, Resolution
from resolver.domain.report.judge import ProxyAnswers, judge
from tests.domain.records import url


@pytest.mark.clause("B2")
@pytest.mark.parametrize(
    ("text", "unfilled"),
    [
        ("10.5007/%x", "%x"),
        ("10.5007/%j.v%vi%i.%p", "%j.v%vi%i.%p"),
        ("https://doi.org/10.14710/%25j.%25v.%25i.%25p-%25e", "%25j.%25v.%25i.%25p-%25e"),
        ("https://doi.org/10.14710/%2525j.%2525v", "%2525j.%2525v"),
        ("10.5007/%25id%", "%25id%"),
        ("doi:10.14710/jfma.v%vi%i.%p", "jfma.v%vi%i.%p"),
        ("10.14710/jfma.v12i1.%p", "jfma.v12i1.%p"),
        ("{id}", "{id}"),
        ("{{ article.doi }}", "{{ article.doi }}"),
        ("https://doi.org/${doi}", "https://doi.org/${doi}"),
        ("https://doi.org/%7Bdoi%7D", "https://doi.org/%7Bdoi%7D"),
        ("10.5007/article.{article_id}", "{article_id}"),
        ("10.5007/%7Bid%7D", "%7Bid%7D"),
        ("10.5007/{$articleId}.", "{$articleId}"),
        ("10.{prefix}/{suffix}", "10.{prefix}/{suffix}"),
        ("[DOI]", "[DOI]"),
        ("[insert DOI here]", "[insert DOI here]"),
        ("<doi>", "<doi>"),
        ("10.1000/[DOI]", "[DOI]"),
        ("10.1000/%DOI%", "%DOI%"),
        ("10.xxxx/xxxxx", "10.xxxx/xxxxx"),
        ("https://doi.org/10.XXXX/YYYY", "10.XXXX/YYYY"),
        ("DOI: 10.####/#####", "10.####/#####"),
        ("https://doi.org/10.3390/xxxxx", "xxxxx"),
        ("10.1145/nnnnnnn.nnnnnnn", "nnnnnnn"),
        ("10.1371/journal.pone.XXXXXXX", "XXXXXXX"),
        ("10.1186/sXXXXX-XXX-XXXX-X", "sXXXXX"),
        ("10.1002/adma.2020xxxxx", "2020xxxxx"),
    ],
)
def test_an_unfilled_template_has_one_problem_and_no_other_reading(text: str, unfilled: str) -> None:
    reading = read(text)
    assert [(one.code, text[one.start : one.end]) for one in reading.problems] == [("template", unfilled)]
    assert reading.candidates == reading.propose_late_candidates() == ()


@pytest.mark.parametrize(
    "text",
    [
        "10.1234/abcd",
        "10.1000/182[doi]",
        "<doi>10.1000/182</doi>",
        "10.1016/j.cell.2010.01.001{doi}",
        "https://doi.org/10.5555/100%",
        "10.1006/rwei.1999%.0001",
        "https://doi.org/10.5555/caf%E9",
        "10.1175/1520-0493(2002)130%3C1913:EDAWPO%3E2.0.CO;2",
        "10.1007/{s}10",
        "10.1109/{ICDM}.2005.99",
        "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
        "10.1000/456#789",
        "10.1000/182$2doi",
        "10.1000/xx12",
        "10.1000/maxxxi",
        "10.60825/tr-116{}",
        "Annual report {2019}",
        "[1]",
        "10.1000/182, not 10.xxxx/xxxxx",
    ],
)
def test_a_name_that_is_only_odd_is_no_template(text: str) -> None:
    assert "template" not in [one.code for one in read(text).problems]


def test_the_other_dois_of_a_text_with_a_template_are_read() -> None:
    reading = read("10.1000/{id}; 10.1000/182")
    assert reading.others == ("10.1000/182",)
    assert {"template", "several-dois"} <= {one.code for one in reading.problems}


def test_a_registered_name_that_looks_like_a_template_is_none() -> None:
    report = judge(read("10.3390/xxxxx"), ProxyAnswers(Resolution(url("https://example.org/"))))
    assert report.problems == ()


@pytest.mark.parametrize("piece", ["%j.", "{id}", "xxx.", "{{doi", "%25", "[DOI", "<%=doi", "10.xxxx/", "$a"])
def test_a_hostile_text_is_read_like_any_other(piece: str) -> None:
    assert read("10.1000/" + piece * 900).input


@pytest.mark.parametrize("name", ["10.5555/869369", "10.5072/zenodo.123", "https://dl.acm.org/doi/10.5555/869369"])
def test_a_prefix_for_tests_is_told_of_a_name_that_is_not_registered(name: str) -> None:
    reading = read(name)
    missing = judge(reading, ProxyAnswers(Resolution(MissingHandle())))
    [told] = [one for one in missing.problems if one.code == "test-prefix"]
    assert name[told.start : told.end] in ("10.5555", "10.5072")
    found = judge(reading, ProxyAnswers(Resolution(url("https://journal.example.org/"))))
    assert "test-prefix" not in [one.code for one in found.problems]


def test_a_template_with_such_a_prefix_is_a_template() -> None:
    report = judge(read("10.5555/{id}"), ProxyAnswers(Resolution(MissingHandle())))
    assert [one.code for one in report.problems] == ["template"]


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("https://sandbox.zenodo.org/records/123456", "sandbox.zenodo.org"),
        ("handle.test.datacite.org/10.5072/zenodo.1", "handle.test.datacite.org"),
        (" https://demo.dataverse.org/dataset.xhtml?id=1", "demo.dataverse.org"),
        ("https://api.staging.osf.io/v2/nodes/", "api.staging.osf.io"),
    ],
)
def test_the_address_of_a_system_for_tests_is_told(text: str, host: str) -> None:
    missing = judge(read(text), ProxyAnswers(Resolution(MissingHandle())))
    [told] = [one for one in missing.problems if one.code == "test-prefix"]
    assert text[told.start : told.end] == host


def test_of_a_registered_name_the_sentence_names_the_system_for_tests() -> None:
    reading = read("https://handle.test.datacite.org/10.1000/182")
    report = judge(reading, ProxyAnswers(Resolution(url("https://journal.example.org/"))))
    [told] = [one.message for one in report.problems if one.code == "test-prefix"]
    assert told == "handle.test.datacite.org is for examples and tests. The DOI is registered."


@pytest.mark.parametrize(
    "text", ["https://zenodo.org/records/1", "https://example.org/10.1000/182", "See sandbox.zenodo.org", "10.5555"]
)
def test_another_address_is_not(text: str) -> None:
    assert "test-prefix" not in [one.code for one in read(text).problems]
