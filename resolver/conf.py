"""What follows from the settings: sums, folders and periods."""

from datetime import timedelta
from pathlib import Path

from django.conf import settings

READER_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide, with which a browser runs Python."""


def measure_reader() -> dict[str, int]:
    """Return the bytes of each file of Pyodide; empty unless all of them are in READING_FILES."""
    paths = [settings.READING_FILES / name for name in READER_FILES]
    return {path.name: path.stat().st_size for path in paths} if all(path.is_file() for path in paths) else {}


def sends_mail() -> bool:
    """Return whether the operator has named a mail server."""
    return bool(settings.EMAIL_HOST)


def user_agent() -> str:
    """Return the User-Agent: the proxy is a shared public service, and its operators must be able to write to us."""
    contact = settings.CONTACT_EMAIL
    product = f"doiportal/{settings.VERSION}"
    return f"{product} (mailto:{contact})" if contact else product


def uploads_dir() -> Path:
    """Return the folder of stored uploads, unless FILES_URL names another place. Creates it."""
    folder = settings.DOIPORTAL_DATA_DIR / "uploads"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def copies_dir() -> Path:
    """Return the folder of this machine's copies of files in object storage. Creates it."""
    folder = settings.DOIPORTAL_DATA_DIR / "copies"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def broker_dir() -> Path | None:
    """Return the folder in which a broker made of files keeps its messages; None with Redis."""
    folder = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("data_folder_out")
    return Path(folder) if folder else None


def answer_lifetime() -> timedelta:
    """Return how long a stored answer of the DOI proxy is used (P13 lets a proxy keep answers for a day)."""
    return timedelta(hours=settings.ANSWERS_FRESH_HOURS)


def absence_lifetime() -> timedelta:
    """Return how long it counts that a name doesn't exist: it may be registered soon."""
    return min(timedelta(minutes=settings.ABSENT_FRESH_MINUTES), answer_lifetime())


def metadata_lifetime() -> timedelta:
    """Return how long what an agency says about a work is used."""
    return timedelta(days=settings.METADATA_FRESH_DAYS)


def retention_period() -> timedelta | None:
    """Return how long lookups and lists are kept, at most a hundred years; None: until they are deleted."""
    return timedelta(days=min(settings.KEEP_DAYS, 36_500)) if settings.KEEP_DAYS else None


def session_lifetime() -> timedelta:
    """Return how long an account stays logged in."""
    return timedelta(days=settings.ACCOUNT_SESSION_DAYS)


def find_misspelt_names() -> list[tuple[str, str]]:
    """Return the variables of the environment that look like misspelt settings, each with the name that is meant."""
    return list(settings.FIND_MISSPELT_NAMES())
