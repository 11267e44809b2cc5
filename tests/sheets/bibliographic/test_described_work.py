"""What the records of each format say of their work: all authors, the whole title, and where it was published."""

import json
import time
from collections.abc import Callable

import pytest

from resolver.domain.work.row_work import RowWork
from resolver.sheets.bibliographic.described_work import AND_OTHERS, MAX_AUTHORS, find_first_page
from resolver.sheets.bibliographic.record import MAX_SHOWN_CHARACTERS
from tests.sheets.bibliographic.made_files import make_marc
from tests.sheets.bibliographic.written import read, written

Made = Callable[[str, list[str]], bytes]
"""Makes a file with one record of this title and these authors."""

ZOTERO_RIS = """TY  - JOUR
TI  - Cytochrome P450 and drug
  metabolism: a review
AU  - Guengerich, F. Peter
AU  - Müller, Anna
T2  - Chemical Research in Toxicology
J2  - Chem. Res. Toxicol.
DA  - 2008/01/01/
PY  - 2008
VL  - 21
IS  - 1
SP  - 70
EP  - 83
DO  - 10.1021/tx700079z
ER  -\x20
"""
EDITED_RIS = """TY  - BOOK
T1  - Handbook of Ice
A2  - Doe, Jane
A2  - Roe, R.
Y1  - 2001
DO  - 10.1000/182
ER  -\x20
"""
PUBMED = """
PMID- 18052394
VI  - 21
DP  - 2008 Jan
TI  - Cytochrome P450 and drug metabolism in people who live
      near the sea.
PG  - 70-83
LID - 10.1021/tx700079z [doi]
FAU - Guengerich, F Peter
AU  - Guengerich FP
AD  - Department of Biochemistry,
      Nashville.
FAU - Müller, Anna
AU  - Müller A
TA  - Chem Res Toxicol
JT  - Chemical research in toxicology
"""
ENW = """%0 Book Section
%A Guengerich, F. Peter
%A Müller, Anna
%E Roe, Richard
%T Cytochromes
%B Handbook of Enzymes
%D 2008
%V 21
%P 70-83
%R 10.1000/182
"""
BIBLATEX = r"""@string{crt = "Chemical Research in Toxicology"}
@article{g2008,
  author       = {Guengerich, F.~Peter and M{\"u}ller, Anna and {\v{S}}imek, \O{}ystein and {Barnes and Noble}
                  and others},
  title        = {Cytochrome {P450} \& drug metabolism},
  subtitle     = {A review},
  journaltitle = {Chemical Research in Toxicology},
  date         = {2008-01-02},
  volume       = {21},
  pages        = {70--83},
  doi          = {10.1021/tx700079z},
}
"""
INPROCEEDINGS = """@InProceedings{x, editor = "Jane Doe AND Richard Roe", title = {On Ice}, booktitle = {Proc. of Ice},
  journal = crt, year = 2001, doi = {10.1000/182}}
"""
CSL = {
    "id": "a", "type": "article-journal", "title": "Cytochromes", "container-title": "Chem. Res. Toxicol.",
    "author": [{"family": "Guengerich", "given": "F. Peter"}, {"literal": "The Group"}, {"given": "x"}],
    "editor": [{"family": "Roe"}], "issued": {"date-parts": [["2008", 1]]}, "volume": 21, "page": "70–83",
    "source": "Crossref", "DOI": "10.1021/tx700079z",
}  # fmt: skip
ZOTERO = {
    "items": [
        {
            "itemType": "bookSection", "title": "Cytochromes", "bookTitle": "Handbook", "date": "January 2008",
            "creators": [
                {"creatorType": "editor", "firstName": "R.", "lastName": "Roe"},
                {"creatorType": "author", "firstName": "F. Peter", "lastName": "Guengerich"},
                {"creatorType": "author", "name": "The Group"},
            ],
            "pages": "70-83", "volume": "21", "DOI": "10.1021/tx700079z",
        }
    ]
}  # fmt: skip
CROSSREF = {
    "message": {
        "items": [
            {
                "DOI": "10.1021/tx700079z", "title": ["Cytochromes"], "subtitle": ["A review"], "source": "Crossref",
                "author": [{"given": "F. Peter", "family": "Guengerich"}, {"name": "The Group"}],
                "container-title": ["Chem. Res. Toxicol."], "volume": "21", "page": "70-83",
                "issued": {"date-parts": [[2008, 1]]}, "reference": [{"author": "Nobody", "volume": "7"}],
            }
        ]
    }
}  # fmt: skip
DATACITE = {
    "data": [
        {
            "id": "10.5438/a",
            "attributes": {
                "doi": "10.5438/a", "publicationYear": 2008, "publisher": "Zenodo",
                "creators": [
                    {"name": "Guengerich, F. Peter", "givenName": "F. Peter", "familyName": "Guengerich"},
                    {"name": "The Group", "nameType": "Organizational"},
                ],
                "titles": [{"title": "Cytochromes"}, {"title": "A review", "titleType": "Subtitle"}],
                "container": {"type": "Journal", "title": "Chem. Res. Toxicol.", "volume": "21", "firstPage": "70"},
                "contributors": [{"name": "Nobody"}],
            },
        }
    ]
}  # fmt: skip
LENS = {
    "data": [
        {
            "title": "Cytochromes", "source": {"title": "Chem. Res. Toxicol."}, "volume": "21", "start_page": "70",
            "authors": [{"first_name": "F. Peter", "last_name": "Guengerich"}, {"collective_name": "x"}],
            "year_published": 2008, "external_ids": [{"type": "doi", "value": "10.1021/tx700079z"}],
        }
    ]
}  # fmt: skip
OPENALEX = {
    "results": [
        {
            "id": "W1", "doi": "https://doi.org/10.1021/tx700079z", "title": "Cytochromes",
            "authorships": [
                {"author": {"id": "A1", "display_name": "F. Peter Guengerich"}, "institutions": []},
                {"author": {"id": "A2", "display_name": "Anna Müller"}},
            ],
            "primary_location": {"source": {"id": "S1", "display_name": "Chem. Res. Toxicol."}},
            "biblio": {"volume": "21", "first_page": "70", "last_page": "83"}, "publication_year": 2008,
        }
    ]
}  # fmt: skip
ORCID = {
    "group": [
        {
            "external-ids": {"external-id": [{"external-id-type": "doi", "external-id-value": "10.1021/tx700079z"}]},
            "work-summary": [
                {
                    "title": {"title": {"value": "Cytochromes"}, "subtitle": {"value": "A review"}},
                    "journal-title": {"value": "Chem. Res. Toxicol."},
                    "publication-date": {"year": {"value": "2008"}}, "source": {"source-name": {"value": "Crossref"}},
                    "contributors": {
                        "contributor": [{"credit-name": {"value": "F. P. Guengerich"}}, {"credit-name": None}]
                    },
                }
            ],
        }
    ]
}  # fmt: skip
ENDNOTE_XML = """<xml><records><record><rec-number>7</rec-number>
<contributors><secondary-authors><author><style>Roe, R.</style></author></secondary-authors>
<authors><author><style>Guengerich, F. Peter</style></author><author>Müller, Anna</author></authors></contributors>
<titles><title><style>Cyto</style><style face="bold">chromes</style></title>
<secondary-title><style>Chem. Res. Toxicol.</style></secondary-title></titles>
<pages><style>70-83</style></pages><volume><style>21</style></volume><dates><year><style>2008</style></year></dates>
<electronic-resource-num><style>10.1021/tx700079z</style></electronic-resource-num></record></records></xml>
"""
MARC_21 = [
    (b"024", b"7 \x1fa10.1021/tx700079z\x1f2doi"),
    (b"100", b"1 \x1faGuengerich, F. Peter,\x1fd1949-\x1feauthor.\x1f4aut"),
    (b"245", b"10\x1faCytochromes :\x1fba review = Cytochrome /\x1fcF. P. Guengerich."),
    (b"264", b" 1\x1faNashville :\x1fbA press,\x1fc[2008]"),
    (b"700", "1 \x1faMüller, Anna,\x1fejoint author.".encode()),
    (b"700", b"1 \x1faNobody, A.,\x1fetranslator."),
    (b"700", b"1 \x1faNobody, B.\x1f4ill"),
    (b"700", b"12\x1faNobody, C.\x1ftAnother work"),
    (b"710", b"2 \x1faA funder."),
    (b"773", b"0 \x1ftChem. Res. Toxicol.\x1fgVol. 21, pt. B no. 1 (Jan. 2008), p. 70-83\x1fx0893-228X"),
]
UNIMARC = [
    (b"017", b"70\x1fa10.1021/tx700079z\x1f2DOI"),
    (b"200", b"1 \x1faCytochromes\x1fea review\x1ffF. P. Guengerich"),
    (b"210", b"  \x1faParis\x1fd2008"),
    (b"461", b" 1\x1ftChem. Res. Toxicol.\x1fvvol. 21"),
    (b"700", b" 1\x1faGuengerich\x1fbF. Peter\x1f4070"),
    (b"701", b" 1\x1faM\xc3\xbcller\x1fbAnna\x1f4070"),
    (b"702", b" 1\x1faNobody\x1fbA.\x1f4730"),
]
MRK = """=LDR  00000nam a2200000 a 4500
=024  7\\\\$a10.1021/tx700079z$2doi
=110  2\\\\$aThe Group.
=245  10$aCytochromes :$ba review /
=260  \\\\$c2008.
=700  1\\\\$aMüller, Anna$4http://id.loc.gov/vocabulary/relators/aut
=773  18$tChem. Res. Toxicol.$gvolume:21$gyear:2008$gpages:70-83
"""
MARCXML = """<record><leader>00000nam a2200000 a 4500</leader>
<datafield tag="024" ind1="7"><subfield code="a">10.1021/tx700079z</subfield>
<subfield code="2">doi</subfield></datafield>
<datafield tag="245"><subfield code="a">Cytochromes</subfield></datafield>
<datafield tag="260"><subfield code="c">c2008</subfield></datafield>
<datafield tag="710"><subfield code="a">The Group</subfield></datafield>
<datafield tag="773"><subfield code="t">Chem. Res. Toxicol.</subfield>
<subfield code="q">21:1&lt;70</subfield></datafield>
</record>"""
PETER, ANNA, JOURNAL = "Guengerich, F. Peter", "Müller, Anna", "Chem. Res. Toxicol."
DESCRIBED: dict[str, tuple[str, bytes, RowWork]] = {
    "Zotero's RIS": (
        "ris",
        ZOTERO_RIS.encode(),
        RowWork(
            "Cytochrome P450 and drug metabolism: a review",
            (PETER, ANNA),
            "2008",
            "Chemical Research in Toxicology",
            "21",
            "70",
        ),
    ),
    "RIS with editors": ("ris", EDITED_RIS.encode(), RowWork("Handbook of Ice", ("Doe, Jane", "Roe, R."), "2001")),
    "PubMed": (
        "nbib",
        PUBMED.encode(),
        RowWork(
            "Cytochrome P450 and drug metabolism in people who live near the sea.",
            ("Guengerich, F Peter", ANNA),
            "2008",
            "Chemical research in toxicology",
            "21",
            "70",
        ),
    ),
    "EndNote's tags": (
        "enw",
        ENW.encode(),
        RowWork("Cytochromes", (PETER, ANNA), "2008", "Handbook of Enzymes", "21", "70"),
    ),
    "BibLaTeX": (
        "bibtex",
        BIBLATEX.encode(),
        RowWork(
            "Cytochrome P450 & drug metabolism: A review",
            (PETER, ANNA, "Šimek, Øystein", "Barnes and Noble", AND_OTHERS),
            "2008",
            "Chemical Research in Toxicology",
            "21",
            "70",
        ),
    ),
    "BibTeX with editors": (
        "bibtex",
        INPROCEEDINGS.encode(),
        RowWork("On Ice", ("Jane Doe", "Richard Roe"), "2001", "Proc. of Ice"),
    ),
    "CSL-JSON": (
        "csl-json",
        json.dumps([CSL]).encode(),
        RowWork("Cytochromes", (PETER, "The Group"), "2008", JOURNAL, "21", "70"),
    ),
    "Zotero's JSON": (
        "csl-json",
        json.dumps(ZOTERO).encode(),
        RowWork("Cytochromes", (PETER, "The Group"), "2008", "Handbook", "21", "70"),
    ),
    "Crossref": (
        "json",
        json.dumps(CROSSREF).encode(),
        RowWork("Cytochromes: A review", (PETER, "The Group"), "2008", JOURNAL, "21", "70"),
    ),
    "DataCite": (
        "json",
        json.dumps(DATACITE).encode(),
        RowWork("Cytochromes: A review", (PETER, "The Group"), "2008", JOURNAL, "21", "70"),
    ),
    "Lens": ("json", json.dumps(LENS).encode(), RowWork("Cytochromes", (PETER,), "2008", JOURNAL, "21", "70")),
    "OpenAlex": (
        "json",
        json.dumps(OPENALEX).encode(),
        RowWork("Cytochromes", ("F. Peter Guengerich", "Anna Müller"), "2008", JOURNAL, "21", "70"),
    ),
    "ORCID": (
        "json",
        json.dumps(ORCID).encode(),
        RowWork("Cytochromes: A review", ("F. P. Guengerich",), "2008", JOURNAL),
    ),
    "EndNote XML": (
        "endnote-xml",
        ENDNOTE_XML.encode(),
        RowWork("Cytochromes", (PETER, ANNA), "2008", JOURNAL, "21", "70"),
    ),
    "MARC 21": (
        "marc",
        make_marc(MARC_21),
        RowWork("Cytochromes: a review", (PETER, ANNA), "2008", "Chem. Res. Toxicol", "21", "70"),
    ),
    "UNIMARC": (
        "marc",
        make_marc(UNIMARC),
        RowWork("Cytochromes: a review", (PETER, ANNA), "2008", "Chem. Res. Toxicol", "vol. 21"),
    ),
    "MarcEdit": (
        "mrk",
        MRK.encode(),
        RowWork("Cytochromes: a review", ("The Group.", ANNA), "2008", "Chem. Res. Toxicol", "21", "70"),
    ),
    "MARCXML": (
        "marcxml",
        MARCXML.encode(),
        RowWork("Cytochromes", ("The Group",), "2008", "Chem. Res. Toxicol", "21", "70"),
    ),
}


