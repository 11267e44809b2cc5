"""All settings, from the environment (the table is in docs/for-operators.md); nothing else reads it.
Without any variable set the portal runs by itself: SQLite, broker and cache made of files, all in the data folder."""

import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs
from django.core.exceptions import ImproperlyConfigured

from doiportal.env import (
    env_address,
    env_bool,
    env_choice,
    env_contact,
    env_country,
    env_database,
    env_doi_proxy,
    env_float,
    env_header,
    env_host,
    env_hosts,
    env_int,
    env_list,
    env_mail_server,
    env_networks,
    env_origins,
    env_prefix,
    env_redis,
    env_sender,
    env_str,
    env_url,
    find_misspelt_names,
    host_in_url,
)
from doiportal.logs.lines import FORMATS, build_formatter
from doiportal.middleware.security_headers import add_policy_of_worker, join_policy
from doiportal.upload_storage_setting import env_files
from doiportal.version import VERSION as VERSION

# --- places -----------------------------------------------------------------------------------------------------------

PACKAGE_DIR = Path(__file__).resolve().parent
BASE_DIR = PACKAGE_DIR.parent
# Installed from a wheel, or run from a checkout: there the templates, static files and translations are beside the
# package.
INSTALLED = (PACKAGE_DIR / "templates").is_dir()
FILES_DIR = PACKAGE_DIR if INSTALLED else BASE_DIR
# A relative name counts from the checkout, or else from the current folder. Without a name it is `var` in the checkout,
# or the folder that the system has for the data of this user's programs.
data_dir = env_str("DOIPORTAL_DATA_DIR")
if INSTALLED and not data_dir:
    DOIPORTAL_DATA_DIR = platformdirs.user_data_path("doiportal", appauthor=False)
else:
    DOIPORTAL_DATA_DIR = Path("" if INSTALLED else BASE_DIR, data_dir or "var").resolve()
# Uploads are strangers' files and the database holds their history: no other account on the machine may read them.
try:
    DATA_DIR_IS_NEW = not DOIPORTAL_DATA_DIR.exists()
    DOIPORTAL_DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
except OSError as error:
    raise ImproperlyConfigured(
        f"the data folder {DOIPORTAL_DATA_DIR} can't be made: {error.strerror}. Set DOIPORTAL_DATA_DIR to another one"
    ) from None
if not os.access(DOIPORTAL_DATA_DIR, os.X_OK):
    raise ImproperlyConfigured(
        f"the data folder {DOIPORTAL_DATA_DIR} is closed to this account. Use the account that runs the portal, or set "
        "DOIPORTAL_DATA_DIR to another folder"
    )
# What the texts for operators call the command line of Django.
MANAGE_COMMAND = "doiportal manage" if INSTALLED else "manage.py"


def make_data_folder(name: str) -> Path:
    folder = DOIPORTAL_DATA_DIR / name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


# --- safety -----------------------------------------------------------------------------------------------------------


def get_or_create_secret_key(path: Path) -> str:
    """The key kept in `path`, made at the first start. Two processes that start at once agree on one key:
    the key is written to a file of its own and linked into place, which only the first one can do."""
    if not path.exists():
        own = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(64))
            os.link(own, path)
        except FileExistsError:
            pass
        finally:
            own.unlink()
    return path.read_text().strip()


MOST_DAYS = 36_500  # a hundred years: a time so far off can still be computed
A_YEAR_IN_SECONDS = 365 * 24 * 3600

