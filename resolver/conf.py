"""The app's settings, read in one typed place. `doiportal/settings.py` reads them from the environment."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings

T = TypeVar("T")


def _setting(name: str, kind: Callable[[Any], T]) -> Callable[[], T]:
    """Return a function that reads the setting: a test may override it, and nothing is read before Django is ready."""
    return lambda: kind(getattr(settings, name))


proxy_url = _setting("DOI_PROXY_URL", str)
proxy_attempts = _setting("DOI_PROXY_ATTEMPTS", int)
proxy_backoff = _setting("DOI_PROXY_BACKOFF", float)
proxy_timeout = _setting("DOI_PROXY_TIMEOUT", float)
proxy_concurrency = _setting("PROXY_CONCURRENCY", int)
proxy_rate = _setting("PROXY_RATE", float)
longest_pause = _setting("PROXY_LONGEST_PAUSE", float)
"""The longest pause of all requests, in seconds, however long the proxy asks for."""
contact_email = _setting("CONTACT_EMAIL", str)
"""The address of the people who run the portal, or ""."""
privacy_contact = _setting("PRIVACY_CONTACT", str)
"""Whom people ask about their data: an e-mail address, the address of a page, or ""."""
sentry_dsn = _setting("SENTRY_DSN", str)
"""Where errors are reported, or ""."""
redis_url = _setting("REDIS_URL", str)
data_dir = _setting("DOIPORTAL_DATA_DIR", Path)
manage_command = _setting("MANAGE_COMMAND", str)
"""What operators call the command line of Django: `manage.py`, or `doiportal manage` if it is installed."""
incoming_dir = _setting("FILE_UPLOAD_TEMP_DIR", Path)
"""The folder of uploads before they are stored."""
sample_data = _setting("DOIPORTAL_SAMPLE_DATA", bool)
"""Whether the answers come from the sample proxy; then every page and result must say so."""
webhook_allow_private = _setting("WEBHOOK_ALLOW_PRIVATE", bool)
"""Whether webhooks may have addresses inside the network, http and any port."""
host_checks = _setting("HOST_CHECKS", bool)
"""Whether the portal may contact the hosts to which the DOIs of a list lead."""
open_to_all = _setting("DOIPORTAL_OPEN", bool)
api_dois_per_minute = _setting("API_DOIS_PER_MINUTE", int)
"""DOIs that a token, an account or an address may ask about in a minute through the API; 0: no limit."""
max_lists_per_day = _setting("MAX_LISTS_PER_DAY", int)
max_rows_per_day = _setting("MAX_ROWS_PER_DAY", int)
max_requests_per_day = _setting("MAX_REQUESTS_PER_DAY", int)
"""Requests to the API, or lists and rows that are checked, of one account on one day; 0: no limit."""
max_watches = _setting("MAX_WATCHES", int)
"""Of one owner."""
max_watched_names = _setting("MAX_WATCHED_NAMES", int)
"""Rows of all watched lists of one owner together."""
mail_from = _setting("EMAIL_FROM", str)
max_stored_answers = _setting("MAX_STORED_ANSWERS", int)
"""Names with stored answers; beyond it the oldest are removed."""
country_header = _setting("COUNTRY_HEADER", str)
"""The header in which the server in front names the requester's country (L4), or ""."""
country = _setting("COUNTRY", str)
"""The country of requesters without that header (L4), or ""."""
max_upload_bytes = _setting("MAX_UPLOAD_BYTES", int)
longest_body = _setting("LONGEST_BODY", int)
"""Bytes of a file and the form around it; the web server receives no more."""
max_rows = _setting("MAX_ROWS", int)
max_cell = _setting("MAX_CELL", int)
"""Code points of a text that is read as a DOI; a longer one gets the problem too-long (S7)."""
max_pasted = _setting("MAX_PASTED", int)
"""Characters of a text that is pasted as a list; a longer one must be a file."""
max_inspected = _setting("MAX_INSPECTED", int)
"""Characters of all texts of one POST inspections together; more are refused."""
max_field = _setting("MAX_FIELD", int)
"""Characters of a cell in any column of a file; a longer one refuses the file."""
max_expanded = _setting("MAX_EXPANDED", int)
"""Bytes that a workbook or a gzip'd text may unpack to."""
stored_factor = _setting("STORED_FACTOR", int)
"""How many times the bytes of its upload the text of a list may take in the database; 0: no limit."""
bytes_per_day = _setting("BYTES_PER_DAY", int)
"""Bytes that one address without an account may upload in a day; 0: no limit."""
disk_reserve = _setting("DISK_RESERVE", int)
"""Bytes that must be free on the disks of the portal, or it takes no uploads."""