@pytest.mark.parametrize(("kind", "data", "work"), DESCRIBED.values(), ids=DESCRIBED)
def test_a_record_says_what_can_be_compared(kind: str, data: bytes, work: RowWork) -> None:
    [record] = read(kind, data)
    assert record.work == work


@pytest.mark.parametrize(("kind", "data"), [each[:2] for each in DESCRIBED.values()], ids=DESCRIBED)
def test_only_the_doi_of_such_a_record_is_written(kind: str, data: bytes) -> None:
    [place] = read(kind, data)[0].places
    new = written(kind, data, {1: "10.5555/another"})
    assert [other.text for other in read(kind, new)[0].places] == ["10.5555/another"]
    assert written(kind, new, {1: place.text.rpartition("doi.org/")[2]}) == data.replace(b"https://doi.org/", b"")


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("12-34", "12"), ("12--34", "12"), ("pp. 12–34", "12"), ("S. 5-9", "5"), ("p 7", "7"), ("e1001", "e1001"),
        ("S12", "S12"), (" 7, 9", "7"), ("", ""), ("-", ""), ("--" * 5_000_000, ""),
    ],
)  # fmt: skip
def test_the_first_page_is_that_of_a_range(text: str, page: str) -> None:
    assert find_first_page(text) == page


def _make_ris(title: str, authors: list[str]) -> bytes:
    return f"TY  - JOUR\nTI  - {title}\n{''.join(f'AU  - {name}{chr(10)}' for name in authors)}ER  - \n".encode()