DEBUG = env_bool("DEBUG", False)
SECRET_KEY = env_str("SECRET_KEY") or get_or_create_secret_key(DOIPORTAL_DATA_DIR / "secret_key")
HOST = env_host("HOST", "127.0.0.1")
PORT = env_int("PORT", 8000, least=1, most=65_535)
OUR_HOSTS = dict.fromkeys(["127.0.0.1", "localhost", "[::1]", host_in_url(HOST)])
# This machine's own names always count: health checks, Prometheus and the supervisor use them.
ALLOWED_HOSTS = list(dict.fromkeys([*env_hosts("ALLOWED_HOSTS"), *OUR_HOSTS]))
CSRF_TRUSTED_ORIGINS = env_origins("CSRF_TRUSTED_ORIGINS")
# The path under which a server in front serves the portal: all its addresses and cookies begin with it.
URL_PREFIX = env_prefix("URL_PREFIX")
FORCE_SCRIPT_NAME = URL_PREFIX or None
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = URL_PREFIX or "/"


def name_cookie(name: str) -> str:
    """Return the name of a cookie; below a path it is the portal's own (`sessionid.library.doi`). A browser sends the
    cookies of the whole host there too, and of two with one name Django would read that of the host."""
    return f"{name}{URL_PREFIX.replace('/', '.')}"


SESSION_COOKIE_NAME = name_cookie("sessionid")
CSRF_COOKIE_NAME = name_cookie("csrftoken")
LANGUAGE_COOKIE_NAME = name_cookie("language")
MESSAGES_COOKIE_NAME = name_cookie("messages")
KNOWN_BROWSER_COOKIE_NAME = name_cookie("known-browser")
MESSAGE_STORAGE = "doiportal.message_cookie.NamedMessageStorage"
# The servers in front that may name the requester: doiportal/server/requester.py sets REMOTE_ADDR by it.
TRUSTED_PROXIES = env_networks("TRUSTED_PROXIES")

# People who log in at a server in front: the headers with their name and groups; the groups that may use the portal
# (none: everyone), and those that may administer it (none: only those whom an administrator has made one).
REMOTE_USER_HEADER = env_header("REMOTE_USER_HEADER")
REMOTE_GROUPS_HEADER = env_header("REMOTE_GROUPS_HEADER")
REMOTE_USER_GROUPS = env_list("REMOTE_USER_GROUPS")
REMOTE_ADMIN_GROUPS = env_list("REMOTE_ADMIN_GROUPS")
if REMOTE_USER_HEADER and not TRUSTED_PROXIES:
    raise ImproperlyConfigured("REMOTE_USER_HEADER needs TRUSTED_PROXIES: the servers that may set this header")
if (REMOTE_USER_GROUPS or REMOTE_ADMIN_GROUPS) and not (REMOTE_USER_HEADER and REMOTE_GROUPS_HEADER):
    raise ImproperlyConfigured("REMOTE_USER_GROUPS and REMOTE_ADMIN_GROUPS need both header names")

# People who log in at an OpenID provider: its address, what it knows the portal by, the text on the button, the claims
# with a person's name and groups, and the groups as above.
OIDC_SERVER_URL = env_url("OIDC_SERVER_URL").removesuffix("/.well-known/openid-configuration").rstrip("/")
OIDC_CLIENT_ID = env_str("OIDC_CLIENT_ID")
OIDC_CLIENT_SECRET = env_str("OIDC_CLIENT_SECRET")
OIDC_NAME = env_str("OIDC_NAME", urlsplit(OIDC_SERVER_URL).hostname or "")
OIDC_SCOPES = env_str("OIDC_SCOPES", "openid profile").split()
OIDC_USERNAME_CLAIM = env_str("OIDC_USERNAME_CLAIM", "preferred_username")
OIDC_GROUPS_CLAIM = env_str("OIDC_GROUPS_CLAIM", "groups")
OIDC_USER_GROUPS = env_list("OIDC_USER_GROUPS")
OIDC_ADMIN_GROUPS = env_list("OIDC_ADMIN_GROUPS")
if (OIDC_CLIENT_ID or OIDC_CLIENT_SECRET or OIDC_USER_GROUPS or OIDC_ADMIN_GROUPS) and not OIDC_SERVER_URL:
    raise ImproperlyConfigured("OIDC_SERVER_URL is missing: set it to the issuer of your OpenID provider")
