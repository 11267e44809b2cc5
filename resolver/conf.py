"""The app's settings, read in one typed place; `doiportal/settings.py` reads them from the environment.

Each is a function, not a constant, so that a test may override the setting and nothing is read before Django is ready.
"""

from datetime import timedelta
from pathlib import Path

from django.conf import settings


def proxy_url() -> str:
    return str(settings.DOI_PROXY_URL)


def proxy_attempts() -> int:
    return int(settings.DOI_PROXY_ATTEMPTS)


def proxy_backoff() -> float:
    return float(settings.DOI_PROXY_BACKOFF)


def proxy_timeout() -> float:
    return float(settings.DOI_PROXY_TIMEOUT)


def proxy_concurrency() -> int:
    return int(settings.PROXY_CONCURRENCY)


def proxy_rate() -> float:
    return float(settings.PROXY_RATE)


def longest_pause() -> float:
    """Seconds for which all requests are held back at most, however long the proxy asks for."""
    return float(settings.PROXY_LONGEST_PAUSE)


def contact_email() -> str:
    """Where to write to whoever runs the portal; "" when that was not said."""
    return str(settings.CONTACT_EMAIL)


def user_agent() -> str:
    """Who asks: the proxy is a shared public service, and its keepers must be able to write to us."""
    contact = contact_email()
    return f"doiportal/0.1 (mailto:{contact})" if contact else "doiportal/0.1"


def redis_url() -> str:
    return str(settings.REDIS_URL)


def data_dir() -> Path:
    return Path(settings.DOIPORTAL_DATA_DIR)


def uploads_dir() -> Path:
    folder = data_dir() / "uploads"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def incoming_dir() -> Path:
    """Where uploads lie until they are taken in."""
    return Path(settings.FILE_UPLOAD_TEMP_DIR)


def messages_dir() -> Path | None:
    """Where the broker made of files keeps its messages; None with Redis."""
    folder = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("data_folder_out")
    return Path(folder) if folder else None


def sample_data() -> bool:
    """The answers come from the sample proxy: every page and result must say so."""
    return bool(settings.DOIPORTAL_SAMPLE_DATA)


def open_to_all() -> bool:
    return bool(settings.DOIPORTAL_OPEN)


def fresh_for() -> timedelta:
    """How long a stored answer of the DOI proxy is taken for true (P13 lets a proxy keep answers for a day)."""
    return timedelta(hours=settings.ANSWERS_FRESH_HOURS)


def max_stored_answers() -> int:
    """Names of which answers are stored; the oldest beyond are removed by and by."""
    return int(settings.MAX_STORED_ANSWERS)


def country_header() -> str:
    """The header in which the server before us names the requester's country (L4); "" when none does."""
    return str(settings.COUNTRY_HEADER)


def country() -> str:
    """The country of all requesters whose country no header names (L4); "" when that is not known."""
    return str(settings.COUNTRY)


def max_upload_bytes() -> int:
    return int(settings.MAX_UPLOAD_BYTES)


def longest_body() -> int:
    """Bytes of a file with the form around it; the web server receives no more."""
    return int(settings.LONGEST_BODY)


def max_rows() -> int:
    return int(settings.MAX_ROWS)


def max_cell() -> int:
    """Code points of a text that is read as a DOI; a longer one gets the problem too-long (S7)."""
    return int(settings.MAX_CELL)


def max_pasted() -> int:
    """Characters of a text that is pasted as a list; a longer one is a file's business."""
    return int(settings.MAX_PASTED)


def max_inspected() -> int:
    """Characters of all texts of one POST inspections together; more are refused."""
    return int(settings.MAX_INSPECTED)


def max_field() -> int:
    """Characters of a cell in any column of a file; a longer one refuses the file."""
    return int(settings.MAX_FIELD)


def max_expanded() -> int:
    """Bytes that a workbook or a gzip'd text may unpack to."""
    return int(settings.MAX_EXPANDED)


def keep_for() -> timedelta | None:
    """How long lookups and lists are kept, a hundred years at most; None: until somebody deletes them."""
    return timedelta(days=min(settings.KEEP_DAYS, 36_500)) if settings.KEEP_DAYS else None


def account_session() -> timedelta:
    """How long somebody stays logged in."""
    return timedelta(days=settings.ACCOUNT_SESSION_DAYS)
