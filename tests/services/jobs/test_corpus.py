"""The corpus from upload to results, at a proxy where exactly the right names exist, and at one where others do too."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from doi_reading import fold
from doi_reading.name import is_short_doi
from doi_reading.text.homoglyphs import replace_homoglyphs
from resolver.proxy.limits import FileBudget
from resolver.proxy.proxy_config import ProxyConfig
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.result_files.result_row import ResultRow
from resolver.services.results.export import iterate_results
from tests.doi_reading.corpus import AS_IT_IS, DAMAGED, NO_DOI, Case, as_csv, cases, table
from tests.services.conftest import make_job, run
from tests.services.registered_names import behind, sample_proxy_where
from tests.sheets.result_tables import as_object

# One process runs them all: what they look at is made once in it.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("corpus at a proxy")]

SHARE = 0.95

Checked = tuple[Case, ResultRow]

# Names that do exist beside a right one, and that a reader who cuts too much or too little would end at. Not those cut
# at a #: in a URL they are what the text means (E7), and one that resolves gets no suggestion.
NEIGHBOURS = [
    (r"(10\.\d+/(?:b|B)?97[89][-0-9]{10,14}[0-9xX])[-_.].+", r"\1"),  # the book of a chapter
    (r"(10\.1093/\w+/97[89]\d{10})\..+", r"\1.001.0001"),  # the work that an Oxford entry stands in
    (r"(10\.1093/\w+/97[89]\d{10})\..+", r"\1"),
    (r"(10\.1371/journal\.p\w+)\..+", r"\1"),  # the journal
    (r"(10\.1371/journal\.p\w+\.\d+)\.[sgt]\d+", r"\1"),  # the work of a figure, a table, a supplement
    (r"(.+)\.[sgt]\d{3}", r"\1"),
    (r"(10\.1002/)(?:\(SICI\))?(\d{4}-\d{3}[0-9xX])\(.+", r"\1(ISSN)\2"),  # the journal of a SICI
    (r"([^(]+/[^(]+)\(.+", r"\1"),  # cut at a bracket
    (r"([^<]+)<.+", r"\1"),  # cut at <
    (r"([^\[]+/[^\[]+)\[.+", r"\1"),  # cut at [
    (r"(10\.[0-9.]+/.+)/[^/]+", r"\1"),  # the name one step up
    (r"(10\.(?:6084|1101|31234|26434|20944|21203|48550)/.+?)[./]?v\d+", r"\1"),  # the preprint without its version
    (r"(10\.6084/m9\.figshare\.\d+)", r"\1.v1"),  # its versions
    (r"(10\.(?:31234|26434|20944|48550)/\S+?)(?:[./]?v\d+)?", r"\1.v1"),
    (r"(10\.21203/rs\.3\.rs-\d+)(?:/v\d+)?", r"\1/v2"),
    (r"(10\.1002/14651858\.CD\d+)(?:\.pub\d+)?", r"\1"),  # a review before its update
    (r"(10\.1002/14651858\.CD\d+)(?:\.pub\d+)?", r"\1.pub2"),
    (r"(10\.\d+/.*?\d{2,})[.,;:)]+", r"\1"),  # without the full stop that belongs
]


def beside(name: str) -> set[str]:
    """The neighbours of one name."""
    matches = [(re.fullmatch(pattern, name, re.IGNORECASE), template) for pattern, template in NEIGHBOURS]
    return {match.expand(template) for match, template in matches if match}


def is_stated(name: str, text: str) -> bool:
    """Whether the text itself ends the name there: then it means just that name, and resolves as given."""
    return re.search(re.escape(fold(name)) + r"""(?:$|[]\s"'])""", fold(text)) is not None


@cache
def neighbours() -> frozenset[str]:
    """The neighbours of all names of the corpus, less what is itself a right name or is stated in a cell."""
    found, without = set(), {fold(case.expected) for case in cases()}
    for case in cases():
        for name in beside(case.expected):
            found.add(name)
            if is_stated(name, case.input):
                without.add(fold(name))
    return frozenset(name for name in found if fold(name) not in without)


def target(case: Case) -> str:
    """The name that must be found at the proxy."""
    return behind(case.expected) if is_short_doi(case.expected) else case.expected