if OIDC_SERVER_URL and not (OIDC_CLIENT_ID and OIDC_CLIENT_SECRET):
    raise ImproperlyConfigured("OIDC_SERVER_URL needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: your provider shows both")
if len(OIDC_SERVER_URL) > 190:
    raise ImproperlyConfigured("OIDC_SERVER_URL is longer than 190 characters, so accounts can't be bound to it")
if "openid" not in OIDC_SCOPES:
    raise ImproperlyConfigured("OIDC_SCOPES must hold openid, and words are separated by spaces")

# The same for a SAML identity provider: its metadata (a file, or an address), which of several it is, the portal's own
# name and keys, the text on the button, and the attributes with a person's lasting identifier, name and groups.
SAML_IDP_METADATA = env_str("SAML_IDP_METADATA")
SAML_IDP_ENTITY_ID = env_str("SAML_IDP_ENTITY_ID")
SAML_ENTITY_ID = env_str("SAML_ENTITY_ID")
SAML_KEY_FILE = env_str("SAML_KEY_FILE")
SAML_CERTIFICATE_FILE = env_str("SAML_CERTIFICATE_FILE")
SAML_NAME = env_str("SAML_NAME", SAML_IDP_METADATA and (urlsplit(SAML_IDP_METADATA).hostname or "SAML"))
SAML_SUBJECT_ATTRIBUTE = env_str("SAML_SUBJECT_ATTRIBUTE")
SAML_USERNAME_ATTRIBUTE = env_str("SAML_USERNAME_ATTRIBUTE", "urn:oid:0.9.2342.19200300.100.1.1")
SAML_GROUPS_ATTRIBUTE = env_str("SAML_GROUPS_ATTRIBUTE", "urn:oid:1.3.6.1.4.1.5923.1.5.1.1")
SAML_USER_GROUPS = env_list("SAML_USER_GROUPS")
SAML_ADMIN_GROUPS = env_list("SAML_ADMIN_GROUPS")
if (SAML_ENTITY_ID or SAML_KEY_FILE or SAML_USER_GROUPS or SAML_ADMIN_GROUPS) and not SAML_IDP_METADATA:
    raise ImproperlyConfigured("SAML_IDP_METADATA is missing: set it to the metadata of your identity provider")
if bool(SAML_KEY_FILE) != bool(SAML_CERTIFICATE_FILE):
    raise ImproperlyConfigured("SAML_KEY_FILE and SAML_CERTIFICATE_FILE need each other")

if REMOTE_USER_HEADER and (OIDC_SERVER_URL or SAML_IDP_METADATA):
    raise ImproperlyConfigured("With REMOTE_USER_HEADER unset OIDC_SERVER_URL and SAML_IDP_METADATA: it names everyone")

if not DEBUG:
    if len(SECRET_KEY) < 32 or SECRET_KEY.startswith("django-insecure"):
        raise ImproperlyConfigured("SECRET_KEY is unsafe: give 32 characters or more, or unset it to have one made")
    if "*" in ALLOWED_HOSTS:
        raise ImproperlyConfigured("ALLOWED_HOSTS may not hold '*': name the hosts, or set DEBUG=1 on your own machine")