def _make_nbib(title: str, authors: list[str]) -> bytes:
    return f"PMID- 1\nTI  - {title}\n{''.join(f'FAU - {name}{chr(10)}' for name in authors)}".encode()


def _make_enw(title: str, authors: list[str]) -> bytes:
    return f"%0 Book\n%T {title}\n{''.join(f'%A {name}{chr(10)}' for name in authors)}".encode()


def _make_bibtex(title: str, authors: list[str]) -> bytes:
    return f"@book{{a, title = {{{title}}}, author = {{{' and '.join(authors)}}}}}\n".encode()


def _make_csl_json(title: str, authors: list[str]) -> bytes:
    work = {"type": "book", "DOI": "", "title": title, "author": [{"family": name} for name in authors]}
    return json.dumps([work], ensure_ascii=False).encode()


def _make_json(title: str, authors: list[str]) -> bytes:
    work = {"doi": "10.1000/1", "titles": [{"title": title}], "creators": [{"name": name} for name in authors]}
    return json.dumps({"data": [{"attributes": work}]}, ensure_ascii=False).encode()


def _make_endnote_xml(title: str, authors: list[str]) -> bytes:
    names = "".join(f"<author>{name}</author>" for name in authors)
    text = f"<titles><title>{title}</title></titles><contributors><authors>{names}</authors></contributors>"
    return f"<xml><records><record>{text}</record></records></xml>".encode()


