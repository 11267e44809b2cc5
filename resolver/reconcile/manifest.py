"""The service manifest: what a client learns when it adds the service."""

from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from resolver.reconcile.candidates import DOI_TYPE
from resolver.reconcile.queries import BATCH_SIZE
from resolver.services.works.search import list_search_hosts

SEARCH_BATCH_SIZE = 10
"""Queries of a batch that clients send to the service that searches: so many fit into its seconds."""


def build_manifest(request: HttpRequest, *, quick: bool, searches: bool, token: str) -> dict[str, Any]:
    """Return the manifest of the full service, the quick one or the one that searches. Every address has the token of
    this one: Alma drops the query of the service's address, and OpenRefine sends no Authorization."""

    def address(name: str) -> str:
        return reverse(f"reconcile-{name}-token", args=[token]) if token else reverse(f"reconcile-{name}")

    root = request.build_absolute_uri("/").rstrip("/")

    def suggest(name: str) -> dict[str, str]:
        return {"service_url": root, "service_path": address(name)}

    name = "DOI names: registered? (quick)" if quick else "DOI names"
    if searches:
        name = f"DOI names: search by title (titles are sent to {', '.join(list_search_hosts())})"
    return {
        "versions": ["0.2"],
        "name": f"{name}, doiportal{' (sample data)' if settings.DOIPORTAL_SAMPLE_DATA else ''}",
        "identifierSpace": "https://doi.org/",
        "schemaSpace": "https://schema.org/Thing",  # a DOI may stand for anything: works, people, funders, instruments
        "documentation": f"{root}{reverse('help-openrefine')}",
        "defaultTypes": [DOI_TYPE],
        "view": {"url": f"{root}{reverse('records')}?name={{{{id}}}}"},
        "preview": {
            "url": f"{root}{quote(address('preview'))}?id={{{{id}}}}",
            "width": 430,  # pixels
            "height": 280,
        },
        "suggest": {"entity": suggest("entities"), "property": suggest("properties")},
        "extend": {
            "propose_properties": {"service_url": root, "service_path": address("proposals")},
            "property_settings": [],
        },
        "batchSize": SEARCH_BATCH_SIZE if searches else BATCH_SIZE,
    }
