"""An S3 server in a process of its own (moto), which keeps its buckets in memory: whoever kills it, empties it."""

import subprocess
import sys
from contextlib import suppress
from typing import Any, Self

import boto3
import psutil
import requests
from botocore.config import Config

from tests.services_plugin import free_port
from tests.waiting import wait_until

BUCKET = "doiportal-files"


class S3Server:
    """One with the bucket BUCKET."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.files_url = f"s3://key:secret@{BUCKET}/portal?endpoint={self.url}&region=us-east-1"
        command = [sys.executable, "-W", "ignore", "-m", "moto.server", "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self) -> Self:
        try:
            wait_until("the S3 server answers", self._is_answering)
        except BaseException:
            self.stop()
            raise
        self.client = boto3.client(
            "s3",
            endpoint_url=self.url,
            aws_access_key_id="key",
            aws_secret_access_key="secret",
            region_name="us-east-1",
            config=Config(proxies={}),
        )
        self.client.create_bucket(Bucket=BUCKET)
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self.stop()

    def _is_answering(self) -> bool:
        assert self._process.poll() is None, "the S3 server has ended"
        with suppress(requests.ConnectionError), requests.Session() as session:
            session.trust_env = False
            session.get(self.url, timeout=5)
            return True
        return False

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(10)

    def suspend(self) -> None:
        """Let it take connections, and answer none."""
        psutil.Process(self._process.pid).suspend()

    def resume(self) -> None:
        psutil.Process(self._process.pid).resume()

    def list_keys(self) -> list[str]:
        """The keys of all objects."""
        found: dict[str, Any] = self.client.list_objects_v2(Bucket=BUCKET)
        return [entry["Key"] for entry in found.get("Contents", ())]

    def empty(self) -> None:
        """Remove all objects."""
        for key in self.list_keys():
            self.client.delete_object(Bucket=BUCKET, Key=key)
