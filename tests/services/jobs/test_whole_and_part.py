"""A list at the stand-in: no part of a name stands for the whole, and of two registered readings none is certain."""

import pytest

from doi_reading import fold
from resolver.domain.report.correction import find_row_correction
from resolver.models import Row
from tests.doi_reading.corpus import as_csv
from tests.services.conftest import make_job, run
from tests.services.jobs.test_corpus import proxy_where

pytestmark = [pytest.mark.django_db(transaction=True)]

FAMILIES = [
    ("10.1007/978-3-031-{:05d}-4", "_12"),
    ("10.1017/9781108{:06d}", ".012"),
    ("10.4324/9781003{:06d}", "-12"),
    ("10.1093/oso/9780198{:06d}", ".003.0012"),
    ("10.7717/peerj.{:05d}", "/fig-8"),
    ("10.5040/9781350{:06d}", ".ch-012"),
]
GOES_ON = [
    "{0}<br />\n{1}", "{0}<br/>{1}", "{0}</span>{1}", "{0}<span>{1}</span>", '{0}<span class="x">{1}</span>',
    "{0}<span>{1}", "{0}</p><p>{1}", "<td>{0}</td><td>{1}</td>", '<a href="https://doi.org/{0}">{0}</a>{1}',
    "{0}&lt;br /&gt;{1}", "{0}<!-- -->{1}", "{0}\n{1}", "{0}\u2028{1}", "{0}\u2026{1}", "{0}...{1}",
    "{0} \u2026 {1}", "{0}\\n{1}", "{0}_x000D_\n{1}", "{0}=\n{1}", "{0};{1}", "{0},{1}", "{0}|{1}", "{0} | {1}",
    "{0}#{1}", '{0}">{1}', "{0}<sup>{1}</sup>", "{0}</xref>{1}", "see {0}<br />{1} there",
    "https://doi.org/{0}<br />\n{1}", "doi:{0}<br>{1}", "(https://doi.org/{0}</span>{1})",
]  # fmt: skip
CUT = [
    "{0}_", "{0}-", "{0}_.", "{0}-)", "{0}_\n", "{0}_<br />", "https://doi.org/{0}_", "doi:{0}-", "({0}_)",
    "{0}\u2026", "{0}...", "{0}_\u2026", "{0}\u2010", "{0}%5F", "{0}&#95;", "{0}\\_", "{0}<sub>12</sub>",
    "{0}\u2081\u2082", "{0}<br>12", "{0}- the book", "{0} -", "{0} _", "{0}\u2014",
    "{0}\u2025", "{0}\\textunderscore{{}}",
]  # fmt: skip
WHOLE = [
    "{0}.", "{0},", "({0})", "{0}<sup>12</sup>", "{0}<sup>[12]</sup>", "{0}\xb9\xb2", "{0}\xb9,\xb2",
    "{0} <sup>12</sup>", "https://doi.org/{0}<sup>12</sup>", "{0}<br />", "{0}</span>", "{0}<br />Springer, 2021",
    "{0} ch. 12", "{0}, p. 12", "_{0}_", "{0}^12^", "{0}\u207d\u00b9\u207e",
]  # fmt: skip


def checked(texts: list[str], registered: set[str]) -> list[Row]:
    with proxy_where(registered) as proxy:
        job = run(make_job(as_csv(texts), proxy, column="doi"), proxy)
    return list(Row.objects.filter(job=job).order_by("line"))


def certain(row: Row) -> str:
    return find_row_correction(row).doi


def build(patterns: list[str]) -> list[tuple[str, str, str]]:
    """Each text, its book and its chapter; each book stands in one text."""
    kinds = [(pattern, *family) for pattern in patterns for family in FAMILIES]
    made = []
    for number, (pattern, book, rest) in enumerate(kinds, 10_000):
        name = book.format(number)
        made.append((pattern.format(name, rest), name, name + rest))
    return made


@pytest.mark.parametrize("with_chapter", [True, False])
def test_where_a_text_goes_on_or_is_cut_the_book_is_never_certain(with_chapter: bool) -> None:
    made = build(GOES_ON + CUT)
    registered = {book for _, book, _ in made} | ({chapter for *_, chapter in made} if with_chapter else set())
    rows = checked([text for text, *_ in made], registered)
    for row, (_, book, chapter) in zip(rows, made, strict=True):
        assert certain(row) in ("", chapter), row.input
        assert row.doubtful or row.suggestion in ("", chapter), row.input
        assert fold(row.suggestion) in ("", fold(book), fold(chapter)), row.input


def test_the_registered_whole_is_found_where_the_text_goes_on() -> None:
    made = [one for one in build(GOES_ON) if "\u2026" not in one[0] and "..." not in one[0]]
    rows = checked([text for text, *_ in made], {name for _, *names in made for name in names})
    lost = [
        row.input
        for row, (*_, chapter) in zip(rows, made, strict=True)
        if chapter not in (row.suggestion, *row.also_registered)
    ]
    assert len(lost) <= len(made) / 20, lost


