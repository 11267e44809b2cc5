"""What a name would not keep of a value is never lost, in no kind of file; and what may go does."""

from collections.abc import Callable, Mapping

import pytest

from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.cell_text import build_cell_text
from resolver.sheets.original.linked_cell import build_linked_cell
from tests.sheets.bibliographic.written import left_out, places, written

NAME = "10.1038/nature12373"
LINK = f"https://doi.org/{NAME}"
PROXY = f"https://doi-org.ezproxy.lib.example.edu/{NAME}"

Write = Callable[[str], str]
"""Return the new text for a value, or the reason in angle brackets."""


def write_cell(value: str) -> str:
    try:
        return build_cell_text(value, [(value, NAME)], is_split=False)
    except NotWritable as error:
        return f"<{error.reason}>"


def write_hyperlink(value: str) -> str:
    try:
        return build_linked_cell("Full text", [value], [(value, NAME)], is_split=False)[1][0]
    except NotWritable as error:
        return f"<{error.reason}>"


def write_field(kind: str, before: str, after: str) -> Write:
    def write(value: str) -> str:
        data = f"{before}{value}{after}".encode()
        new = written(kind, data, {1: NAME}).decode()
        if left := left_out(kind, data, {1: NAME}):
            assert new == data.decode()
            return f"<{left[0].reason}>"
        return new.removeprefix(before).removesuffix(after)

    return write


WRITERS: Mapping[str, Write] = {
    "CSV cell": write_cell,
    "XLSX link": write_hyperlink,
    "BibTeX doi": write_field("bibtex", "@a{x, doi = {", "}}\n"),
    "RIS UR": write_field("ris", "TY  - JOUR\nUR  - ", "\nER  - \n"),
    "MARC 856": write_field("mrk", "=LDR  00000nam a2200000 a 4500\n=856  40$u", "\n"),
}
each_writer = pytest.mark.parametrize("kind", WRITERS)
FIELDS = ("BibTeX doi", "RIS UR", "MARC 856")


