"""The comparison of a row with a record: sixty pairs, each with the verdict that a careful reader would give."""

import time
from typing import Any, NamedTuple

import pytest

from resolver.domain.work.comparison import compare_works
from resolver.domain.work.evidence import FieldStatus, WorkComparison, WorkReason, WorkVerdict
from resolver.domain.work.metadata import WorkMetadata, read_csl_item
from resolver.domain.work.row_work import RowWork


class PairOfWorks(NamedTuple):
    """`row`: title, authors, year, container; `record`: the same, then other members of its CSL-JSON."""

    verdict: str
    name: str
    row: tuple[str, ...]
    record: tuple[Any, ...]


def make_record(
    title: str, people: str = "", year: int | None = None, container: str = "", more: Any = None
) -> WorkMetadata:
    """Return a record whose `people` stand as "Family, Given; Family, Given"."""
    names = [person.partition(", ") for person in people.split("; ") if person]
    authors = [{"family": family, "given": given} if given else {"literal": family} for family, _, given in names]
    item = {"title": title, "author": authors, "container-title": container, **(more or {})}
    work = read_csl_item(item | ({"issued": {"date-parts": [[year]]}} if year else {}), "api.crossref.org")
    assert work
    return work


PAIRS = [
    PairOfWorks(
        "same",
        "Same words, other case",
        ("A field guide to the mosses of the north", "Miller, Anna", "2015"),
        ("A Field Guide to the Mosses of the North", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "same",
        "subtitle on one side",
        ("The reading habits of university students", "Okafor, Ben", "2018"),
        ("The reading habits of university students: A survey of six libraries", "Okafor, Ben", 2018),
    ),
    PairOfWorks(
        "look",
        "short title, subtitle on one side",
        ("Mosses", "Miller, Anna", "2015"),
        ("Mosses: A field guide", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "same",
        "British",
        ("Modelling the colour of behaviour", "Miller A", "2015"),
        ("Modeling the color of behavior", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "same",
        "typing error",
        ("Carbon storage in tropcial soils", "Miller A", "2015"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "look",
        "plural",
        ("Carbon storages in tropical soil", "Miller A", "2015"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "look",
        "stop word",
        ("Carbon storage of the tropical soils", "Miller A", "2015"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "look",
        "book more",
        ("Off-diagonal book Ramsey numbers", "Conlon, David", "2021"),
        ("Off-diagonal Ramsey numbers", "Conlon, David", 2021),
    ),
    PairOfWorks(
        "look",
        "content word",
        ("Carbon storage in boreal soils", "Miller A", "2015"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "look",
        "opposite",
        ("Symmetric keys for small devices", "Miller A", "2015"),
        ("Asymmetric keys for small devices", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "look",
        "absorption",
        ("Adsorption of lead on clay", "Miller A", "2015"),
        ("Absorption of lead on clay", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "different",
        "issue example",
        ("A quite different title", "Nobody", "1999"),
        ("DOI Handbook", "Paskin, Norman", 2010),
    ),
    PairOfWorks(
        "look", "title only other", ("A quite different title", "", ""), ("DOI Handbook", "Paskin, Norman", 2010)
    ),
    PairOfWorks(
        "look",
        "same title other authors",
        ("Carbon storage in tropical soils", "Sato, Ken", "2015"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "look",
        "other title same author",
        ("Birds of the western coast", "Miller, Anna", "2015"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2015),
    ),
    PairOfWorks(
        "look",
        "year far",
        ("Carbon storage in tropical soils", "Miller, Anna", "2019"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "same",
        "year near",
        ("Carbon storage in tropical soils", "Miller, Anna", "2017"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "same",
        "et al",
        ("Carbon storage in tropical soils", "Miller et al.", "2016"),
        ("Carbon storage in tropical soils", "Miller, Anna; Sato, Ken; Okafor, Ben", 2016),
    ),
    PairOfWorks(
        "same",
        "and others",
        ("Carbon storage in tropical soils", "Miller, Anna and others", "2016"),
        ("Carbon storage in tropical soils", "Miller, Anna; Sato, Ken; Okafor, Ben", 2016),
    ),
    PairOfWorks(
        "same",
        "initials glued",
        ("Carbon storage in tropical soils", "Miller A, Sato K, Okafor B", "2016"),
        ("Carbon storage in tropical soils", "Miller, Anna; Sato, Ken; Okafor, Ben", 2016),
    ),
    PairOfWorks(
        "same",
        "commas pairs",
        ("Carbon storage in tropical soils", "Miller, A., Sato, K., Okafor, B.", "2016"),
        ("Carbon storage in tropical soils", "Miller, Anna; Sato, Ken; Okafor, Ben", 2016),
    ),
    PairOfWorks(
        "same",
        "swapped order",
        ("Carbon storage in tropical soils", "Wei Zhang", "2016"),
        ("Carbon storage in tropical soils", "Wei, Zhang", 2016),
    ),
    PairOfWorks(
        "same",
        "umlaut ue",
        ("Die Wälder des Nordens und ihre Bewohner", "Mueller, Juergen", "2016"),
        ("Die Waelder des Nordens und ihre Bewohner", "Müller, Jürgen", 2016),
    ),
    PairOfWorks(
        "same",
        "ß",
        ("Straßen und Wege in der alten Stadt", "Groß, Eva", "2016"),
        ("Strassen und Wege in der alten Stadt", "Gross, Eva", 2016),
    ),
    PairOfWorks(
        "same",
        "ø",
        ("Havets rige og menneskets orden", "Sørensen, Ole", "2016"),
        ("Havets rige og menneskets orden", "Soerensen, Ole", 2016),
    ),
    PairOfWorks(
        "same",
        "particle",
        ("Birds of the western coast", "van der Berg, J.", "2016"),
        ("Birds of the western coast", "Berg, Jan van der", 2016),
    ),
    PairOfWorks(
        "same",
        "LaTeX",
        (r"{\"U}ber die {E}igenschaften von $\alpha$-{F}e", r"M{\"u}ller, J{\"u}rgen and Gr{\"o}{\ss}e, Eva", "2016"),
        ("Über die Eigenschaften von α-Fe", "Müller, Jürgen; Größe, Eva", 2016),
    ),
    PairOfWorks(
        "same",
        "LaTeX emph",
        (r"The genome of \textit{Escherichia coli} K-12", "Miller, A.", "2016"),
        ("The genome of <i>Escherichia coli</i> K‐12", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "same",
        "entities",
        ("Cats &amp; dogs in the city", "Miller, A.", "2016"),
        ("Cats and dogs in the city", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "same",
        "sub sup",
        ("CO2 uptake of old forests", "Miller, A.", "2016"),
        ("CO<sub>2</sub> uptake of old forests", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "same",
        "marc punct",
        ("Carbon storage in tropical soils /", "Miller, Anna,", "2016."),
        ("Carbon storage in tropical soils", "Miller, Anna", 2016),
    ),
    PairOfWorks("cannot-tell", "generic", ("Editorial", "", "2016"), ("Editorial", "Miller, Anna", 2016)),
    PairOfWorks(
        "cannot-tell", "generic other author", ("Editorial", "Sato, Ken", "2016"), ("Editorial", "Miller, Anna", 2016)
    ),
    PairOfWorks(
        "same", "generic confirmed", ("Editorial", "Miller, Anna", "2016"), ("Editorial", "Miller, Anna", 2016)
    ),
    PairOfWorks("cannot-tell", "generic de", ("Vorwort", "", "2016"), ("Vorwort", "Miller, Anna", 2016)),
    PairOfWorks("cannot-tell", "no title", ("", "Miller, Anna", "2016"), ("Editorial", "Miller, Anna", 2016)),
    PairOfWorks(
        "cannot-tell",
        "chapter of book",
        ("Mosses in cold waters", "Sato, Ken", "2016", "The handbook of mosses"),
        ("The Handbook of Mosses", "Miller, Anna", 2016, "", {"type": "book"}),
    ),
    PairOfWorks(
        "cannot-tell",
        "book for chapter",
        ("The handbook of mosses", "Miller, Anna", "2016"),
        ("Mosses in cold waters", "Sato, Ken", 2016, "The Handbook of Mosses", {"type": "book-chapter"}),
    ),
    PairOfWorks(
        "cannot-tell",
        "script",
        ("Carbon storage in tropical soils", "Yamada, Taro", "2016"),
        ("熱帯土壌における炭素貯留", "山田, 太郎", 2016),
    ),
    PairOfWorks(
        "cannot-tell", "cyrillic", ("Pochvy severa", "Ivanov, I.", "2016"), ("Почвы севера", "Иванов, И.", 2016)
    ),
    PairOfWorks("same", "cyrillic same", ("Почвы Севера", "Иванов И.", "2016"), ("Почвы севера", "Иванов, Иван", 2016)),
    PairOfWorks(
        "same",
        "cjk same",
        ("熱帯土壌における炭素貯留", "山田太郎", "2016"),
        ("熱帯土壌における炭素貯留", "山田, 太郎", 2016),
    ),
    PairOfWorks(
        "cannot-tell",
        "dataset version",
        ("Soil samples of the north, version 2", "Miller, Anna", "2016"),
        ("Soil samples of the north, version 1", "Miller, Anna", 2016, "", {"type": "dataset"}),
    ),
    PairOfWorks(
        "cannot-tell",
        "dataset of article",
        ("Soil samples of the far north", "Miller, Anna", "2016"),
        ("Data: Soil samples of the far north", "Miller, Anna", 2016, "", {"type": "dataset"}),
    ),
    PairOfWorks(
        "look",
        "data in article record",
        ("Soil samples of the far cold north", "Miller, Anna", "2016"),
        ("Soil samples of the far cold north (Dataset)", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "same",
        "preprint",
        ("Carbon storage in tropical soils", "Miller, Anna", "2019", "Soil Letters"),
        ("Carbon storage in tropical soils", "Miller, Anna", 2015, "bioRxiv", {"type": "posted-content"}),
    ),
    PairOfWorks(
        "same",
        "version rel",
        ("Carbon storage in tropical soils", "Miller, Anna", "2019", "Soil Letters"),
        (
            "Carbon storage in tropical soils",
            "Miller, Anna",
            2015,
            "Zenodo",
            {"relation": {"is-version-of": [{"id": "10.1/x"}]}},
        ),
    ),
    PairOfWorks(
        "look",
        "translation",
        ("Das Kapital der alten Zeit", "Miller, Anna", "2016"),
        ("The capital of old times", "Miller, Anna", 2016, "", {"relation": {"is-translation-of": [{"id": "x"}]}}),
    ),
    PairOfWorks(
        "same",
        "original title",
        ("Das Kapital der alten Zeit", "Miller, Anna", "2016"),
        ("The capital of old times", "Miller, Anna", 2016, "", {"original-title": ["Das Kapital der alten Zeit"]}),
    ),
    PairOfWorks(
        "same",
        "retracted",
        ("Carbon storage in tropical soils", "Miller, Anna", "2016"),
        ("RETRACTED ARTICLE: Carbon storage in tropical soils", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "look",
        "correction to",
        ("Carbon storage in tropical soils", "Miller, Anna", "2016"),
        ("Correction to: Carbon storage in tropical soils", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "look",
        "part",
        ("The trees of the old northern forests, part I", "Miller, Anna", "2016"),
        ("The trees of the old northern forests, part II", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "look",
        "review of",
        ("A history of the printed catalogue", "Sato, Ken", "2016"),
        ("Review of A history of the printed catalogue", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "look",
        "no registered authors",
        ("A history of the printed catalogue", "Sato, Ken", "2016"),
        ("A history of the printed catalogue", "", 2016),
    ),
    PairOfWorks(
        "same",
        "no row authors",
        ("A history of the printed catalogue", "", "2016"),
        ("A history of the printed catalogue", "Sato, Ken", 2016),
    ),
    PairOfWorks(
        "look",
        "half title shared, other author, same year",
        ("A history of the printed library catalogue", "Sato, Ken", "2016"),
        ("A history of the printed newspaper", "Miller, Anna", 2016),
    ),
    PairOfWorks(
        "different",
        "same but other year",
        ("A history of the printed library catalogue", "Sato, Ken", "2016"),
        ("A history of the printed newspaper", "Miller, Anna", 2001),
    ),
    PairOfWorks(
        "same",
        "org",
        ("Guidelines for safe water in cities", "World Health Organization", "2016"),
        ("Guidelines for safe water in cities", "World Health Organization", 2016),
    ),
    PairOfWorks(
        "same",
        "double surname",
        ("El mar y los barcos de la costa", "García, Luis", "2016"),
        ("El mar y los barcos de la costa", "García Márquez, Luis", 2016),
    ),
    PairOfWorks(
        "same",
        "numbers dblp",
        ("Carbon storage in tropical soils", "Spyros Angelopoulos", "2016"),
        ("Carbon storage in tropical soils", "0001, Spyros Angelopoulos", 2016),
    ),
    PairOfWorks(
        "same",
        "editor only",
        ("The handbook of mosses", "Miller, Anna (Ed.)", "2016"),
        ("The Handbook of Mosses", "", 2016, "", {"editor": [{"family": "Miller", "given": "Anna"}]}),
    ),
    PairOfWorks(
        "look",
        "editor twin",
        ("The handbook of moss", "Miller, Anna (Ed.)", "2016"),
        ("The Handbook of Mosses", "", 2016, "", {"editor": [{"family": "Miller", "given": "Anna"}]}),
    ),
    PairOfWorks(
        "same",
        "hyphen",
        ("Non-linear semi supervised learning on-line", "Jean Luc Picard", "2016"),
        ("Nonlinear Semi-Supervised Learning Online", "Picard, Jean-Luc", 2016),
    ),
]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair.name for pair in PAIRS])
def test_the_verdict_is_that_of_a_careful_reader(pair: PairOfWorks):
    assert compare(pair.row, *pair.record).verdict == pair.verdict


def compare(row: tuple[str, ...], *record: Any) -> WorkComparison:
    title, authors, year, container = (*row, "", "", "", "")[:4]
    return compare_works(RowWork(title, (authors,), year, container), make_record(*record))


REFERENCES = [
    ("same", "Miller A, Sato K. Carbon storage in tropical soils. Soil Letters. 2016;12:1-9. doi:10.1/x"),
    ("same", "MILLER, ANNA (2016): Carbon storage in tropical soils"),
    ("different", "Peters B. Birds of the western coast. 1999."),
    ("look", "Miller A. Birds of the western coast. 2016."),
    ("look", "Peters B. Carbon storage in tropical soils. 2016."),
    ("look", "Miller A. Carbon storage in tropical soils. 1989."),
    ("look", "Miller A. Carbon storage in boreal soils. 2016."),
    ("same", "Miller A, Sato K. Carbon storage in tropical soils. J Soil2016;12:1-9."),
    ("same", "Miller, A. (2016a). Carbon storage in tropical soils: A review. Soil Lett."),
    ("same", "Miller A 2016 Carbon storage in tropical soils 12 1-9"),
    ("same", "Miller A (2016) Carbon storage in tropcal soils. Soil Lett."),
    ("look", "Miller A (2016) Carbon storage in tropical soils of Java. Soil Lett."),
    ("look", "Miller A (2016) The history of carbon storage in tropical soils. Soil Lett."),
    ("look", "Miller A (2016) Carbon storage in tropical soils. Part 2. Soil Lett."),
    ("look", "Miller A (2016) Carbon storage in tropical soils: Reply. Soil Lett."),
]


@pytest.mark.parametrize(("verdict", "text"), REFERENCES)
def test_a_reference_in_one_cell_is_searched_for_title_surname_and_year(verdict: str, text: str):
    record = make_record("Carbon storage in tropical soils", "Miller, Anna; Sato, Ken", 2016)
    assert compare_works(RowWork(text=text), record).verdict == verdict


def test_the_journal_and_the_first_page_are_looked_for_behind_the_title():
    record = WorkMetadata(
        title="Carbon storage in soils", titles=("Carbon storage in soils",), containers=("Carbon", "Soil Letters"),
        first_page="117",
    )  # fmt: skip
    for text, container, page in (
        ("Miller A. Carbon storage in soils. Soil Lett. 2016;12:117–25", FieldStatus.VARIANT, FieldStatus.EQUAL),
        ("Miller A. Carbon storage in soils. Nature 2016;117:20-25", FieldStatus.DIFFERS, FieldStatus.EQUAL),
        ("Miller A. Carbon storage in soils. Nature 2016;12:1170-80", FieldStatus.DIFFERS, FieldStatus.DIFFERS),
    ):
        found = {field.name: field.status for field in compare_works(RowWork(text=text), record).fields}
        assert (found["container"], found["first_page"]) == (container, page)


def test_each_field_has_both_values_and_how_they_compare():
    found = compare(
        ("Colour of soil", "Miller A", "2015", "Soil Lett."), "Color of soil", "Miller, Anna", 2016, "Soil Letters"
    )
    assert [tuple(field) for field in found.fields] == [
        ("title", "Colour of soil", "Color of soil", FieldStatus.VARIANT),
        ("authors", "Miller A", "Miller, Anna", FieldStatus.EQUAL),
        ("year", "2015", "2016", FieldStatus.VARIANT),
        ("container", "Soil Lett.", "Soil Letters", FieldStatus.VARIANT),
    ]
    assert (found.verdict, found.reasons) == (WorkVerdict.SAME, ())


def test_the_reasons_name_what_differs_as_both_sides_write_it():
    found = compare(
        ("Off-diagonal book Ramsey numbers", "Conlon", "2021"), "Off-diagonal Ramsey numbers", "Conlon, D.", 2015
    )
    assert [(reason.code, str(reason.sentence)) for reason in found.reasons] == [
        (WorkReason.TITLE_DIFFERS, "The titles differ in: book."),
        (WorkReason.OTHER_YEAR, "2021 in your row, 2015 in the record."),
    ]


@pytest.mark.parametrize(
    ("row", "registered"),
    [
        ("Nucleic Acids Res.", "Nucleic Acids Research"),
        ("PNAS", "Proceedings of the National Academy of Sciences"),
        ("The Lancet", "Lancet"),
        ("Z. Phys.", "Zeitschrift für Physik"),
        ("J Bacteriol", "Journal of Bacteriology"),
        ("Proc. Amer. Math. Soc.", "Proceedings of the American Mathematical Society"),
        ("Proc Natl Acad Sci U S A", "Proceedings of the National Academy of Sciences"),
        ("Dtsch Med Wochenschr", "Deutsche Medizinische Wochenschrift"),
    ],
)
def test_an_abbreviated_journal_is_no_other_journal(row: str, registered: str):
    found = compare(("Carbon storage", "", "", row), "Carbon storage", "", None, registered)
    assert found.fields[3].status is not FieldStatus.DIFFERS


@pytest.mark.parametrize(
    ("row", "registered"),
    [("J. Chem. Phys.", "Journal of Physical Chemistry"), ("Proc.", "Proceedings of the IEEE"), ("Lancet", "Nature")],
)
def test_another_journal_is_another_journal(row: str, registered: str):
    found = compare(("Carbon storage", "", "", row), "Carbon storage", "", None, registered)
    assert found.fields[3].status is FieldStatus.DIFFERS


def test_one_field_alone_never_makes_another_work():
    title, people = ("A quite different title", "Carbon storage in tropical soils"), ("Sato, Ken", "Miller, Anna")
    for row in ((title[0],), (title[1], people[0]), (title[1], "", "1950"), (title[1], "", "", "Another Journal")):
        assert compare(row, title[1], people[1], 2016, "Soil Letters").verdict is not WorkVerdict.DIFFERENT


def test_a_record_without_a_title_can_not_be_compared():
    row = RowWork("Carbon storage")
    for record in (None, WorkMetadata(first_author="Miller, Anna")):
        found = compare_works(row, record)
        assert (found.verdict, found.reasons[0].code) == (WorkVerdict.CANNOT_TELL, WorkReason.NO_METADATA)


@pytest.mark.parametrize(
    "text",
    ["a" * 100_000, "a, " * 50_000, "(" * 50_000, "{" * 50_000 + "\\" * 50_000, "et al. " * 20_000, ": " * 50_000],
)
def test_hostile_texts_cost_little(text: str):
    record = make_record(text, "; ".join(["Miller, Anna"] * 5000), 2016, text)
    started = time.process_time()
    compare_works(RowWork(text, (text,) * 3, text, text), record)
    compare_works(RowWork(text=text), record)
    assert time.process_time() - started < 1