# The public address is https: then no cookie may travel over plain http.
PUBLIC_HTTPS = bool(CSRF_TRUSTED_ORIGINS) and all(origin.startswith("https://") for origin in CSRF_TRUSTED_ORIGINS)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PUBLIC_HTTPS
HTTPS_SECONDS = A_YEAR_IN_SECONDS  # for which a browser remembers to use https only
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = A_YEAR_IN_SECONDS  # an anonymous librarian's history depends on this cookie
SESSION_ENGINE = "doiportal.session_store"
ACCOUNT_SESSION_DAYS = env_int("ACCOUNT_SESSION_DAYS", 14, least=1, most=MOST_DAYS)  # after a login
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Nothing but our own files, and nothing inside a page that runs or styles: what a stranger writes stays text.
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "font-src": ["'self'"],
    "img-src": ["'self'"],
    "connect-src": ["'self'"],
    "object-src": ["'none'"],  # as default-src says; what checks a policy looks for it
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}
# For the page that reads texts in the browser, and for its worker: WebAssembly runs there, and nowhere else.
READING_POLICY = join_policy(
    {**SECURE_CSP, "script-src": ["'self'", "'wasm-unsafe-eval'"], "worker-src": ["'self'"]},
)
# What no page of ours asks a browser for. The clipboard is not among them: names are copied to it.
FORBIDDEN_FEATURES = ["camera", "geolocation", "microphone", "payment", "usb"]

# --- the app ----------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin.apps.SimpleAdminConfig",  # doiportal/urls.py loads what the admin shows
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    # Their tables are in every portal; the adapter below does everything that a person sees (docs/decisions/0017).
    "allauth.account",
    "allauth.socialaccount",
    "django_htmx",
    "rest_framework",
    "resolver",
]

MIDDLEWARE = [
    "doiportal.middleware.answer_counts.AnswerCountMiddleware",
    "doiportal.logs.ids.RequestIdMiddleware",
    "doiportal.middleware.security_headers.SecurityHeadersMiddleware",  # for the answers of all below
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "doiportal.middleware.gateway_first.GatewayFirstMiddleware",  # what stands below is for pages
    "django.contrib.sessions.middleware.SessionMiddleware",
    "doiportal.middleware.pages.PageLanguage",
    "doiportal.middleware.pages.BodyLengthMiddleware",
    "doiportal.middleware.foreign_origin.ForeignOriginMiddleware",  # before anything looks at the session
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "doiportal.middleware.remote_login.RemoteLogin",
    "resolver.web.site.login.LoginRequiredUnlessOpen",
    "django.contrib.messages.middleware.MessageMiddleware",
    "resolver.web.site.login.BoundedLogins",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "doiportal.middleware.pages.MethodNotAllowedMiddleware",
    "allauth.account.middleware.AccountMiddleware",  # allauth does not start without it
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates"],
        "OPTIONS": {
            "loaders": ["resolver.web.site.template_loader.TemplateLoader"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "resolver.web.site.context_processors.portal",
            ],
            "builtins": [
                "django.templatetags.i18n",
                "resolver.web.wording.label_filters",
                "resolver.web.wording.text_filters",
                "django.contrib.humanize.templatetags.humanize",
                "resolver.web.jobs.template_tags",
            ],
        },
    }
]

FORM_RENDERER = "resolver.web.site.form_renderer.FieldRenderer"
ROOT_URLCONF = "doiportal.urls"
WSGI_APPLICATION = "doiportal.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
APPEND_SLASH = False  # a DOI name may end with or without a slash; addresses here have none to add
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
AUTHENTICATION_BACKENDS = ["resolver.services.logins.backend.CountedGuesses"]
if REMOTE_USER_HEADER:
    AUTHENTICATION_BACKENDS.append("resolver.services.logins.remote_users.LoggedInBefore")
SOCIALACCOUNT_ADAPTER = "resolver.web.sign_on.adapter.SignOnAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
PASSWORD_HASHERS = ["resolver.services.logins.password_hasher.GatedHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTH_PASSWORD_VALIDATORS.append({"NAME": "resolver.web.site.password_words.PortalWordsValidator"})

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]  # each by its own name: who looks for it can read it
LOCALE_PATHS = [FILES_DIR / "locale"]
LANGUAGE_COOKIE_AGE = A_YEAR_IN_SECONDS
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = PUBLIC_HTTPS
FORMAT_MODULE_PATH = "doiportal.formats"  # how dates are written
TIME_ZONE = "UTC"

