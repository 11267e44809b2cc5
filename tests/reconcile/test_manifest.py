"""What a client learns when the service is added, and the small services beside it."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


SERVICES = {"/reconcile": 50, "/reconcile/quick": 50, "/reconcile/search": 10}


@pytest.mark.parametrize("address", SERVICES)
def test_the_manifest_says_what_the_service_can(address: str, client: Client) -> None:
    response = client.get(address)
    assert response["Content-Type"] == "application/json", "clients demand it so"
    manifest = response.json()
    assert (manifest["versions"], manifest["batchSize"]) == (["0.2"], SERVICES[address])
    assert manifest["defaultTypes"] == [{"id": "doi", "name": "DOI name"}]
    assert {"view", "preview", "suggest", "extend", "identifierSpace", "schemaSpace"} <= manifest.keys()


def test_the_services_have_names_of_their_own(client: Client) -> None:
    assert len({client.get(address).json()["name"] for address in SERVICES}) == len(SERVICES)


def test_a_portal_with_sample_data_says_so_in_its_name(client: Client, settings: Any) -> None:
    settings.DOIPORTAL_SAMPLE_DATA = True
    assert "sample data" in client.get("/reconcile").json()["name"]


@pytest.mark.parametrize("address", SERVICES)
def test_the_addresses_of_the_manifest_answer(address: str, client: Client) -> None:
    manifest = client.get(address).json()
    name = quote("10.5555/plain", safe="")
    for template in (manifest["view"]["url"], manifest["preview"]["url"]):
        shown = client.get(re.sub("^http://[^/]+", "", template.replace("{{id}}", name)))
        assert shown.status_code == 200
        assert "10.5555/plain" in shown.content.decode()
    assert client.get(re.sub("^http://[^/]+", "", manifest["documentation"])).status_code == 200
    places = [*manifest["suggest"].values(), manifest["extend"]["propose_properties"]]
    assert all(client.get(place["service_path"]).status_code == 200 for place in places)


def test_typed_names_are_suggested_if_they_are_registered(client: Client) -> None:
    def suggested(prefix: str) -> list[str]:
        return [one["id"] for one in client.get("/reconcile/entities", {"prefix": prefix}).json()["result"]]

    assert suggested("10.5555/plain") == ["10.5555/plain"]
    assert suggested("https://doi.org/10.1000/182.") == ["10.1000/182"]
    assert suggested("10.5555/missing") == suggested("10.") == suggested("") == []


def test_properties_are_found_by_their_beginning(client: Client) -> None:
    def found(**query: Any) -> list[str]:
        return [one["id"] for one in client.get("/reconcile/properties", query).json()["result"]]

    assert found(prefix="agency") == ["ra"]
    assert found(prefix="ra") == ["ra"]
    whole = found(prefix="")
    assert len(whole) == 16
    assert found(prefix="", cursor=4) == whole[4:]
    assert found(prefix="", cursor="x" * 9999) == whole


@pytest.mark.parametrize(("limit", "number"), [(None, 16), ("3", 3), ("99999999999999", 16)])
def test_properties_are_proposed_up_to_the_limit(limit: str | None, number: int, client: Client) -> None:
    query = {"type": "doi"} | ({} if limit is None else {"limit": limit})
    assert len(client.get("/reconcile/proposals", query).json()["properties"]) == number
    assert client.get("/reconcile/proposals", {"limit": "-1"}).status_code == 400
