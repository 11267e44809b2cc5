"""FILES_URL: where uploaded files lie, as Django's STORAGES has it."""

import re
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from doiportal.env import env_str

IN_DATA_FOLDER = {"BACKEND": "resolver.services.storage.files.DataFolderStorage"}

_QUERY = {"endpoint", "region", "style"}
_STYLES = ("auto", "path", "virtual")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")


def env_files(name: str) -> dict[str, Any]:
    """The storage of files: the data folder, `file:///folder`, or `s3://bucket/prefix?endpoint=https://…`."""
    text = env_str(name)
    if not text:
        return dict(IN_DATA_FOLDER)
    wrong = (
        f"{name} must be an address such as file:///mnt/shared or "
        "s3://bucket/prefix?endpoint=https://s3.example.org. Encode special characters of a secret key, such as %2F "
        "for /"
    )
    try:
        parts = urlsplit(text)
        query = {key: values[-1] for key, values in parse_qs(parts.query, strict_parsing=bool(parts.query)).items()}
    except ValueError:  # it may quote the key
        raise ImproperlyConfigured(wrong) from None
    if parts.fragment:  # an unencoded # of a key
        raise ImproperlyConfigured(wrong)
    folder = unquote(parts.path)
    if parts.scheme == "file" and not parts.netloc and not query and len(folder) > 1:
        return {"BACKEND": "resolver.services.storage.files.SharedFolderStorage", "OPTIONS": {"location": folder}}
    if parts.scheme == "s3" and _BUCKET.fullmatch(parts.hostname or "") and query.keys() <= _QUERY:
        return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": _describe_bucket(name, parts, query)}
    raise ImproperlyConfigured(wrong)


def _describe_bucket(name: str, parts: SplitResult, query: dict[str, str]) -> dict[str, Any]:
    """Return the options of django-storages. Without a user in the address boto3 finds the keys as it always does: the
    variables AWS_…, a profile, or the role of the machine."""
    endpoint, style = query.get("endpoint", ""), query.get("style", "path" if "endpoint" in query else "auto")
    if endpoint and not re.fullmatch(r"https?://[^\s/?#@]+/?", endpoint):
        raise ImproperlyConfigured(f"{name}: endpoint must be an address such as https://s3.example.org")
    if style not in _STYLES:
        raise ImproperlyConfigured(f"{name}: style must be {' or '.join(_STYLES)}")
    if bool(parts.username) != bool(parts.password):
        raise ImproperlyConfigured(f"{name} needs both parts of a key, or neither: s3://KEY:SECRET@bucket/prefix")
    try:
        from boto3.s3.transfer import TransferConfig
        from botocore.config import Config
        from storages.backends import s3 as _  # noqa: F401 - a portal without it must not start
    except ImportError:
        raise ImproperlyConfigured(f"{name} needs django-storages and boto3: pip install 'doiportal[s3]'") from None
    options: dict[str, Any] = {
        "bucket_name": parts.hostname,
        "location": unquote(parts.path).strip("/"),
        "endpoint_url": endpoint or None,
        "region_name": query.get("region") or None,
        "max_memory_size": 1_000_000,  # bytes of a file that is fetched; the rest goes to disk
        "transfer_config": TransferConfig(use_threads=False),
        "client_config": Config(
            connect_timeout=3,  # seconds
            read_timeout=10,  # for each piece of an answer
            retries={"total_max_attempts": 2},
            s3={"addressing_style": style},
            # Several servers with this API know no other checksums yet.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    }
    if parts.username:
        options |= {"access_key": unquote(parts.username), "secret_key": unquote(parts.password or "")}
    return options