STATIC_URL = f"{URL_PREFIX}/static/"
# Where an image has collected them already; without it each start collects them into the data folder.
STATIC_DIR = env_str("STATIC_DIR")
STATIC_ROOT = Path(STATIC_DIR) if STATIC_DIR else make_data_folder("static")
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [FILES_DIR / "static"]
# The files of Pyodide, which `make reading-files` puts among the static ones. The page /read is there only with them.
READING_FILES = FILES_DIR / "static/reading"
if reading_files := env_str("READING_FILES"):
    READING_FILES = Path("" if INSTALLED else BASE_DIR, reading_files).resolve()
    if not (READING_FILES / "pyodide.mjs").is_file():
        raise ImproperlyConfigured(f"READING_FILES must name the folder that has pyodide.mjs, not {READING_FILES}")
    STATICFILES_DIRS.insert(0, ("reading", READING_FILES))
WHITENOISE_ADD_HEADERS_FUNCTION = add_policy_of_worker
STORAGES = {
    "default": env_files("FILES_URL"),  # uploads
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["resolver.api.protocol.json_negotiation.BoundedJsonParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "resolver.api.protocol.json_negotiation.JsonNegotiation",
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "resolver.api.protocol.access.BearerLogin",
        "resolver.api.protocol.access.TokenLogin",
        "resolver.api.protocol.access.SessionLogin",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "resolver.api.protocol.access.IsOpenOrAuthenticated",
        "resolver.api.protocol.access.TokenMayWrite",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["resolver.api.protocol.daily_quotas.DailyRequests"],
    "EXCEPTION_HANDLER": "resolver.api.errors.answer_with_problem",
    "NON_FIELD_ERRORS_KEY": "body",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    # Escapes carry any code point; raw text could not carry a lone surrogate, which names in files do hold.
    "UNICODE_JSON": False,
    "URL_FORMAT_OVERRIDE": None,
}

# How `manage.py writeschema` writes the description of the REST API.
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "doiportal",
    "VERSION": "1",
    "DESCRIPTION": "Check DOIs one at a time or as a list, and read the results.",
    "LICENSE": {},
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "COMPONENT_SPLIT_PATCH": False,
    "POSTPROCESSING_HOOKS": ["resolver.api.openapi.document.complete_components"],
    "AUTHENTICATION_WHITELIST": [],
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "session": {
                "type": "apiKey",
                "in": "cookie",
                "name": "sessionid",  # in the file; read_document has the name of this portal
                "description": "The cookie that the first request sets, or that of a login. Send it again.",
            },
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": "An API token of an account, made on the account page or by `createtoken`.",
            },
        }
    },
    "SECURITY": [{"token": []}, {"session": []}, {}],
}

# --- database ---------------------------------------------------------------------------------------------------------

DATABASES: dict[str, Any] = {
    "default": env_database("DATABASE_URL", f"sqlite:///{DOIPORTAL_DATA_DIR / 'doiportal.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"] |= {"ENGINE": "doiportal.postgresql_socket_check", "CONN_HEALTH_CHECKS": True}
    # For libpq, unless the address says others. A server behind a firewall may never answer: seconds for a connection.
    # A firewall or a lost server may drop all packets of an open one: then it ends after a minute, whether we send
    # (tcp_user_timeout, in milliseconds) or wait for an answer (keepalives, in seconds).
    DATABASES["default"]["OPTIONS"] = {
        "connect_timeout": 5,
        "tcp_user_timeout": 60_000,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
    } | DATABASES["default"].get("OPTIONS", {})
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Web and worker write at the same time. A transaction that begins as a reader and then writes fails at once
        # when another has written meanwhile, however long the timeout: so every transaction begins as a writer.
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        # Room for the indexes of a long list: fewer pages are read again, and moved from the log one by one.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
        "PRAGMA cache_size=-16000; PRAGMA wal_autocheckpoint=8000; "
        # Bytes: a log that was once longer is cut when it starts over.
        "PRAGMA journal_size_limit=100000000;",
    }
    # A relative name is that of a file in the checkout, or in the data folder: never in the folder of the shell.
    DATABASES["default"]["NAME"] = (DOIPORTAL_DATA_DIR if INSTALLED else BASE_DIR) / DATABASES["default"]["NAME"]
    DATABASES["default"]["ENGINE"] = "doiportal.sqlite_private_file"
    # Tests use a file too: an in-memory database knows neither WAL nor other processes.
    DATABASES["default"]["TEST"] = {"NAME": DOIPORTAL_DATA_DIR / "test.sqlite3"}