@contextmanager
def proxy_where(names: Iterable[str]) -> Iterator[DoiProxy]:
    """A sample proxy in which just these names exist."""
    with TemporaryDirectory() as folder, sample_proxy_where(names) as standin:
        config = ProxyConfig(standin.url, "doiportal-tests", backoff=0.01, concurrency=16, rate=100_000)
        yield DoiProxy(config, FileBudget(Path(folder, "budget"), 16, 100_000))


def run_at(names: Iterable[str], *groups: str) -> list[Checked]:
    """These groups of the corpus as one job at a sample proxy in which just these names exist."""
    corpus = [case for case in cases() if case.group in groups]
    with proxy_where(names) as proxy:
        rows = list(iterate_results(run(make_job(as_csv(case.input for case in corpus), proxy, column="doi"), proxy)))
    assert [row.input for row in rows] == [case.input for case in corpus]
    return list(zip(corpus, rows, strict=True))


@cache
def checked(with_neighbours: bool) -> list[Checked]:
    """The names of the corpus where the right ones exist. Run once for all tests of this file: nothing of it is changed
    later."""
    return run_at(right_names() | neighbours() if with_neighbours else right_names(), DAMAGED, AS_IT_IS)


def right_names() -> set[str]:
    return {case.expected for case in cases() if case.expected}


@cache
def checked_beside() -> list[Checked]:
    """The damaged texts at a proxy that knows the neighbours alone: four in five names that do not exist look like
    others."""
    return run_at(neighbours(), DAMAGED)


in_both_worlds = pytest.mark.parametrize(
    "with_neighbours",
    [pytest.param(False, id="alone", marks=pytest.mark.slow), pytest.param(True, id="among neighbours that exist too")],
)


def of_group(group: str, *, with_neighbours: bool) -> list[Checked]:
    return [(case, row) for case, row in checked(with_neighbours) if case.group == group]


def get_suggestion(row: ResultRow) -> str:
    return as_object(row)["suggestion"] or ""


def is_found(case: Case, row: ResultRow) -> bool:
    resolved = row.outcome == "resolved" and fold(row.doi) == fold(target(case))
    return resolved or fold(get_suggestion(row)) == fold(target(case))


def is_wrong(case: Case, row: ResultRow) -> bool:
    """Whether the row presents another name than the right one as right: resolved, or suggested."""
    presented = [get_suggestion(row)] if get_suggestion(row) else []
    if row.outcome not in ("invalid", "not-found"):
        presented.append(row.doi)
    return any(fold(name) != fold(target(case)) for name in presented)


def told(rows: Iterable[Checked]) -> list[str]:
    return [f"{c.kind}: {c.input!r} -> {r.doi!r} {r.outcome} {get_suggestion(r)!r} not {c.expected!r}" for c, r in rows]


@in_both_worlds
def test_of_damaged_rows_the_right_name_is_found_in_95_percent(with_neighbours: bool) -> None:
    met = [(case, is_found(case, row)) for case, row in of_group(DAMAGED, with_neighbours=with_neighbours)]
    assert sum(found for _, found in met) >= SHARE * len(met), table(met)


@in_both_worlds
def test_no_damaged_row_presents_a_wrong_name_as_right(with_neighbours: bool) -> None:
    assert (
        told((case, row) for case, row in of_group(DAMAGED, with_neighbours=with_neighbours) if is_wrong(case, row))
        == []
    )


@in_both_worlds
def test_registered_odd_names_resolve_and_get_no_suggestion(with_neighbours: bool) -> None:
    rows = of_group(AS_IT_IS, with_neighbours=with_neighbours)
    assert told((c, r) for c, r in rows if (r.outcome, get_suggestion(r)) != ("resolved", "")) == []


def test_rows_in_which_nothing_is_a_doi_are_invalid_and_get_no_suggestion() -> None:
    rows = run_at(right_names(), NO_DOI)
    assert told((c, r) for c, r in rows if (r.outcome, get_suggestion(r)) != ("invalid", "")) == []


def test_hundreds_of_wrong_names_exist_beside_the_right_ones() -> None:
    assert len(neighbours()) >= 300


def test_where_the_right_name_is_not_registered_no_neighbour_is_suggested_for_it() -> None:
    """Of the texts whose damage hides the right name; those that end at the neighbour themselves mean it (E7, E18)."""
    damaged = [(case, row) for case, row in checked_beside() if get_suggestion(row)]
    wrong = [(case, row) for case, row in damaged if not is_stated(get_suggestion(row), replace_homoglyphs(case.input))]
    assert told(wrong) == []
