"""Whole test suites of other formats, uploaded by REST and by the page: each file is answered, and the portal lives."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from resolver.services.uploads.reading_places import FOR_ONE_ADDRESS
from tests.gateway_outside.portal import Gateway
from tests.uploads import made, suites
from tests.uploads.sending import Sender, Told

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("files", [suites.files, made.files], ids=["published", "made"])
def test_every_file_is_answered_with_a_reason_or_a_list(portal: Gateway, sender: Sender, files):
    some = list(files())
    assert len(some) > 100

    def send(first: int) -> list[tuple[str, Told, Told]]:
        with Sender(portal.url) as another:
            shared = some[first::FOR_ONE_ADDRESS]
            return [(name, another.by_rest(content, name), another.by_page(content, name)) for name, content in shared]

    with ThreadPoolExecutor(FOR_ONE_ADDRESS) as pool:
        told = [one for each in pool.map(send, range(FOR_ONE_ADDRESS)) for one in each]
    assert len(told) == len(some)
    assert not [one for one in told if not _is_well(*one[1:])]


def _is_well(by_rest: Told, by_page: Told) -> bool:
    """A refusal by REST (400) is told by the page too, which may ask for a choice."""
    if by_rest.status == 202:
        return by_page.status in (200, 422)
    return by_rest.status == 400 and bool(by_rest.reason) and by_page.status in (200, 422)
