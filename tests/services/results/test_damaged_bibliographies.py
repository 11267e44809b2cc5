"""Damaged DOI fields of bibliographies, checked and written back to the last one."""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import pytest

from resolver.models import Job
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.results.original_file import iterate_original
from resolver.sheets.left_out import LeftOut
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import make_job, run
from tests.services.registered_names import sample_proxy_where
from tests.services.results.damaged_bibliographies import (
    DAMAGE,
    REGISTERED,
    WRITERS,
    MadeField,
    Reference,
    make_references,
    write_bibtex,
    write_ris,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def registry() -> Iterator[SampleProxyServer]:
    with sample_proxy_where(REGISTERED) as server:
        yield server


@pytest.fixture
def proxy(proxy_at: Callable[..., DoiProxy], registry: SampleProxyServer) -> DoiProxy:
    return proxy_at(registry.url)


def pick_text(field: MadeField) -> str:
    return field.text


def pick_whole(field: MadeField) -> str:
    return field.whole


def take_kinds(count: int) -> list[str]:
    return list(itertools.islice(itertools.cycle(DAMAGE), count))


def correct(job: Job) -> tuple[bytes, list[LeftOut]]:
    left: list[LeftOut] = []
    return b"".join(iterate_original(job, "suggested", left.append)), left


def count_corrections(job: Job, references: list[Reference]) -> Counter[tuple[bool, str]]:
    """The corrections of the DOI fields, each with whether the field was damaged."""
    damaged = {each.doi.text.strip(" ") for each in references if each.doi.kind}
    fields = job.rows.exclude(input__startswith="https://publisher.example.org/doi/abs/")
    return Counter((row.input in damaged, row.correction) for row in fields)


@pytest.mark.parametrize(
    ("count", "damaged", "links", "write", "name"),
    [(400, 32, 67, write_bibtex, "thesis.bib"), (300, 17, 207, write_ris, "endnote.ris")],
    ids=["thesis.bib", "endnote.ris"],
)
def test_no_damaged_field_of_a_bibliography_stays_dirty(
    proxy: DoiProxy,
    count: int,
    damaged: int,
    links: int,
    write: Callable[[Sequence[Reference], Callable[[MadeField], str]], bytes],
    name: str,
) -> None:
    references = make_references(count, take_kinds(damaged), links=links)
    job = run(make_job(write(references, pick_text), proxy, filename=name), proxy)
    new, left = correct(job)
    assert new == write(references, pick_whole)
    assert left == []
    assert job.total == count + links
    assert set(count_corrections(job, references)) <= {(True, "cleaned"), (True, "suggested"), (False, "unchanged")}


@pytest.mark.parametrize("kind", WRITERS)
def test_each_kind_of_damage_is_corrected_in_each_format(proxy: DoiProxy, kind: str) -> None:
    references = make_references(2 * len(DAMAGE), take_kinds(len(DAMAGE)), links=len(DAMAGE))
    write = WRITERS[kind]
    job = run(make_job(write(references, pick_text), proxy, filename="list"), proxy)
    assert job.layout["kind"] == kind
    new, left = correct(job)
    assert [(one.text, one.reason) for one in left] == []
    assert new == write(references, pick_whole)


NAME = "10.1038/nphys1170"


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize(
    "shape", ["TY  - JOUR\nUR  - {}\nER  - \n", "@misc{{a,\n url = {{{}}}\n}}\n"], ids=["RIS", "BibTeX"]
)
def test_a_link_field_is_corrected_or_listed_with_a_reason_unless_it_has_a_link_to_a_publisher(
    proxy: DoiProxy, damage: Callable[[str], str], shape: str
) -> None:
    text = damage(NAME)
    job = run(make_job(shape.format(text), proxy, filename="list"), proxy)
    new, left = correct(job)
    plain = [shape.format(form).encode() for form in (NAME, f"https://doi.org/{NAME}", f"doi:{NAME}", f"DOI: {NAME}")]
    is_publisher = damage is DAMAGE["publisher's page"]
    assert [one.text for one in left] == ([] if new in plain or is_publisher else [text.strip(" ")])
    assert all(str(one.reason) for one in left)
    assert new in plain or new == shape.format(text).encode()


LINKS = (
    f"https://www.sciencedirect.com/science/article/doi/{NAME}",
    f"https://www.nature.com/articles/{NAME}",
    f"https://onlinelibrary.wiley.com/doi/full/{NAME}",
    f"https://www.tandfonline.com/doi/abs/{NAME}?src=recsys",
    f"https://dl.acm.org/doi/pdf/{NAME}?casa_token=abc",
    f"https://link.springer.com/article/{NAME}/fulltext.html",
    f"https://link.springer.com/content/pdf/{NAME.replace('/', '%2F')}.pdf",
    f"https://www.jstor.org/stable/{NAME}?seq=1#metadata_info_tab_contents",
    f"https://journals.example.org/article?id={NAME}",
    f"http://pubs.example.com/doi/{NAME}#abstract",
    "https://onlinelibrary.wiley.com/doi/abs/10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
)
FIELDS = {
    "RIS": "TY  - JOUR\nDO  - 10.1038/nphys1170\nUR  - {}\nER  - \n",
    "BibTeX": "@misc{{a, doi = {{10.1038/nphys1170}}, url = {{{}}}}}\n",
    "CSL-JSON": '[{{"id": "a", "type": "article", "DOI": "10.1038/nphys1170", "URL": "{}"}}]',
    "EndNote": "%0 Book\n%R 10.1038/nphys1170\n%U {}\n",
    "MRK": "=LDR  00000nam a2200000 a 4500\n=024  7\\$a10.1038/nphys1170$2doi\n=856  40$u{}\n",
}


@pytest.mark.parametrize("shape", FIELDS.values(), ids=FIELDS)
def test_links_to_publishers_are_no_problem_in_fields_for_links(proxy: DoiProxy, shape: str) -> None:
    file = shape[1:] if shape.startswith("\n") else shape
    for link in LINKS:
        job = run(make_job(file.format(link), proxy, filename="list"), proxy)
        assert (job.total, job.tidier, job.needs_review, job.counts["problem"]) == (2, 0, 0, {}), link
        assert job.counts["outcome"] == {"resolved": 2}, link
        assert set(job.rows.values_list("correction", flat=True)) == {"unchanged"}, link
        assert correct(job) == (file.format(link).encode(), []), link


@pytest.mark.parametrize("link", LINKS)
def test_a_link_to_a_publisher_is_a_problem_in_a_doi_field(proxy: DoiProxy, link: str) -> None:
    job = run(make_job(f"TY  - JOUR\nDO  - {link}\nER  - \n", proxy, filename="list"), proxy)
    assert (job.tidier, job.counts["problem"]["publisher-url"]) == (1, 1)
    new, left = correct(job)
    assert left == []
    assert new.startswith(b"TY  - JOUR\nDO  - 10.1")


@pytest.mark.parametrize(
    "field",
    [
        "url = {https://www-nature-com.ezproxy.example.edu/articles/10.1038/nphys1170}",
        "url = {Available from: https://doi.org/10.1038/nphys1170}",
        "url = {https://doi.org/?doi=10.1038/nphys1170}",
        "url = {10.1038/nphys1170 (accessed 2024-05-01)}",
        "url = {info:doi/10.1038/nphys1170}",
        'doi = "http://dx.doi.org/10.1038/nphys1170" # ""',
        'doi = "10.1038/nphys1170" # "."',
        "url = {PMID: 1234567; doi: 10.1038/nphys1170}",
    ],
)
def test_what_can_not_be_written_is_in_the_list_to_change_by_hand(proxy: DoiProxy, field: str) -> None:
    file = f"@misc{{a,\n  {field}\n}}\n"
    job = run(make_job(file, proxy, filename="list.bib"), proxy)
    new, left = correct(job)
    assert new == file.encode()
    assert [(one.record, one.name) for one in left] == [("a", "10.1038/nphys1170")]
    assert str(left[0].reason)
