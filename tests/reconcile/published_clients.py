"""Run other people's clients, unchanged, against a running portal:

    python -m venv CLIENTS
    CLIENTS/bin/pip install reconciler==0.2.2 py-reconciliation-service-api==0.2.1 "numpy<2" "pandas<3"
    python -m tests.reconcile.published_clients CLIENTS/bin/python

They need an environment of their own: they pin versions of pydantic and httpx, and reconciler uses a name that numpy 2
no longer has. Prints what each client says, and ends with 1 if it is not what is expected.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

CELLS = [
    "10.5555/one",
    "https://doi.org/10.5555/two",
    "10.5555/missing",
    "10.1000/182]",
    *[f"10.5555/n{n}" for n in range(20)],
]
RECONCILER = """
import json, sys, warnings
warnings.simplefilter("ignore")
import pandas
from reconciler import reconcile
address, cells = sys.argv[1], json.loads(sys.argv[2])
table = reconcile(pandas.Series(cells), type_id="doi", reconciliation_endpoint=address)
rows = [(row.input_value, row.id, row.match) for row in table.itertuples()]
print(json.dumps([[cell, None if pandas.isna(doi) else doi, bool(match)] for cell, doi, match in rows]))
"""
SERVICE_API = """
import json, sys
from py_reconciliation_service_api import build_reconciliation_service
address, cells = sys.argv[1], json.loads(sys.argv[2])
service = build_reconciliation_service(address, httpx_args={"trust_env": False})
found = service.reconcile_batch([{"query": cell, "limit": 3} for cell in cells])
print(json.dumps([[cell, each.result[0].id if each.result else None, bool(each.result and each.result[0].match)]
                  for cell, each in zip(cells, found)]))
"""
EXPECTED = {
    "https://doi.org/10.5555/two": ("10.5555/two", True),
    "10.5555/missing": (None, False),
    "10.1000/182]": ("10.1000/182", False),
}


def run(python: str, code: str, address: str) -> list[str]:
    """Return what is wrong with what the client says."""
    command = [python, "-c", code, address, json.dumps(CELLS)]
    environment = {**os.environ, "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
    if done.returncode:
        return [done.stderr[-2000:]]
    said = {cell: (doi, match) for cell, doi, match in json.loads(done.stdout.splitlines()[-1])}
    expected = {cell: EXPECTED.get(cell, (cell, True)) for cell in CELLS}
    matched = sum(match for _, match in said.values())
    print(f"  {len(said)} cells: {matched} matched, for instance {list(said.items())[:4]}")
    return [
        f"{cell}: {said.get(cell)} instead of {wanted}" for cell, wanted in expected.items() if said.get(cell) != wanted
    ]


def main(python: str) -> int:
    """Return the exit code."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "doiportal.settings"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DOIPORTAL_DATA_DIR"] = str(Path(folder, "own"))
        import django

        django.setup()
        from django.core.management import call_command

        from resolver.standin.server import SampleProxyServer
        from tests.gateway_outside.portal import gateway

        call_command("collectstatic", interactive=False, verbosity=0)
        with SampleProxyServer() as proxy, gateway(Path(folder), proxy.url) as portal:
            wrong = []
            for client, code in (("reconciler", RECONCILER), ("py-reconciliation-service-api", SERVICE_API)):
                for address in (f"{portal.url}/reconcile", f"{portal.url}/reconcile/quick"):
                    print(f"{client} at {address.removeprefix(portal.url)}:")
                    wrong += run(python, code, address)
    print("\n".join(wrong) or "all as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
