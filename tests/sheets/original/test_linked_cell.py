"""A cell with hyperlinks: the address changes where it held a DOI, and the text where that has one."""

import pytest

from resolver.sheets.bibliographic.doi_link import holds_doi
from resolver.sheets.left_out import NotWritable
from resolver.sheets.original.linked_cell import build_linked_cell

NAME = "10.1000/182"
LINK = "https://doi.org/10.1000/182"
OLD = "https://doi.org/10.1000/181"
REPOSITORY = "http://hdl.handle.net/10261/5"
PUBLISHER = "https://onlinelibrary.wiley.com/doi/10.1000/181"


@pytest.mark.parametrize(
    ("text", "links", "read", "expected"),
    [
        ("Full text", [OLD], OLD, ("Full text", [LINK])),
        ("10.1000/181", [OLD], "10.1000/181", (NAME, [LINK])),
        ("10.1000/181", [OLD], OLD, (NAME, [LINK])),
        (OLD, [OLD], OLD, (LINK, [LINK])),
        ("10.1000/181", [PUBLISHER], "10.1000/181", (NAME, [PUBLISHER])),
        ("10.1000/181", ["mailto:a@example.org"], "10.1000/181", (NAME, ["mailto:a@example.org"])),
        ("", ["https://example.org/"], "", (NAME, ["https://example.org/"])),
        ("n/a", [], "n/a", (NAME, [])),
        ("PDF, HTML", [OLD, "https://doi.org/10.1000/9"], OLD, ("PDF, HTML", [LINK, "https://doi.org/10.1000/9"])),
        ("doi:10.1000/181", [REPOSITORY], "doi:10.1000/181", (NAME, [REPOSITORY])),
        ("10.1000/181", [f"{OLD}?utm_source=x"], "10.1000/181", (NAME, [LINK])),
        ("see 10.1000/181 there", [OLD, OLD], OLD, ("see 10.1000/182 there", [LINK, LINK])),
    ],
)
def test_text_and_address_change_where_they_held_the_doi(
    text: str, links: list[str], read: str, expected: tuple[str, list[str]]
) -> None:
    assert build_linked_cell(text, links, [(read, NAME)], is_split=False) == expected


def test_each_doi_of_a_split_cell_changes_its_own_hyperlink() -> None:
    links = ["https://dx.doi.org/10.1000/1", "https://doi.org/10.1000/2", PUBLISHER]
    names = [("10.1000/1", "10.1000/11"), ("10.1000/2", "10.1000/22")]
    text, new = build_linked_cell("10.1000/1; 10.1000/2", links, names, is_split=True)
    assert text == "10.1000/11; 10.1000/22"
    assert new == ["https://doi.org/10.1000/11", "https://doi.org/10.1000/22", PUBLISHER]


@pytest.mark.parametrize(
    ("text", "links", "read"),
    [
        ("Full text", [PUBLISHER], PUBLISHER),
        ("10.1000/7", [OLD, "https://doi.org/10.1000/9"], "10.1000/7"),
        ("doi:10.1000/181", [f"{OLD}?nosfx=y#page=5"], "doi:10.1000/181"),
        ("Full text", [f"{OLD}#page=5"], f"{OLD}#page=5"),
        ("Full text", [f"{OLD}?utm_source=x&page=5"], f"{OLD}?utm_source=x&page=5"),
    ],
)
def test_a_link_that_leads_to_more_than_one_doi_is_left_to_a_person(text: str, links: list[str], read: str) -> None:
    with pytest.raises(NotWritable):
        build_linked_cell(text, links, [(read, NAME)], is_split=False)


@pytest.mark.parametrize(
    ("address", "held"),
    [
        (OLD, True),
        ("HTTP://DX.DOI.ORG/10.1000%2F182?utm_source=mail", True),
        ("https://doi.org/abc", True),
        ("10.1000/182", True),
        ("https://login.example.edu/login?url=https://doi.org/10.1000/182", True),
        ("https://doi-org.ezproxy.example.edu/10.1000/182", True),
        (f"https://login.example.edu/login?url={PUBLISHER}", False),
        (PUBLISHER, False),
        ("https://api.crossref.org/works/10.1000/182", False),
        ("http://hdl.handle.net/10.1000/182", True),
        (REPOSITORY, False),
        ("http://hdl.handle.net/10.20.1/5", False),
        ("https://doi.org/api/handles/10.1000/182", False),
        ("https://example.org/", False),
        ("#Sheet2.A1", False),
        ("", False),
    ],
)
def test_an_address_holds_a_doi_unless_it_is_anothers_page(address: str, held: bool) -> None:
    assert holds_doi(address) is held
