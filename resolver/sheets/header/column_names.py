"""Names of columns: those that mean DOIs or titles, and texts that name no column."""

import re
from collections.abc import Sequence

DATA = re.compile(r"(?<![\d.])10\.\d|://|\d{4}|\d[./]\d|[./]\d|\d/")
"""Figures and links, as records have and names don't."""
NAMES = (
    "doi", "dois", "doiname", "doinames", "doinumber", "doicode", "doi1", "digitalobjectidentifier", "articledoi",
    "dcidentifierdoi", "dctermsidentifierdoi", "identifierdoi", "prismdoi", "bibodoi", "doiurl", "doilink", "doiuri",
    "urldoi", "linkdoi", "do", "di",
)  # fmt: skip
"""Names that mean DOIs, without signs and in lower case, the surest first."""
TWO_LETTERS = frozenset({"do", "di"})
"""RIS and Web of Science tags: too short to believe without a DOI below."""
NOT_A_NAME = frozenset({"no", "not", "without", "http", "https", "org", "has", "is", "invalid"})
"""Words of entries, not of names."""
_LANGUAGE = re.compile(r"(?<=\S)\[(?:[a-z]{2,3}(?:[_-][a-z]{2,4})?)?\]\Z", re.IGNORECASE)  # dc.title[en_US], of DSpace
_REPOSITORY_FIELD = re.compile(r"(?:dc|dcterms|datacite|local)(?:\.[a-z0-9_-]{1,60}){1,2}", re.IGNORECASE)


def fold_name(name: str) -> str:
    """Return the letters and digits of the name, in lower case, without the language that repositories put there."""
    return re.sub(r"[\W_]+", "", _LANGUAGE.sub("", name).casefold())


def is_repository_field(name: str) -> bool:
    """Return whether the column is a field of a repository's metadata, such as `dc.identifier.uri[]`."""
    return bool(_REPOSITORY_FIELD.fullmatch(_LANGUAGE.sub("", name[:200])))


def split_words(name: str) -> set[str]:
    """Return the words of the name, in lower case."""
    return set(re.split(r"[\W_]+", name.casefold()))


TITLES = frozenset(
    fold_name(name)
    for name in """
    title titles articletitle titleofarticle documenttitle worktitle papertitle chaptertitle booktitle bookchaptertitle
    itemtitle publicationtitle recordtitle titleproper fulltitle maintitle dctitle dctermstitle bibtextitle ti t1 245a
    titel titelderpublikation artikeltitel werktitel buchtitel haupttitel aufsatztitel titeldesartikels
    titre titredelarticle titredudocument titrearticle título títulodelartículo títulodoartigo títulodeldocumento
    titulo títol titolo titolodellarticolo titolodelldocumento tytuł tytułartykułu název titul názevčlánku cím naslov
    tittel rubrik otsikko artikkelinotsikko pealkiri nosaukums pavadinimas titlu başlık makalebaşlığı τίτλος
    название заглавие названиестатьи назва назвастатті наслов
    标题 题名 篇名 论文题目 文章标题 標題 タイトル 論文タイトル 論文名 書名 제목 논문제목 논문명
    العنوان عنوان عنوانالمقال כותרת शीर्षक शीर्षक ชื่อเรื่อง tiêuđề judul judulartikel
    """.split()
)
"""Names of columns with the titles of works, without signs and in lower case."""


def find_title_column(names: Sequence[str]) -> int | None:
    """Return the index of the first column that is named for titles of works; None for none."""
    return next((index for index, name in enumerate(names) if fold_name(name) in TITLES), None)


def is_doi_column_name(name: str) -> bool:
    """Whether a column of this name is surely meant for DOIs."""
    plain = fold_name(name)
    return plain in NAMES and plain not in TWO_LETTERS


def rank_doi_name(name: str) -> int | None:
    """Return the index of a column name in NAMES, len(NAMES) for one that has the word DOI, or None."""
    if len(name) > 200:
        return None
    plain = fold_name(name)
    if plain in NAMES:
        return NAMES.index(plain)
    words = split_words(_LANGUAGE.sub("", name)) - {""}
    has_doi = not words.isdisjoint({"doi", "dois"}) and words.isdisjoint(NOT_A_NAME)
    return len(NAMES) if has_doi and len(words) <= 4 else None
