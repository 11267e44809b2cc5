"""Try the published JSON Schemas of the specification on generated answers:

    python -m tests.reconcile.published_schemas FOLDER

FOLDER holds the files of `0.2/schemas` of https://github.com/reconciliation-api/specs, which are published by the W3C
Entity Reconciliation Community Group under the W3C Community Contributor License Agreement. Prints how many answers
were valid by each schema, and ends with 1 if one was not. It uses a sample proxy and a database of its own.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

TEXTS = 2000


def main(folder: Path) -> int:
    """Return the exit code."""
    from resolver.standin.server import SampleProxyServer

    with tempfile.TemporaryDirectory() as data, SampleProxyServer() as proxy:
        os.environ |= {
            "DOIPORTAL_DATA_DIR": data,
            "DOI_PROXY_URL": proxy.url,
            "PROXY_RATE": "0",
            "PROXY_CONCURRENCY": "16",
            "DJANGO_SETTINGS_MODULE": "doiportal.settings",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        return validate(folder)


def validate(folder: Path) -> int:
    """Validate the answers of the portal in this process by the files in the folder; return the exit code."""
    from django.test import Client
    from jsonschema import Draft7Validator
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT7

    from tests.reconcile.answers import list_answers

    schemas = {file.name: json.loads(file.read_text()) for file in folder.glob("*.json")}
    registry = Registry().with_resources(
        (schema.get("$id", name), Resource.from_contents(schema, default_specification=DRAFT7))
        for name, schema in schemas.items()
    )
    valid, texts = Counter[str](), 0
    for file, answer, number in list_answers(Client(SERVER_NAME="localhost"), TEXTS):
        faults = list(Draft7Validator(schemas[file], registry=registry).iter_errors(answer))
        for fault in faults:
            print(f"{file}: {fault.json_path}: {fault.message[:300]}")
        if faults:
            return 1
        valid[file] += 1
        texts += number
    for file, number in sorted(valid.items()):
        print(f"{number:5} answers valid by {file}")
    print(f"{texts:5} texts in them")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
