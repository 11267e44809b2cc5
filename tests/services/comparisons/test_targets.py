"""Two runs of a list with expected addresses: a changed class is told with the changed address."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from resolver.domain.report.change import Aspect, Change
from resolver.models import Comparison, Job
from resolver.services.comparisons.compare import advance_comparison, get_or_create_comparison
from resolver.services.comparisons.differing_rows import find_differences, load_row_pairs
from resolver.services.comparisons.export import iterate_lines, list_columns
from resolver.services.comparisons.reruns import create_rerun
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.sheets.output.csv_and_jsonl import generate_csv_lines
from resolver.standin.server import SampleProxyServer
from tests.services.conftest import NOW, make_job, run
from tests.services.records_that_change import AFTER, BEFORE, records

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "doi,target\n" + "".join(f"{name},{address}\n" for name, (_, address) in AFTER.items())


@pytest.fixture
def runs(proxy_at: Callable[..., DoiProxy], tmp_path: Path) -> Callable[..., Comparison]:
    """The comparison of a list with its second run, before which the addresses changed at the proxy."""

    def make(**options: str) -> Comparison:
        jobs: list[Job] = []
        for known in (BEFORE, AFTER):
            with SampleProxyServer(records(tmp_path, known)) as server:
                proxy = proxy_at(server.url)
                job = make_job(LIST, proxy, **options) if not jobs else create_rerun(jobs[0], proxy=proxy, now=NOW)
                jobs.append(run(job, proxy))
        comparison = get_or_create_comparison(*jobs, now=NOW)
        advance_comparison(comparison.pk)
        comparison.refresh_from_db()
        return comparison

    return make


def file_of(comparison: Comparison) -> list[dict[str, str]]:
    whole = b"".join(generate_csv_lines([list_columns(comparison), *iterate_lines(comparison)]))
    return list(csv.DictReader(io.StringIO(whole.decode("utf-8-sig"))))


def test_a_changed_class_is_an_aspect_of_the_difference(runs: Callable[..., Comparison]) -> None:
    comparison = runs(expected_column="target")
    pairs = load_row_pairs(comparison, list(find_differences(comparison)))
    told = [(pair.change, pair.before.address, pair.after.address) for pair in pairs if pair.before and pair.after]
    assert told == [
        (Change.WORKING, "no-address", "same"),
        (Change.ADDRESS, "other-host", "same"),
        (Change.AGENCY, "same", "same"),
    ]
    assert [Aspect.TARGET in pair.aspects for pair in pairs] == [True, True, False]


def test_the_file_tells_both_classes(runs: Callable[..., Comparison]) -> None:
    told = [(row["address_before"], row["address_after"]) for row in file_of(runs(expected_column="target"))]
    assert told == [("no-address", "same"), ("other-host", "same"), ("same", "same")]


def test_the_file_of_other_lists_has_no_classes(runs: Callable[..., Comparison]) -> None:
    assert not [name for name in file_of(runs())[0] if name.startswith("address")]
