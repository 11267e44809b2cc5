"""A link in a field that must have the name: what prints the field would put a second `https://doi.org/` before it."""

import pytest

from doi_reading.command.file_text import FileText
from doi_reading.command.findings import find_in_file

NAMES_ONLY = {
    "a.bib": "% \u00fc\r\n@misc{a,\r\n\tdoi = { {} },\n  url = {https://doi.org/10.1000/9} }",
    "b.bib": '@misc{b, DOI="{}"}\n',
    "c.ris": "TY  - JOUR\r\nDO  - {} \r\nUR  - https://doi.org/10.1000/9\r\nER  - \r\n",
    "d.json": '[{"DOI": " {}", "URL": "https://doi.org/10.1000/9"}]\n',
    "e.cff": 'title: A\ndoi: "{}"  # all\nurl: https://doi.org/10.1000/9',
    "f.cff": "identifiers:\n  - type: doi\n    value: {}\n  - type: url\n    value: https://doi.org/10.1000/9\n",
}
"""Files with a place for the text of the field; elsewhere they have links that must stay."""
LINKS = {
    "https://doi.org/10.1000/182": "10.1000/182",
    "http://doi.org/10.1000/182": "10.1000/182",
    "http://dx.doi.org/10.1000/182": "10.1000/182",
    "https://www.doi.org/10.1000/182": "10.1000/182",
    "doi.org/10.1000/182": "10.1000/182",
    "HTTPS://DOI.ORG/10.1000/ABC": "10.1000/ABC",
    "https://doi.org/https://doi.org/10.1000/182": "10.1000/182",
    "https://doi.org/doi:10.1000/182": "10.1000/182",
    "DOI: https://doi.org/10.1000/182": "10.1000/182",
    "https://doi.org/10.1000/a/b(c)d": "10.1000/a/b(c)d",
    "https://doi.org/10.1002/1:1<2::A>3.0.CO;2-B": "10.1002/1:1<2::A>3.0.CO;2-B",
    "https://doi.org/10.1000/\u00fc": "10.1000/\u00fc",
}
UNCERTAIN = (
    "https://doi.org/10.1000/a%3Cb", "https://doi.org/10.1000/456#789", "https://doi.org/10.1000/182?utm_source=x",
)  # fmt: skip
"""Links that mean another name, or another writing of it, than what stands after the address."""


@pytest.mark.parametrize("name", NAMES_ONLY)
@pytest.mark.parametrize("link", LINKS)
def test_the_link_goes_and_every_other_character_stays(name: str, link: str) -> None:
    found = find_in_file(FileText(NAMES_ONLY[name].replace("{}", link)), name)
    (problem,) = [one for one in found.findings if one.code == "prefix-in-field"]
    assert (problem.severity, problem.text, bool(problem.edits)) == ("warning", link, True)
    assert found.correct() == NAMES_ONLY[name].replace("{}", LINKS[link])


@pytest.mark.parametrize("name", NAMES_ONLY)
@pytest.mark.parametrize("link", UNCERTAIN)
def test_a_link_that_means_another_name_than_its_end_is_reported_and_stays(name: str, link: str) -> None:
    text = NAMES_ONLY[name].replace("{}", link)
    found = find_in_file(FileText(text), name)
    assert "prefix-in-field" in {one.code for one in found.findings}
    assert found.correct() == text


@pytest.mark.parametrize("text", ["10.1000/182", "{}", "", "mydoi", "https://example.org/1", "10/g8r7pm"])
@pytest.mark.parametrize("name", NAMES_ONLY)
def test_a_field_without_a_link_to_a_doi_has_no_such_problem(name: str, text: str) -> None:
    found = find_in_file(FileText(NAMES_ONLY[name].replace("{}", text)), name)
    assert "prefix-in-field" not in {one.code for one in found.findings}
    assert found.edits == []


@pytest.mark.parametrize("name", NAMES_ONLY)
def test_an_ignored_code_leaves_the_link_a_link(name: str) -> None:
    text = NAMES_ONLY[name].replace("{}", "http://dx.doi.org/10.1000/182")
    found = find_in_file(FileText(text), name, ignored=frozenset({"prefix-in-field"}))
    assert found.correct() == NAMES_ONLY[name].replace("{}", "https://doi.org/10.1000/182")


@pytest.mark.parametrize("name", ["t.csv", "t.tsv"])
def test_the_column_of_a_table_may_have_links(name: str) -> None:
    assert find_in_file(FileText("doi\nhttps://doi.org/10.1000/182\n"), name).findings == []