# --- cache, broker ----------------------------------------------------------------------------------------------------

REDIS_URL = env_redis("REDIS_URL")
if REDIS_URL:
    # Seconds: a Redis that hangs, or whose packets are lost, must not hold the threads of the web server.
    REDIS_TIMEOUTS = {"socket_timeout": 5, "socket_connect_timeout": 5}
    CACHES: dict[str, Any] = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": REDIS_TIMEOUTS,
        }
    }
    CELERY_BROKER_URL = REDIS_URL
    # A message that its worker did not acknowledge comes back after this time; the sweep is faster anyway.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"visibility_timeout": 3600, **REDIS_TIMEOUTS}
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": make_data_folder("cache"),
            # A full one loses a third of its entries by chance, those that still count too; expired ones fill it.
            "OPTIONS": {"MAX_ENTRIES": 10_000},
        }
    }
    CELERY_BROKER_URL = "doiportal-files://localhost"  # see broker/kombu_transports.py
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # In and out are one folder: what the web process puts there the worker takes from there.
        "data_folder_in": str(make_data_folder("broker/messages")),
        "data_folder_out": str(make_data_folder("broker/messages")),
        "polling_interval": 0.1,  # seconds between two looks into the folder, which holds few messages at any time
    }

CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True  # the truth of a job is in the database
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_POOL = "doiportal.broker.worker_pool:TaskPool"
# `celery inspect ping` asks workers and scheduler how they are. A broker made of files would keep every such message.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = CELERY_BEAT_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)
CELERY_BEAT_SCHEDULER = "doiportal.broker.beat_scheduler:QuietScheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 15  # seconds between two rounds; after a minute without one it doesn't answer a ping
CELERY_BEAT_SCHEDULE = {
    # Puts a message into the queue for work without a lease, after lost messages, killed workers and restarts.
    "sweep": {"task": "resolver.tasks.sweep", "schedule": 15.0, "options": {"expires": 15.0}},
    "watch": {"task": "resolver.tasks.watch", "schedule": 60.0, "options": {"expires": 60.0}},
    "prune": {"task": "resolver.tasks.prune", "schedule": 900.0, "options": {"expires": 900.0}},
    # Looks whether the list is a week old: a scheduler that is restarted now and then would never come to seven days.
    "retractions": {"task": "resolver.tasks.load_retractions", "schedule": 3600.0, "options": {"expires": 3600.0}},
}

# --- uploads ----------------------------------------------------------------------------------------------------------

