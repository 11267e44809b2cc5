"""What is stored is the name itself, however it came; and who answers for it is asked, never guessed."""

from collections.abc import Callable

import pytest

from resolver.models import Lookup, Row, StoredAnswer
from resolver.services.lookups.look_up import create_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from tests.proxy.raw_server import RawServer, Request, agencies, http, record
from tests.services.conftest import NOW, make_job, run

pytestmark = pytest.mark.django_db

ENCODED = [
    ("https://doi.org/10.5555/456%23789", "10.5555/456#789"),
    ("doi:10.5555/a%2Fb%C3%A1", "10.5555/a/bá"),
    ("urn:doi:10.5555:a%3Fb", "10.5555/a?b"),
    ("10.5555/a%25b", "10.5555/a%b"),
]


@pytest.mark.clause("E16", "E9")
@pytest.mark.parametrize(("text", "name"), ENCODED)
def test_a_lookup_of_an_encoded_name_stores_the_name_without_encoding(proxy: DoiProxy, text: str, name: str) -> None:
    create_lookup(text, owner="user:1", proxy=proxy, now=NOW)
    assert Lookup.objects.get().doi == name
    assert name in StoredAnswer.objects.values_list("name", flat=True)
    assert text not in StoredAnswer.objects.values_list("name", flat=True)


@pytest.mark.clause("E16", "B1")
def test_the_rows_of_a_list_store_names_without_encoding(proxy: DoiProxy) -> None:
    run(make_job("\n".join(["doi", *(text for text, _ in ENCODED)]), proxy), proxy)
    assert list(Row.objects.order_by("line").values_list("doi", flat=True)) == [name for _, name in ENCODED]
    stored = set(StoredAnswer.objects.values_list("name", flat=True))
    assert {name for _, name in ENCODED} <= stored
    assert not any(text in stored for text, _ in ENCODED)


@pytest.mark.clause("S14", "R5")
def test_two_names_of_one_prefix_have_each_the_agency_that_was_told_for_it(proxy_at: Callable[..., DoiProxy]) -> None:
    told = {"10.5555/a": "Crossref", "10.5555/b": "DataCite"}

    def answer(request: Request) -> bytes:
        if "/doiRA/" not in request.target:
            return record(request.name)
        items = [{"DOI": name, "RA": told[name]} for name in request.names if name in told]
        return http(200, items) if len(items) == len(request.names) else agencies(request.names, "of the prefix")

    with RawServer(answer) as server:
        proxy = proxy_at(server.url)
        found = {name: create_lookup(name, owner="user:1", proxy=proxy, now=NOW).ra for name in told}
    assert found == told
