"""The columns that describe the work of a row: named by a program, chosen by a person, or proposed by their names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from doi_reading import Message
from resolver.domain.work.row_work import RowWork, is_reference
from resolver.sheets.errors import NeedsChoice
from resolver.sheets.header.column_names import TITLES, fold_name
from resolver.sheets.input.header_and_column import build_no_such_column_error
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.named_column import find_named_column
from resolver.sheets.input.place_rows import describe_row_work

WORK_FIELDS = ("title", "author", "year", "container")
"""What a column may say of a work, as choices and settings name it."""
LONGEST_TEXT = 1000  # characters of a cell that are compared: longer ones are abstracts

_TITLES_OF_THE_WHOLE = frozenset("publicationtitle booktitle recordtitle buchtitel 書名".split())
"""Titles of the work if there is no plainer column, else of the journal or book in which it is."""
_AUTHORS = frozenset(
    fold_name(name)
    for name in """
    author authors authorname authornames authorsname firstauthor authorfullnames authorsfullnames creator creators
    editor editors firsteditor authoreditor authorseditors 100a 700a 100
    mainentry dccreator dccontributor dccontributorauthor dccontributoreditor dctermscreator bibtexauthor
    autor autoren autorin autorinnen verfasser verfasserin verfasserinnen autorenname urheber herausgeber hrsg
    auteur auteurs nomdelauteur créateur autores autora autoras autoría autorprincipal creador responsable
    autore autori forfatter författare tekijä tekijät autorzy автор авторы 作者 著者 저자
    """.split()
)
_YEARS = frozenset(
    fold_name(name)
    for name in """
    year years pubyear publicationyear yearofpublication publishedyear yearpublished pubdate publicationdate
    dateofpublication datepublished issued dateissued coverdate 264c 260c copyrightyear
    datemonographpublishedprint datemonographpublishedonline dcdate dcdateissued dctermsissued bibtexyear
    jahr erscheinungsjahr publikationsjahr veröffentlichungsjahr erscheinungsdatum veröffentlichungsdatum
    année anneedepublication annéedepublication datedepublication datedeparution
    año ano añodepublicación fechadepublicación anno annodipubblicazione datadipubblicazione år rok год 年 年份
    出版年 발행연도
    """.split()
)
_CONTAINERS = frozenset(
    fold_name(name)
    for name in """
    container containertitle journal journals journaltitle journalname nameofjournal sourcetitle sourcename
    publicationname periodical periodicaltitle seriestitle hosttitle hostitem ispartof 773t 773
    dcsource dcrelationispartof dcrelationjournal dcrelationispartofseries dctermsispartof dctermsispartofseries
    prismpublicationname bibtexjournal journalorbook journalbook
    zeitschrift zeitschriften zeitschriftentitel zeitschriftenname titelderzeitschrift zeitschriftbuch
    enthaltenin erschienenin
    revue titredelarevue titredurevue nomdelarevue périodique titredupériodique
    revista títulodelarevista nombredelarevista publicadoen
    rivista titolodellarivista tidskrift tidsskrift lehti czasopismo журнал 期刊 刊名 雑誌名 학술지명
    """.split()
)
_TAGS = {"title": ("ti", "t1"), "author": ("au", "a1"), "year": ("py", "y1"), "container": ("so", "t2", "jo")}
"""Tags of RIS and Web of Science: too short to believe, unless titles and authors have theirs."""
_SETS: Mapping[str, Sequence[frozenset[str]]] = {
    "title": (TITLES - _TITLES_OF_THE_WHOLE, _TITLES_OF_THE_WHOLE),
    "author": (_AUTHORS,),
    "year": (_YEARS,),
    "container": (_CONTAINERS, _TITLES_OF_THE_WHOLE),
}


def propose_work_columns(layout: Layout) -> dict[str, int]:
    """Return the index of the column for each of WORK_FIELDS that the names in the header tell; none without a header,
    and for a bibliographic file, which has its own fields."""
    if layout.is_bibliographic or not layout.has_header:
        return {}
    names = [fold_name(name[:200]) for name in layout.header]
    taken = {*layout.read_columns, layout.expected}
    found: dict[str, int] = {}
    is_tagged = all(not set(_TAGS[field]).isdisjoint(names) for field in ("title", "author"))
    for field, named in _SETS.items():
        sets = (*named, frozenset(_TAGS[field])) if is_tagged else named
        places = (place for known in sets for place, name in enumerate(names) if name in known and place not in taken)
        if (place := next(places, None)) is not None:
            found[field] = place
            taken.add(place)
    return found


def can_compare_works(layout: Layout, rows: Iterable[Sequence[str]]) -> bool:
    """Return whether the rows may say something of their works: there is a column beside that of the DOIs, or one of
    these first rows is a whole reference."""
    return layout.is_bibliographic or layout.width > 1 or any(is_reference(str(layout.get_cell(row))) for row in rows)


@dataclass(frozen=True, slots=True)
class WorkChoice:
    """What is done with the works of a list: whether they are compared, and whether they are searched for where a row
    has no right DOI."""

    compare: bool = False
    search: bool = False

    def __bool__(self) -> bool:
        return self.compare or self.search


NO_WORKS, COMPARED = WorkChoice(), WorkChoice(compare=True)


def choose_work_columns(layout: Layout, columns: Mapping[str, int], choice: WorkChoice = COMPARED) -> Layout:
    """Return the layout of a list that compares works or searches for them, with these columns. Raises NeedsChoice,
    about `FIELD_column`, for a column that the file doesn't have, that has the DOIs, or that is chosen twice."""
    for field, column in columns.items():
        if layout.is_bibliographic:
            reason = Message("A bibliographic file has fields of its own for this. Leave this setting empty.")
            raise NeedsChoice(f"{field}_column", reason)
        if column >= layout.width:
            raise build_no_such_column_error(f"{field}_column", column, layout.width)
        if column in layout.read_columns:
            reason = Message("This column has the DOIs. Choose another one, or none.")
            raise NeedsChoice(f"{field}_column", reason)
        if any(column == other for name, other in columns.items() if name != field):
            reason = Message("This column is chosen twice. Choose another one, or none.")
            raise NeedsChoice(f"{field}_column", reason)
    layout = layout.with_all_records() if choice.search else layout
    return replace(layout, compare=choice.compare, search=choice.search, work_columns=dict(columns))