MAX_UPLOAD_BYTES = env_int("MAX_UPLOAD_BYTES", 200 * 1024 * 1024, least=1)
MAX_ROWS = env_int("MAX_ROWS", 1_000_000, least=1)
MAX_CELL = env_int("MAX_CELL", 10_000, least=1)  # code points that are read as a DOI
MAX_PASTED = env_int("MAX_PASTED", 1_000_000, least=MAX_CELL)  # characters of a list that is pasted into the page
MAX_INSPECTED = env_int("MAX_INSPECTED", 500_000, least=MAX_CELL)  # characters of all inputs of POST inspections
MAX_FIELD = env_int("MAX_FIELD", 1_000_000, least=MAX_CELL)  # characters of any cell: a longer one refuses the file
MAX_EXPANDED = env_int("MAX_EXPANDED", 600_000_000, least=1)  # bytes that a workbook or gzip'd text unpacks to
STORED_FACTOR = env_int("STORED_FACTOR", 50)  # times the bytes of its upload that a list may store; 0: no limit
BYTES_PER_DAY = env_int("BYTES_PER_DAY", 2_000_000_000)  # that an address without an account may upload; 0: no limit
DISK_RESERVE = env_int("DISK_RESERVE", 1_000_000_000)  # bytes; with less free, uploads are refused; 0: none are kept
LONGEST_BODY = MAX_UPLOAD_BYTES + 1024 * 1024  # with the form around the file; no longer one is received
DATA_UPLOAD_MAX_MEMORY_SIZE = 16 * 1024 * 1024  # a form or JSON body; files are not counted
DATA_UPLOAD_MAX_NUMBER_FILES = 5
# Straight to disk, however large: no upload is ever held in memory as a whole.
FILE_UPLOAD_HANDLERS = ["resolver.services.uploads.stored_uploads.DiskUploadHandler"]
FILE_UPLOAD_TEMP_DIR = make_data_folder("incoming")
FILE_UPLOAD_PERMISSIONS = 0o600

# --- keeping ----------------------------------------------------------------------------------------------------------

# Days after which lookups and lists are removed; 0: their owners do it.
KEEP_DAYS = env_int("KEEP_DAYS", 365, most=MOST_DAYS)

PRIVACY_CONTACT = env_contact("PRIVACY_CONTACT")  # whom people ask about their data; "": CONTACT_EMAIL

# --- the DOI proxy ----------------------------------------------------------------------------------------------------

DOI_PROXY_URL = env_doi_proxy("DOI_PROXY_URL", "https://doi.org")
DOI_PROXY_ATTEMPTS = env_int("DOI_PROXY_ATTEMPTS", 3, least=1)
DOI_PROXY_BACKOFF = env_float("DOI_PROXY_BACKOFF", 0.5)
DOI_PROXY_TIMEOUT = env_float("DOI_PROXY_TIMEOUT", 20.0)
PROXY_CONCURRENCY = env_int("PROXY_CONCURRENCY", 4, least=1)
PROXY_RATE = env_float("PROXY_RATE", 10.0)
PROXY_LONGEST_PAUSE = env_float("PROXY_LONGEST_PAUSE", 60.0)  # seconds, however long Retry-After says
CONTACT_EMAIL = env_contact("CONTACT_EMAIL", in_header=True)
ANSWERS_FRESH_HOURS = env_float("ANSWERS_FRESH_HOURS", 24.0, most=24.0)
ABSENT_FRESH_MINUTES = env_float("ABSENT_FRESH_MINUTES", 60.0, most=1440.0)
# Lets rows be compared with the title and author that their agency gives. 0 forbids all requests to these services.
METADATA = env_bool("METADATA", True)
METADATA_FRESH_DAYS = env_float("METADATA_FRESH_DAYS", 30.0, most=365.0)
METADATA_SERVICE_URL = env_address("METADATA_SERVICE_URL")  # one server in place of all metadata services
# Lets works be searched by the titles and authors of rows. 0 forbids it.
SEARCH = env_bool("SEARCH", True)
SEARCH_URL = env_address("SEARCH_URL")  # the operator's own service: no other is searched
OPENALEX_KEY = env_str("OPENALEX_KEY")
SEARCHES_PER_DAY = env_int("SEARCHES_PER_DAY", 10_000)  # for each account, and each address without one; 0: no limit
# Retraction Watch's list, loaded once a week. Empty: it is loaded by hand, or not at all.
RETRACTIONS_URL = env_str("RETRACTIONS_URL")
API_DOIS_PER_MINUTE = env_int("API_DOIS_PER_MINUTE", 6000)
MAX_LISTS_PER_DAY = env_int("MAX_LISTS_PER_DAY", 0)
MAX_ROWS_PER_DAY = env_int("MAX_ROWS_PER_DAY", 0)
MAX_REQUESTS_PER_DAY = env_int("MAX_REQUESTS_PER_DAY", 0)
MAX_STORED_ANSWERS = env_int("MAX_STORED_ANSWERS", 2_000_000, least=1)
# Where a requester is, for records that choose an address by country: never guessed.
COUNTRY_HEADER = env_header("COUNTRY_HEADER")
COUNTRY = env_country("COUNTRY")
DOIPORTAL_OPEN = env_bool("DOIPORTAL_OPEN", True)
# Lets webhooks reach addresses inside the network, by http and on any port.
WEBHOOK_ALLOW_PRIVATE = env_bool("WEBHOOK_ALLOW_PRIVATE", False)
# Lets workers contact the hosts to which the DOIs of a list lead, when somebody asks for it.
HOST_CHECKS = env_bool("HOST_CHECKS", True)
# Set by the supervisor when it started the sample proxy itself: then every page and result says so.
DOIPORTAL_SAMPLE_DATA = env_bool("DOIPORTAL_SAMPLE_DATA", False)

