"""An S3 server in a container of a test, from the packages of the other tests: where uploads may lie (FILES_URL)."""

from typing import Any

from engine import ROOT

KEYS = {"AWS_ACCESS_KEY_ID": "doiportal", "AWS_SECRET_ACCESS_KEY": "only-for-this-test"}
SETTINGS = {"FILES_URL": "s3://lists/doiportal?endpoint=http://s3:5000", **KEYS}
PROFILE = "objects"

_CLIENT = "import boto3, botocore.exceptions, time; s3 = boto3.client('s3', endpoint_url='http://127.0.0.1:5000')\n"
MAKE_BUCKET = f"""{_CLIENT}
for left in reversed(range(60)):
    try:
        s3.create_bucket(Bucket="lists")
        break
    except botocore.exceptions.BotoCoreError:  # it doesn't listen yet
        if not left:
            raise
        time.sleep(1)
"""
COUNT_OBJECTS = f"{_CLIENT}print(s3.list_objects_v2(Bucket='lists')['KeyCount'])"


def describe_server(image: str) -> dict[str, Any]:
    """Return the service of docker-compose.yml that starts it. Raises StopIteration unless `make test` has installed
    the packages."""
    packages = next(place for place in ROOT.glob(".venv/lib/python3*/site-packages") if (place / "moto").exists())
    return {
        "image": image,
        "profiles": [PROFILE],
        "command": "python -m moto.server --host 0.0.0.0 --port 5000",
        "environment": {"PYTHONPATH": "/packages", "AWS_DEFAULT_REGION": "us-east-1", **KEYS},
        "volumes": [f"{packages}:/packages:ro"],
    }