def name_work_columns(layout: Layout, names: Mapping[str, str], choice: WorkChoice = COMPARED) -> Layout:
    """Return the layout of a list that compares works or searches for them. A field without a name has the proposed
    column. Raises NeedsChoice as `choose_work_columns`, and for a name that no column or several columns have."""
    columns = {
        field: find_named_column(layout, name, f"{field}_column")
        for field, name in names.items()
        if name and not layout.is_bibliographic
    }
    for field, column in propose_work_columns(layout).items():
        if field not in columns and column not in columns.values():
            columns[field] = column
    if layout.is_bibliographic and (given := next((field for field, name in names.items() if name), "")):
        return choose_work_columns(layout, {given: 0}, choice)
    return choose_work_columns(layout, columns, choice)


def find_row_work(layout: Layout, cells: Sequence[Any]) -> RowWork:
    """Return what a row says of its work. A row without a title that has more than a DOI in its cell may be a whole
    reference. `cells` are texts."""
    if layout.is_bibliographic:
        return describe_row_work(cells)
    found = {
        field: str(cells[place])[:LONGEST_TEXT].strip() if place < len(cells) else ""
        for field, place in layout.work_columns.items()
    }
    title, author = found.get("title", ""), found.get("author", "")
    cell = "" if title else str(layout.get_cell(cells))
    text = cell if is_reference(cell) else ""
    return RowWork(title, (author,) if author else (), found.get("year", ""), found.get("container", ""), text=text)