# --- watches and mails ----------------------------------------------------------------------------------------------

MAX_WATCHES = env_int("MAX_WATCHES", 20)  # of one owner; 0: none
MAX_WATCHED_NAMES = env_int("MAX_WATCHED_NAMES", 200_000, least=1)  # rows of all watched lists of one owner
# Without a mail server nothing about mails is offered.
MAIL_SERVER = env_mail_server("EMAIL_URL")
EMAIL_HOST, EMAIL_PORT = MAIL_SERVER.host, MAIL_SERVER.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL_SERVER.user, MAIL_SERVER.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL_SERVER.scheme == "smtp+tls", MAIL_SERVER.scheme == "smtps"
EMAIL_TIMEOUT = 10  # seconds
EMAIL_FROM = DEFAULT_FROM_EMAIL = env_sender("EMAIL_FROM", CONTACT_EMAIL if MAIL_SERVER.host else "")
if MAIL_SERVER.host and not EMAIL_FROM:
    raise ImproperlyConfigured("EMAIL_URL is set, so EMAIL_FROM or CONTACT_EMAIL must say who sends the mails")

# --- metrics ----------------------------------------------------------------------------------------------------------

METRICS_TOKEN = env_str("METRICS_TOKEN")
METRICS_DIR = env_str("PROMETHEUS_MULTIPROC_DIR")  # which prometheus_client reads too
if METRICS_DIR and not os.access(METRICS_DIR, os.W_OK | os.X_OK):
    raise ImproperlyConfigured(
        f"PROMETHEUS_MULTIPROC_DIR must name a folder in which this account can write, not {METRICS_DIR}"
    )

# --- logging ----------------------------------------------------------------------------------------------------------

LEVELS = ("info", "debug", "warning", "warn", "error", "critical", "fatal", "notset")
LOG_FORMAT = env_choice("LOG_FORMAT", *FORMATS)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": build_formatter(LOG_FORMAT)},
    "filters": {"server_errors": {"()": "doiportal.logs.server_error_filter.ServerErrorFilter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env_choice("LOG_LEVEL", *LEVELS).upper()},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.request": {"filters": ["server_errors"]},
        "django.security": {"level": "CRITICAL"},  # what clients do wrong, with their addresses and file names
        "urllib3": {"level": "ERROR"},  # its warnings hold addresses, and so DOIs
        # A sweep every 15 seconds is not news; a task that fails is.
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
    },
}

# --- reports of errors ------------------------------------------------------------------------------------------------

SENTRY_DSN = env_str("SENTRY_DSN")
if SENTRY_DSN:
    from doiportal.logs.error_reports import start_error_reports  # sentry-sdk is imported only then

    start_error_reports(SENTRY_DSN)

# `doctor` calls it: by then all modules have read their variables.
FIND_MISSPELT_NAMES = find_misspelt_names
