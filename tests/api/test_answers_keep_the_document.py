"""Each operation of the API answers as the OpenAPI document says: SchemaClient compares every answer."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from resolver.models import Webhook
from resolver.services.webhooks.events import record_test
from tests.api.conftest import Post, run
from tests.api.schema_client import DOCUMENT, METHODS, SchemaClient

pytestmark = pytest.mark.django_db
JSON = {"content_type": "application/json"}
NAMES = {item[method]["operationId"] for item in DOCUMENT["paths"].values() for method in METHODS if method in item}
LIST = """Title,DOI
Handbook,10.1000/182
Cut,https://doi.org/10.1000/456#789
Alias,10.1000/1
Again,10.1000/182
Two,10.1000/182 and 10.1093/nar/gkaa1100
Space,10.1000 /182
Nothing,no identifier
"""


def test_every_operation_answers_as_the_document_says(api: SchemaClient, post: Post, upload: Post) -> None:
    for address in ("", "schema", "docs", "docs/objects", "agencies"):
        assert api.get(f"/api/v1/{address}").status_code == 200
    texts = ["10.1000/182", "", "doi:10.1000/1 and 10.1000/2", "https://doi.org/10.1000/456#789", "\x00\ud800"]
    assert post("inspections", {"inputs": texts}).status_code == 200
    works = {"items": [{"row": {"title": "DOI Handbook"}, "record": {"title": "DOI Handbook"}}]}
    assert post("works/compare", works).status_code == 200
    lookups = [post("lookups", {"input": text}).json()["id"] for text in texts]
    assert api.get("/api/v1/lookups?page_size=2&q=10.1000").json()["next"]
    for lookup in lookups:
        assert api.get(f"/api/v1/lookups/{lookup}").status_code == 200
        assert api.get(f"/api/v1/lookups/{lookup}/metadata").status_code in (200, 409)
    assert api.delete(f"/api/v1/lookups/{lookups[0]}").status_code == 204

    job = upload(LIST, column="DOI", name="Spring").json()["id"]
    assert api.get(f"/api/v1/jobs/{job}/results.csv").status_code == 409
    run(job)
    _read_and_decide(api, job)
    _read_bibliographic_file(api, upload)
    for status, call in ((200, api.get), (202, api.post), (200, api.get)):
        assert call(f"/api/v1/jobs/{job}/host-checks").status_code == status
    assert api.get("/api/v1/jobs?q=spring").json()["results"]
    assert api.get(f"/api/v1/jobs/{job}/wait?seconds=1").json()["state"] == "finished"
    assert api.get(f"/api/v1/jobs/{job}").json()["state"] == "finished"
    assert api.patch(f"/api/v1/jobs/{job}", {"note": "for Ada"}, **JSON).status_code == 200
    assert api.post(f"/api/v1/jobs/{job}/retry").status_code == 409
    running = upload("10.1000/182\n" * 3, quick="true").json()["id"]
    assert api.post(f"/api/v1/jobs/{running}/cancel").status_code == 200
    assert api.post(f"/api/v1/jobs/{running}/cancel").status_code == 409
    assert api.post(f"/api/v1/jobs/{running}/retry").status_code == 202
    _watch_a_list(api, job)
    assert api.delete(f"/api/v1/jobs/{job}").status_code == 204
    _make_and_delete_a_webhook(api)
    assert {name for name, status in api.seen if status < 300} == NAMES


def _watch_a_list(api: SchemaClient, job: str) -> None:
    made = api.post("/api/v1/watches", {"job": job}, **JSON).json()["id"]
    assert api.post(f"/api/v1/watches/{made}/run").status_code == 202
    call_command("runwatches", verbosity=0)
    assert api.get("/api/v1/watches").json()["results"][0]["last_run"]
    assert api.get(f"/api/v1/watches/{made}").status_code == 200
    assert api.get(f"/api/v1/watches/{made}/changes").status_code == 200
    assert api.patch(f"/api/v1/watches/{made}", {"paused": True}, **JSON).json()["paused"]
    assert api.delete(f"/api/v1/watches/{made}").status_code == 204


def _make_and_delete_a_webhook(api: SchemaClient) -> None:
    api.force_login(User.objects.create_user("ada"))
    api.get("/")  # sets the CSRF token
    token = {"X-CSRFToken": api.cookies["csrftoken"].value}
    made = api.post("/api/v1/webhooks", {"url": "https://192.0.3.1/events"}, **JSON, headers=token).json()["id"]
    record_test(Webhook.objects.get(), timezone.now())
    assert api.get(f"/api/v1/webhooks/{made}/deliveries").json()["results"]
    assert api.get(f"/api/v1/webhooks/{made}").status_code == 200
    assert api.get("/api/v1/webhooks").json()["results"]
    assert api.delete(f"/api/v1/webhooks/{made}", headers=token).status_code == 204


def _read_bibliographic_file(api: SchemaClient, upload: Post) -> None:
    job = run(upload("TY  - JOUR\nDO  - 10.1000/182\nER  - \n", "list.ris").json()["id"]).pk
    assert api.get(f"/api/v1/jobs/{job}/rows").json()["results"][0]["field"] == "DO"
    assert b"".join(api.get(f"/api/v1/jobs/{job}/hosts.csv").streaming_content)
    assert b"".join(api.get(f"/api/v1/jobs/{job}/results.original?accept=suggested").streaming_content)


def _read_and_decide(api: SchemaClient, job: str) -> None:
    rows = api.get(f"/api/v1/jobs/{job}/rows?page_size=3").json()
    assert api.get(rows["next"]).json()["previous"]
    assert api.patch(f"/api/v1/jobs/{job}/rows/1", {"decision": "rejected"}, **JSON).status_code == 200
    assert api.get(f"/api/v1/jobs/{job}/rows/1").json()["decision"] == "rejected"
    matching = {"outcome": "resolved", "correction": "unchanged", "decision": "accepted", "expected": 99}
    assert api.post(f"/api/v1/jobs/{job}/decisions", matching, **JSON).status_code == 409
    found = len(api.get(f"/api/v1/jobs/{job}/rows?outcome=resolved&correction=unchanged").json()["results"])
    matching["expected"] = found
    assert api.post(f"/api/v1/jobs/{job}/decisions", matching, **JSON).json() == {"changed": found}
    for form in ("csv", "xlsx", "jsonl"):
        response = api.get(f"/api/v1/jobs/{job}/results.{form}?corrected=1")
        assert b"".join(response.streaming_content)


def test_a_list_that_runs_and_is_surveyed_answers_as_the_document_says(api: SchemaClient, upload: Post) -> None:
    job = upload("\n".join(f"10.1000/{number}" for number in range(60))).json()["id"]
    assert api.get(f"/api/v1/jobs/{job}").json()["survey"] is not None
    run(job)
    assert api.get(f"/api/v1/jobs/{job}/rows").status_code == 200


@pytest.mark.parametrize("closed", [False, True])
def test_what_is_not_there_answers_as_the_document_says(api: SchemaClient, settings: Any, closed: bool) -> None:
    settings.DOIPORTAL_OPEN = not closed
    for path, item in DOCUMENT["paths"].items():
        for method in METHODS:
            if "{" in path and method in item:
                address = path.replace("{id}", str(uuid.uuid4())).replace("{line}", "1")
                body = {} if method in ("get", "delete") else {"data": {}, **JSON}
                assert getattr(api, method)(address, **body).status_code == (401 if closed else 404)