remote_user_header = _setting("REMOTE_USER_HEADER", str)
"""The header in which a trusted server names a person who has logged in there, or ""."""
remote_user_groups = _setting("REMOTE_USER_GROUPS", frozenset[str])
"""The groups that may use the portal; none: everyone may. The same holds for OIDC and SAML."""
remote_admin_groups = _setting("REMOTE_ADMIN_GROUPS", frozenset[str])
"""The groups that may administer it; none: the rights are given in the admin pages."""
oidc_server_url = _setting("OIDC_SERVER_URL", str)
"""The issuer of the OpenID provider at which people log in, without a slash at its end, or ""."""
oidc_client_id = _setting("OIDC_CLIENT_ID", str)
oidc_client_secret = _setting("OIDC_CLIENT_SECRET", str)
oidc_name = _setting("OIDC_NAME", str)
"""What people call the provider, as on its button; also `saml_name`."""
oidc_scopes = _setting("OIDC_SCOPES", tuple[str, ...])
oidc_username_claim = _setting("OIDC_USERNAME_CLAIM", str)
oidc_groups_claim = _setting("OIDC_GROUPS_CLAIM", str)
oidc_user_groups = _setting("OIDC_USER_GROUPS", frozenset[str])
oidc_admin_groups = _setting("OIDC_ADMIN_GROUPS", frozenset[str])
saml_idp_metadata = _setting("SAML_IDP_METADATA", str)
"""The metadata of the SAML identity provider at which people log in: a file, or an address, or ""."""
saml_idp_entity_id = _setting("SAML_IDP_ENTITY_ID", str)
"""Which provider of the metadata it is; "": the only one."""
saml_entity_id = _setting("SAML_ENTITY_ID", str)
"""What the portal is called at the provider; "": the address of its metadata."""
saml_key_file = _setting("SAML_KEY_FILE", str)
saml_certificate_file = _setting("SAML_CERTIFICATE_FILE", str)
saml_name = _setting("SAML_NAME", str)
saml_subject_attribute = _setting("SAML_SUBJECT_ATTRIBUTE", str)
"""The attribute with a person's lasting identifier; "": the NameID, which must be persistent."""
saml_username_attribute = _setting("SAML_USERNAME_ATTRIBUTE", str)
saml_groups_attribute = _setting("SAML_GROUPS_ATTRIBUTE", str)
saml_user_groups = _setting("SAML_USER_GROUPS", frozenset[str])
saml_admin_groups = _setting("SAML_ADMIN_GROUPS", frozenset[str])
metrics_token = _setting("METRICS_TOKEN", str)
"""What a program sends as a bearer token to read the metrics from elsewhere; "": only this machine may read them."""
metrics_dir = _setting("METRICS_DIR", str)
"""The folder in which all processes write their counts; "": each keeps them in its memory."""


def sends_mail() -> bool:
    """Return whether the operator has named a mail server."""
    return bool(settings.EMAIL_HOST)


def user_agent() -> str:
    """Return the User-Agent: the proxy is a shared public service, and its operators must be able to write to us."""
    contact = contact_email()
    product = f"doiportal/{settings.VERSION}"
    return f"{product} (mailto:{contact})" if contact else product


def uploads_dir() -> Path:
    """Return the folder of stored uploads, unless FILES_URL names another place. Creates it."""
    folder = data_dir() / "uploads"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def copies_dir() -> Path:
    """Return the folder of this machine's copies of files in object storage. Creates it."""
    folder = data_dir() / "copies"
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


def retention_period() -> timedelta | None:
    """Return how long lookups and lists are kept, at most a hundred years; None: until they are deleted."""
    return timedelta(days=min(settings.KEEP_DAYS, 36_500)) if settings.KEEP_DAYS else None


def session_lifetime() -> timedelta:
    """Return how long an account stays logged in."""
    return timedelta(days=settings.ACCOUNT_SESSION_DAYS)


def find_misspelt_names() -> list[tuple[str, str]]:
    """Return the variables of the environment that look like misspelt settings, each with the name that is meant."""
    return list(settings.FIND_MISSPELT_NAMES())
