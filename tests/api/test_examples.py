"""The examples of the OpenAPI document are answers of the API, written by `pytest THIS_FILE --write-examples`."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from resolver.api.openapi.document import EXAMPLES, EXAMPLES_FILE
from resolver.models import CheckedHost, HostCheck, Watch, Webhook
from resolver.services.hosts.check import continue_host_check
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.webhooks.events import record_test
from resolver.standin.server import SampleProxyServer
from tests.api.conftest import run
from tests.api.schema_client import DOCUMENT, SchemaClient
from tests.api.test_tokens import make_key
from tests.services.watches.conftest import write_records

pytestmark = pytest.mark.django_db(transaction=True)

REF = "#/components/schemas/"
TODAY = date(2026, 11, 23)  # of the examples
JSON = "application/json"
CUT = "https://doi.org/10.1000/182#chapter-2"
MISTYPED = "10.1038/nphys117O"
LIST = f"Title,DOI\nHandbook,10.1000/182\nMistyped,{MISTYPED}\nCut,{CUT}\n"
Examples = dict[str, list[Any]]


def collect(answers: list[tuple[Any, Any]]) -> Examples:
    """Return the last answer, or part of one, for each object of the document, and for each set of its members."""
    found: dict[str, dict[tuple[str, ...], Any]] = {}

    def visit(schema: Any, value: Any) -> None:
        if value is None:
            return
        if name := schema.get("$ref", "").removeprefix(REF):
            schema = DOCUMENT["components"]["schemas"][name]
            if name != "Error":
                found.setdefault(name, {})[tuple(value)] = value
        for way in (*schema.get("oneOf", ()), *schema.get("allOf", ())):
            visit(way, value)
        for member, shape in schema.get("properties", {}).items():
            visit(shape, value.get(member))
        for item in value if "items" in schema else ():
            visit(schema["items"], item)

    for schema, answer in answers:
        visit(schema, answer)
        if "results" in answer:
            del answer["results"][1:]
    return {name: list(values.values()) for name, values in sorted(found.items())}


def make_stable(examples: Examples, proxy: str) -> Examples:
    """Return the examples with the addresses, times, ids and secrets that they have in every run."""
    text = json.dumps(examples, ensure_ascii=False)
    text = text.replace("http://testserver", "http://127.0.0.1:8000").replace(proxy, "https://doi.org")
    text = text.replace('"source": "127.0.0.1"', '"source": "api.crossref.org"').replace(
        "192.0.3.1", "library.example.org"
    )
    ids: dict[str, str] = {}
    for pattern in (r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "(?<=msg_)[0-9a-f]{32}"):
        for one in re.findall(pattern, text):
            ids.setdefault(one, str(uuid5(NAMESPACE_URL, str(len(ids)))))
            text = text.replace(one, ids[one] if "-" in one else ids[one].replace("-", ""))
    text = re.sub(r"(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?", _move, text)
    text = re.sub(r"\d\d:\d\d:\d\d UTC", "09:30:00 UTC", text)
    text = re.sub(r'whsec_[^"]+', "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", text)
    text = re.sub(r"/watches/[^/\"]+/feed", "/watches/q9Xw0Gm3cE5yT7uKZr1bN2dLfHsVoJpA/feed", text)
    return dict(json.loads(text))


def _move(moment: re.Match[str]) -> str:
    days = date.fromisoformat(moment[1]) - datetime.now(UTC).date()
    return moment[0] if days < timedelta(-1) else f"{TODAY + days}T05:21:48{'.813016' if moment[2] else ''}"


def shape(value: Any) -> Any:
    """The names and types of an example, at any depth."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    return [shape(one) for one in value] if isinstance(value, list) else type(value).__name__


@pytest.fixture
def proxy(settings: Any) -> Iterator[SampleProxyServer]:
    with SampleProxyServer() as server:
        settings.DOI_PROXY_URL = server.url
        yield server


def test_the_examples_are_what_the_api_answers(
    request: pytest.FixtureRequest, user: User, proxy: SampleProxyServer, tmp_path: Path
) -> None:
    program = SchemaClient(headers={"Authorization": f"Bearer {make_key(user)}"})
    _read_all(program, user, proxy, tmp_path)
    answers = make_stable(collect(program.json_answers), proxy.url)
    requests = {name: found for name, found in EXAMPLES.items() if name.endswith("Request")}
    if request.config.getoption("--write-examples"):
        EXAMPLES_FILE.write_text(json.dumps(answers | requests, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    else:
        assert set(EXAMPLES) == set(DOCUMENT["components"]["schemas"]) - {"Error"}
        assert shape(EXAMPLES) == shape(answers | requests), "run: pytest tests/api/test_examples.py --write-examples"


def _read_all(program: SchemaClient, user: User, proxy: SampleProxyServer, folder: Path) -> None:
    for address in ("", "agencies"):
        program.get(f"/api/v1/{address}")
    program.post("/api/v1/inspections", {"inputs": [CUT]}, JSON)
    program.post("/api/v1/lookups", {"input": MISTYPED}, JSON)
    lookup = program.post("/api/v1/lookups", {"input": "10.17487/RFC3651"}, JSON).json()
    program.get(f"/api/v1/lookups/{lookup['id']}/metadata")
    program.post("/api/v1/works/compare", {"items": [EXAMPLES["WorksRequest"][0]["items"][0]]}, JSON)
    hook = program.post("/api/v1/webhooks", {"url": "https://192.0.3.1/events", "name": "Nightly"}, JSON).json()
    record_test(Webhook.objects.get(), timezone.now())
    program.get(f"/api/v1/webhooks/{hook['id']}/deliveries")
    program.get("/api/v1/webhooks")

    uploaded = program.post("/api/v1/jobs?filename=list.csv&name=Spring&note=for+Ada", LIST.encode(), "text/csv")
    job = f"/api/v1/jobs/{uploaded.json()['id']}"
    run(uploaded.json()["id"])
    assert program.patch(f"{job}/rows/2", {"decision": "rejected"}, JSON).status_code == 200
    assert program.post(f"{job}/decisions", {"decision": None, "expected": 1}, JSON).json() == {"changed": 1}
    assert program.patch(f"{job}/rows/2", {"decision": "accepted"}, JSON).status_code == 200
    assert program.get(f"{job}/rows?correction=accepted").json()["results"]
    program.post(f"{job}/host-checks")
    continue_host_check(HostCheck.objects.get().pk, until=0)
    CheckedHost.objects.update(
        verdict="no-answer", detail="The server refused the connection.", checked_at=timezone.now()
    )
    HostCheck.objects.update(done=True, finished_at=timezone.now())
    program.get(f"{job}/host-checks")
    program.get("/api/v1/jobs")

    channels = {"mail": False, "webhook": hook["id"]}
    wanted = {"job": uploaded.json()["id"], "name": "Catalogue", "channels": channels}
    watch = program.post("/api/v1/watches", wanted, JSON).json()["id"]
    Webhook.objects.update(disabled_at=timezone.now())  # or its events would be sent
    at = timezone.now() + timedelta(7)
    Watch.objects.update(first_at=at, next_at=at)
    proxy.know(write_records(folder, {}))
    for day in range(4):
        call_command("runwatches", "--at", (at + timedelta(days=day)).isoformat(), verbosity=0)
    program.get(f"/api/v1/watches/{watch}/changes")
    program.get("/api/v1/watches")

    proxy_from_settings().budget.pause(100)
    program.post("/api/v1/lookups", {"inputs": ["10.17487/RFC3651", "10.1000/new"]}, JSON)
    program.get("/api/v1/lookups?q=rfc3651")