def test_a_registered_whole_alone_is_suggested() -> None:
    made = [
        one
        for one in build(["{0}<br />\n{1}", "{0}</span>{1}", "{0}<span>{1}</span>", "{0}<sub>12</sub>"])
        if "<sub>" not in one[0] or "_" in one[2]
    ]
    rows = checked([text for text, *_ in made], {chapter for *_, chapter in made})
    assert [certain(row) for row in rows] == [chapter for *_, chapter in made]


def test_a_whole_registered_name_is_certain_before_a_footnote_mark_and_other_text() -> None:
    made = build(WHOLE)
    rows = checked([text for text, *_ in made], {name for _, *names in made for name in names})
    assert [(row.input, certain(row)) for row in rows] == [(text, book) for text, book, _ in made]


RIVALS = [
    ("10.60001/neuro-\n4164", "10.60001/neuro4164", "10.60001/neuro-4164"),
    ("10.60001/q4714?559", "10.60001/q4714-559", "10.60001/q4714559"),
    ("10.60001/s1327\u00ad77", "10.60001/s132777", "10.60001/s1327-77"),
    ("10.60001/neuro- 1717", "10.60001/neuro1717", "10.60001/neuro-1717"),
    ("10.1007/978-3-642-28424-1__2.", "10.1007/978-3-642-28424-1_2", "10.1007/978-3-642-28424-1__2"),
    ("10.60001/q7068?559", "10.60001/q7068.559", "10.60001/q7068-559"),
    ("10.60001/q7150\ufffd559", "10.60001/q7150_559", "10.60001/q7150-559"),
    ("doi:10.60001/ab4430. 2020", "10.60001/ab4430", "10.60001/ab4430.2020"),
    ("10.60001/H2863<sub>2</sub>O", "10.60001/H28632O", "10.60001/H2863"),
    ("10.60001/p7069?559", "10.60001/p7069.559", "10.60001/p7069_559"),
    ("10.60001/p7070\ufffd559", "10.60001/p7070559", "10.60001/p7070.559"),
    ("https://doi.org/10.60001/p7072?559", "10.60001/p7072.559", "10.60001/p7072-559"),
    ("https://doi.org/10.60001/p7073?559", "10.60001/p7073", "10.60001/p7073-559"),
    ("10.60001/p1?2?3", "10.60001/p1.2.3", "10.60001/p1-2-3"),
    ("see 10.60001/neuro-\n4165 for", "10.60001/neuro4165", "10.60001/neuro-4165"),
    ("https://doi.org/10.60001/ab4433. 2020", "10.60001/ab4433", "10.60001/ab4433.2020"),
    ("10.60001/ab4435.\n2020", "10.60001/ab4435", "10.60001/ab4435.2020"),
    ("10.60001/ab4437-\r\n20", "10.60001/ab4437", "10.60001/ab4437-20"),
    ("10.60001/x15&shy;34", "10.60001/x1534", "10.60001/x15-34"),
    ("10.60001/y24 .34", "10.60001/y24", "10.60001/y24.34"),
    ("10.60001/9780001<i></i>_028", "10.60001/9780001", "10.60001/9780001_028"),
    ("10.60001/9780002</b>.ch-089", "10.60001/9780002", "10.60001/9780002.ch-089"),
    ("10.60001/9780003[...].ch080", "10.60001/9780003", "10.60001/9780003.ch080"),
    ("10.60001/9780004[\u2026]_12", "10.60001/9780004", "10.60001/9780004_12"),
    ("10.60001/9780005\u200b _72", "10.60001/9780005", "10.60001/9780005_72"),
    ("10.60001/9780006\u2060\n.072", "10.60001/9780006", "10.60001/9780006.072"),
    ("https://doi.org/10.60001/9780007%20.ch41", "10.60001/9780007", "10.60001/9780007.ch41"),
    ("https://doi.org/10.60001/9780008%0A_4", "10.60001/9780008", "10.60001/9780008_4"),
    ("https://doi.org/10.60001/nar-%2026148", "10.60001/nar26148", "10.60001/nar-26148"),
    ("doi:10.60001/nar-%0D%0A26149", "10.60001/nar26149", "10.60001/nar-26149"),
]


def test_of_two_registered_readings_none_is_certain_and_both_are_shown() -> None:
    rows = checked([text for text, *_ in RIVALS], {name for _, *names in RIVALS for name in names})
    for row, (_, *names) in zip(rows, RIVALS, strict=True):
        shown = {row.suggestion, *row.also_registered, row.doi if row.outcome == "resolved" else ""}
        assert row.correction == "review", row.input
        assert set(names) <= shown, row.input
        assert row.doubtful or not row.suggestion, row.input


@pytest.mark.parametrize("left", [1, 2])
def test_without_a_rival_a_reading_is_certain_again(left: int) -> None:
    both = [
        (text, names[left - 1])
        for text, *names in RIVALS
        if not text.startswith(("doi:", "https:")) and "<" not in text
    ]
    both = [(text, name) for text, name in both if len(name) >= len(text.split()[0].rstrip(".")) - 1]
    rows = checked([text for text, _ in both], {name for _, name in both})
    assert {row.correction for row in rows} <= {"suggested", "review"}
    assert all(certain(row) in ("", name) for row, (_, name) in zip(rows, both, strict=True))