@each_writer
@pytest.mark.parametrize(
    "rest",
    [
        "PMID:25883141", "(PMID:25883141)", "ISBN9783161484100", "arXiv:2001.00001", "https://www.x.org/a", "&page=3",
        "&download=true", "?utm_source=x&id=3", "#utm_source=x", "/suppl_file/x.pdf", "/tables/1", "/files/data.zip",
        "v2", "v12", "/v2", "-1", "-1999", "-Smith", "Smith", ",Smith", "(erratum)", "::abc:600", "_PMC12345", "。文章",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "before", ["", "https://doi.org/", "https://doi-org.ezproxy.lib.example.edu/"], ids=["name", "link", "proxy"]
)
def test_what_is_attached_to_the_doi_is_told(kind: str, before: str, rest: str) -> None:
    new = WRITERS[kind](before + NAME + rest)
    assert new.startswith("<")
    assert rest in new or "other text beside" in new or ("?" in rest and "&id=3" in new)


@each_writer
@pytest.mark.parametrize(
    "damaged",
    [
        "10.1038/natureI2373PMID:25883141", "10.1038/natureI2373-Smith", "10.1038//nature12373v2",
        "10.1038//nature12373/tables/1", f"10.1038/{NAME}&page=3", "10.1038/nature1237-Smith",
        "https://doi.org/10,1038/nature12373/tables/1",
    ],
)  # fmt: skip
def test_what_is_attached_to_a_damaged_doi_is_told(kind: str, damaged: str) -> None:
    assert "would be lost" in WRITERS[kind](damaged)


@each_writer
@pytest.mark.parametrize(
    "value",
    [
        f"https://doi.org/{LINK}", PROXY, f"https://ezproxy.example.edu/login?url={LINK}",
        LINK.replace("10.1038/", "10.1038%2F"), f"{LINK}?utm_source=x&utm_medium=y", f"{LINK}&utm_source=x",
        f"{PROXY}?utm_campaign=1", f"doi:{LINK}", f"<{LINK}>", f"{LINK}.", f"“{LINK}”", f"{LINK}/pdf",
        f"{LINK}/full/html", f"{LINK}{LINK}", f"{LINK} {LINK}", f"http://dx.doi.org/{NAME}",
    ],
)  # fmt: skip
def test_a_link_becomes_the_correct_link(kind: str, value: str) -> None:
    assert WRITERS[kind](value) == (NAME if kind == "BibTeX doi" else LINK)


@each_writer
@pytest.mark.parametrize(
    "value",
    [
        f"\u00a0{NAME}\u00a0", f"{NAME}.", f"({NAME})", f"<{NAME}>", f'"{NAME}"', NAME.replace("/", "%2F"),
        f"{NAME}?utm_source=x", f"{NAME};jsessionid=12", f"{NAME}.pdf", f"{NAME}/abstract", f"{NAME}<br/>",
        f"{NAME}{NAME}", f"{NAME} {NAME}", f"10.1038/{NAME}", "10.1038/nature 12373", "10.1038/nature12337",
        "10.1038/s41586-020-2649-2-x", f"{NAME}x",
        f".{NAME}",
    ],
)  # fmt: skip
def test_a_name_becomes_the_plain_name(kind: str, value: str) -> None:
    if kind == "BibTeX doi":
        value = value.replace('"', "”")  # BibTeX's own sign
    assert WRITERS[kind](value) == (LINK if kind == "XLSX link" else NAME)


@pytest.mark.parametrize("kind", FIELDS)
@pytest.mark.parametrize("value", [f"DOI: {NAME}.", f"doi:{NAME}", f"DOI {NAME}", f"doi: {NAME},", f"DOI:{NAME};"])
def test_a_label_goes_in_a_field_for_dois_and_stays_in_one_for_links(kind: str, value: str) -> None:
    assert WRITERS[kind](value) == (NAME if kind == "BibTeX doi" else value.rstrip(".,;"))


@pytest.mark.parametrize(
    "value",
    [
        f"{NAME} (erratum)", f"doi:{NAME} -- chapter three", f"doi:{NAME} and see also the supplement",
        f"doi.org/{NAME}, in press", f"Nature {NAME}", f"{NAME} PMID:25883141", f"{NAME}; Smith 2019",
        f"{NAME} | Smith", f"mailto:a@example.org {NAME}", f"{LINK} https://www.x.org/a", f"{NAME} JSTOR",
    ],
)  # fmt: skip
def test_words_beside_the_doi_stay_in_a_table_and_are_told_elsewhere(value: str) -> None:
    table = WRITERS["CSV cell"](value)
    assert table == value.replace("doi.org/", "https://doi.org/").replace("https://https://", "https://") or (
        "JSTOR" in value and "other text beside" in table  # the name may go on
    )
    for kind in set(WRITERS) - {"CSV cell"}:
        assert "other text beside" in WRITERS[kind](value), kind


@each_writer
@pytest.mark.parametrize(
    "value",
    [
        f"https://www.nature.com/articles/nature12373?doi={NAME}", f"https://www.x.org/a{NAME}",
        f"https://publisher.example.org/doi/{NAME}/suppl_file/x.pdf", f"https://publisher.example.org/doi/{NAME}?page=3",
        f"https://publisher.example.org/doi/{NAME}#page=5", f"https://publisher.example.org/{NAME}/tables/1",
        f"https://publisher.example.org/page/3/doi/{NAME}", f"https://publisher.example.org/a?page=3&doi={NAME}",
        f"https://www.jstor.org/stable/{NAME}?seq=12", f"https://publisher.example.org/doi/{NAME}&download=true",
    ],
)  # fmt: skip
def test_another_page_stays(kind: str, value: str) -> None:
    assert WRITERS[kind](value).startswith("<")


@pytest.mark.parametrize(
    "page",
    [
        f"https://publisher.example.org/doi/full/{NAME}", f"https://publisher.example.org/doi/{NAME}#abstract",
        f"https://resolver.lib.example/sfx?rft_id=info:doi/{NAME}", f"https://journals.example.org/article?id={NAME}",
        f"https://login.example.edu/login?url=https://x.org/{NAME}", f"https://publisher.example.org/doi/{NAME}/pdf",
        f"https://www.jstor.org/stable/{NAME}?seq=1#metadata_info_tab_contents",
        f"https://dl.example.org/doi/pdf/{NAME}?casa_token=abc",
    ],
)  # fmt: skip
def test_a_publishers_page_of_the_doi_becomes_the_name_in_a_field_for_dois_alone(page: str) -> None:
    news = {kind: write(page) for kind, write in WRITERS.items()}
    assert news.pop("BibTeX doi") == NAME
    assert all("belongs to a publisher" in new for new in news.values())


@pytest.mark.parametrize(
    "value",
    [
        f"{NAME} (erratum)", f"DOI {NAME} JSTOR", f"Nature {NAME}", f"{NAME}https://www.x.org/a", "PMID: 25883141",
        f"https://www.nature.com/articles/nature12373?doi={NAME}", "https://www.nature.com/articles/nature12373",
        NAME, f"https://doi.org/{LINK}", PROXY, f"see {NAME}", f"{NAME} (accessed 2024-05-01)", "10.1038/nature 12373",
        "10.1038/ nature12373", "10,1038/nature12373", f"{NAME}/pdf", f"({NAME})", "n/a",
    ],
)  # fmt: skip
def test_the_preview_says_the_same_as_the_list(value: str) -> None:
    data = f"@a{{x, doi = {{{value}}}}}\n".encode()
    [place] = places("bibtex", data)
    assert [place.reason] * bool(place.reason) == [left.reason for left in left_out("bibtex", data, {1: NAME})]


def test_the_authority_of_a_value_of_dspace_stays() -> None:
    cell = f"doi:{NAME}::abc::600||doi:10.1000/181||doi:10.1000/9::d-e::-1"
    names = [(f"doi:{NAME}::abc::600", NAME), ("doi:10.1000/181", "10.1000/182")]
    new = f"{NAME}::abc::600||10.1000/182||doi:10.1000/9::d-e::-1"
    assert build_cell_text(cell, names, is_split=True) == new
