"""A whole portal, asked by the clients' own requests, with a DOI proxy behind it that fails now and then."""

from collections.abc import Callable, Iterator

import pytest

from tests.gateway_outside import portal
from tests.gateway_outside.portal import Gateway
from tests.reconcile.cells_under_faults import MISSING, TOLD, FaultyProxy, judge, make_cells
from tests.reconcile.client_shapes import Result, from_alma, from_openrefine

CELLS = 150


@pytest.fixture(scope="module")
def faulty() -> Iterator[FaultyProxy]:
    with FaultyProxy() as proxy:
        yield proxy


@pytest.fixture(scope="module")
def running(faulty: FaultyProxy, tmp_path_factory: pytest.TempPathFactory, _static_files: None) -> Iterator[Gateway]:
    with portal.gateway(tmp_path_factory.mktemp("reconcile"), faulty.url, **TOLD) as web:
        yield web


@pytest.mark.slow
@pytest.mark.parametrize("client", [from_openrefine, from_alma])
def test_each_cell_is_right_or_its_batch_an_error_while_the_proxy_fails(
    client: Callable[..., list[Result]], running: Gateway, faulty: FaultyProxy
) -> None:
    faulty.faulty = True
    cells = make_cells(CELLS, client.__name__)
    counts = judge(cells, client(f"{running.url}/reconcile", cells))
    assert sum(faulty.faults.values()) > 5
    assert counts["wrong"] == counts["silently empty"] == 0, counts
    assert counts["right"] >= CELLS // 2, counts


@pytest.mark.parametrize("client", [from_openrefine, from_alma])
def test_a_clean_cell_costs_one_request_in_the_shape_of_each_client(
    client: Callable[..., list[Result]], running: Gateway, faulty: FaultyProxy
) -> None:
    faulty.faulty = False
    cells = [cell for cell in make_cells(CELLS, f"clean.{client.__name__}") if "missing" not in cell]
    assert len(cells) == CELLS - CELLS // MISSING
    faulty.reset()
    assert judge(cells, client(f"{running.url}/reconcile", cells)) == {"right": len(cells)}
    assert faulty.watch.total <= 1.03 * len(cells)