def _make_marcxml(title: str, authors: list[str]) -> bytes:
    fields = [("245", title), *(("700", name) for name in authors)]
    inner = "".join(f'<datafield tag="{t}"><subfield code="a">{text}</subfield></datafield>' for t, text in fields)
    return f"<record>{inner}</record>".encode()


def _make_mrk(title: str, authors: list[str]) -> bytes:
    return f"=LDR  00000\n=245  10$a{title}\n{''.join(f'=700  1 $a{name}{chr(10)}' for name in authors)}".encode()


MADE: dict[str, Made] = {
    "ris": _make_ris,
    "nbib": _make_nbib,
    "enw": _make_enw,
    "bibtex": _make_bibtex,
    "csl-json": _make_csl_json,
    "json": _make_json,
    "endnote-xml": _make_endnote_xml,
    "marcxml": _make_marcxml,
    "mrk": _make_mrk,
}
MOST_SECONDS = 4  # of the processor


@pytest.mark.parametrize("kind", MADE)
def test_of_ten_thousand_authors_the_first_are_read(kind: str) -> None:
    data = MADE[kind]("A title", [f"Author{number}, A." for number in range(9_900)])
    began = time.process_time()
    [record] = read(kind, data)
    assert time.process_time() - began < MOST_SECONDS
    names = [name.rstrip(",") for name in record.work.authors]
    assert names == [*(f"Author{number}, A." for number in range(MAX_AUTHORS)), AND_OTHERS]


