"""What --fix leaves alone, because the text may mean something else than its reading."""

import pytest

from doi_reading.command.file_text import FileText
from doi_reading.command.findings import find_in_file

OLD, LINK = "http://dx.doi.org/10.1000/182", "https://doi.org/10.1000/182"


def correct(text: str, name: str) -> str:
    return find_in_file(FileText(text), name).correct()


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.tex", "a.ris"])
@pytest.mark.parametrize(
    "text",
    [
        "http:/dx.doi.org/10.1000/182",
        "hhttp://dx.doi.org/10.1000/182",
        "ftp://dx.doi.org/10.1000/182",
        "user@dx.doi.org/10.1000/182",
        "/dx.doi.org/10.1000/182",
        "x.dx.doi.org/10.1000/182",
        "file:///dx.doi.org/10.1000/182",
        "a=dx.doi.org/10.1000/182",
        "https:///dx.doi.org/10.1000/182",
        "?u=dx.doi.org/10.1000/182",
        "_http://dx.doi.org/10.1000/182",
        "my-doi: doi:10.1000/182",
        "my_doi:doi:10.1000/182",
        "//doi:doi:10.1000/182",
    ],
)
def test_a_part_of_something_longer_stays(text: str, name: str) -> None:
    assert correct(f"See {text} here", name) == f"See {text} here"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.html", '<a href="//dx.doi.org/10.1000/182">x</a>', '<a href="//doi.org/10.1000/182">x</a>'),
        ("a.md", "[x](//dx.doi.org/10.1000/182)", "[x](//doi.org/10.1000/182)"),
        ("a.tex", r"\url{//dx.doi.org/10.1000/182}", r"\url{//doi.org/10.1000/182}"),
        ("a.md", f"URL:{OLD}", f"URL:{LINK}"),
        ("a.md", "(dx.doi.org/10.1000/182)", f"({LINK})"),
        ("a.md", "---\ndoi: doi:10.1000/182\n---\n", "---\ndoi: 10.1000/182\n---\n"),
        ("a.md", f"doi: {OLD}", f"doi: {LINK}"),
        ("a.cff", "x-doi: doi:10.1000/12\n", "x-doi: doi:10.1000/12\n"),
        ("a.bib", "@misc{a, doi\n   = {http://dx.doi.org/10.1000/182}}", "@misc{a, doi\n   = {10.1000/182}}"),
    ],
)
def test_the_scheme_and_the_key_stay_as_they_are(name: str, before: str, after: str) -> None:
    assert correct(before, name) == after


@pytest.mark.parametrize(
    "text",
    [
        f"<script>u='{OLD}'+id</script>",
        "<script>fetch('https://doi.org/10.1000/'+id)</script>",
        f"<a onclick=\"location='{OLD}+'\">x</a>",
        f"<a onclick='{OLD}'>x</a>",
        f'<p style="background:url({OLD})">',
        f"<SCRIPT type=module>'{OLD}'</SCRIPT>",
        f"<style>a{{background:url({OLD})}}</style>",
        f"<p title=it's>a</p>\n<script>u='{OLD}'+id</script>",
        f"<p title=a\"b>a</p>\n<style>{OLD}</style><i title='a>b\" c'>",
        f"<script type='text/template'><a href='{OLD}'></script>",
        f"<script type=application/json>{{x: '{OLD}'}}</script>",
    ],
)
def test_programs_of_a_page_are_not_read(text: str) -> None:
    found = find_in_file(FileText(text), "a.html")
    assert (found.names, found.findings, found.edits) == ([], [], [])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", f"{LINK}[^1]"),
        ("a.md", f"{LINK}[@smith2020]"),
        ("a.md", f"{LINK}[1]"),
        ("a.md", f"{LINK}<em>x</em>"),
        ("a.md", "https://doi.org/10.1000/x<sup>1</sup>"),
        ("a.md", f"详见 {LINK}を参照"),
        ("a.md", f"{LINK}입니다"),
        ("a.md", f"{LINK}†"),
        ("a.html", f"<p>{LINK}²</p>"),
        ("a.html", f"<p>{LINK}→ more</p>"),
        ("a.txt", f"{LINK}[PubMed]"),
        ("a.ris", f"N1  - {LINK}[PubMed]\n"),
        ("a.txt", "https://doi.org/10.1000/ab${x}"),
        ("a.txt", "https://doi.org/10.5281/zenodo.<id>"),
        ("a.json", f'[{{"note": "See {LINK}[1]"}}]'),
        ("a.csv", f"note\nSee {LINK}[1]\n"),
        ("a.txt", f"{LINK}✓ done"),
        ("a.html", f'<img alt="See {LINK}[1]">'),
        ("a.cff", f"message: {LINK}[1]\n"),
        ("a.bib", f"@misc{{a, url = {{{LINK}[1]}}}}"),
    ],
)
def test_what_may_stand_behind_the_end_of_a_link_is_not_encoded(name: str, text: str) -> None:
    assert correct(text, name) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "[x]({})"),
        ("a.md", '[x]({} "title")'),
        ("a.md", "<{}>"),
        ("a.html", '<a href="{}">x</a>'),
        ("a.html", "<a href={}>x</a>"),
        ("a.json", '[{{"URL": "{}"}}]'),
        ("a.csv", "url\n{}\n"),
        ("a.tsv", "url\t\n{}\t\n"),
        ("a.ris", "UR  - {}\nER  - \n"),
        ("a.html", '<script type="application/ld+json">{{"sameAs": "{}"}}</script>'),
    ],
)
def test_a_link_whose_end_the_file_shows_is_encoded(name: str, text: str) -> None:
    before, after = f"{LINK}/a[1]\u00fc", f"{LINK}/a%5B1%5D%C3%BC"
    assert correct(text.format(before), name) == text.format(after)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "id,title,doi,doi_status,doi_minted,has_doi\n1,A,10.1000/182,findable,2020/01/01,true\n"),
        ("a.csv", "doi,x\nN/A,1\n-,2\nnull,3\n"),
        ("a.tsv", "doi count\tDOI Status\n5\tfindable\n"),
        ("a.json", '{"doi": "string"}'),
        ("a.json", '{"DOI": "P356"}'),
        ("a.json", '[{"DOI": 1}, "none"]'),
        ("a.json", '{"DOI": {"name": "a"}}'),
        ("a.ris", "UR  - https://doi.org/10.1000/abc_\nER  - \n"),
        ("a.ris", "N1  - DOI 10.1000/a-\nER  - \n"),
    ],
)
def test_what_is_no_doi_and_what_is_one_is_no_error(name: str, text: str) -> None:
    assert [one.code for one in find_in_file(FileText(text), name).findings if one.severity == "error"] == []


def test_a_bibliography_in_json_must_have_dois_in_its_fields() -> None:
    found = find_in_file(FileText('[{"type": "book", "DOI": "forthcoming"}]'), "a.json")
    assert [one.code for one in found.findings] == ["no-doi"]