@pytest.mark.parametrize("kind", MADE)
@pytest.mark.parametrize(
    "unit", ["x", "x ", "ü", "\\\\'", "a and ", "{} "], ids=["x", "words", "ü", "TeX", "and", "{}"]
)
def test_a_title_and_a_name_of_megabytes_are_shortened(kind: str, unit: str) -> None:
    long = unit * (3_900_000 // len(unit.encode()))
    if "json" in kind and unit == "{} ":
        long = long[:200_000]  # else it has too many values
    data = MADE[kind](long, [long, "Doe, J."])
    began = time.process_time()
    [record] = read(kind, data)
    assert time.process_time() - began < MOST_SECONDS
    assert record.fault is None
    assert len(record.work.title) <= MAX_SHOWN_CHARACTERS
    assert len(record.work.authors) <= MAX_AUTHORS + 1
    assert all(len(name) <= MAX_SHOWN_CHARACTERS for name in record.work.authors)


def test_lines_of_megabytes_that_continue_a_title_are_shortened() -> None:
    lines = "\n".join(["TI  - A title", *["  more of it"] * 300_000, "  " + "x" * 3_000_000])
    [record] = read("ris", f"TY  - JOUR\n{lines}\nER  - \n".encode())
    assert record.work.title.startswith("A title more of it more of it")
    assert len(record.work.title) <= MAX_SHOWN_CHARACTERS


ODD_MEMBERS = [
    {"author": {"author": {"author": []}}, "title": {"title": {"title": {}}}},
    {"author": [[[[]]]], "editor": 7, "title": [[["T"]]], "volume": [], "page": None, "container-title": True},
    {"author": ["A", None, {}, {"creatorType": ["x"]}, {"family": {"a": 1}}], "issued": [[[]]], "source": []},
    {"creators": [{"creatorType": {}}] * 3, "titles": [{"titleType": "Subtitle"}] * 3, "subtitle": {"x": "y"}},
]


@pytest.mark.parametrize("members", ODD_MEMBERS)
@pytest.mark.parametrize("kind", ["json", "csl-json"])
def test_odd_members_break_nothing(kind: str, members: dict[str, object]) -> None:
    [record] = read(kind, json.dumps([{"DOI": "10.1000/1", **members}]).encode())
    assert record.fault is None
    assert len(record.places) == 1
