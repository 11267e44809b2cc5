"""The settings in real processes: what is unsafe is refused, what is kept stays and is private."""

import os
import socket
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import warm_process

OIDC = {"OIDC_SERVER_URL": "https://login.example.org", "OIDC_CLIENT_ID": "doiportal", "OIDC_CLIENT_SECRET": "secret"}
SHOW = "from django.conf import settings; print({expression})"


def settings(
    folder: Path, expression: str = "settings.SECRET_KEY", **environment: str
) -> subprocess.CompletedProcess[str]:
    return run(folder, SHOW.format(expression=expression), **environment)


def run(folder: Path, program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    ours = {"DJANGO_SETTINGS_MODULE": "doiportal.settings", "DOIPORTAL_DATA_DIR": str(folder)}
    return warm_process.run_program(program, environment={"PATH": os.environ["PATH"], **ours, **environment})


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"SECRET_KEY": "short"}, "SECRET_KEY is unsafe"),
        ({"SECRET_KEY": "django-insecure-" + "x" * 50}, "SECRET_KEY is unsafe"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS may not hold '*'"),
        ({"ALLOWED_HOSTS": "dois.example.org, *"}, "ALLOWED_HOSTS may not hold '*'"),
        ({"DEBUG": "perhaps"}, "DEBUG must be 1 or 0, not 'perhaps'"),
        ({"HOST": "http://127.0.0.1"}, "HOST must be an address or a name of this machine"),
        ({"HOST": "127.0.0.1:9000"}, "without http:// and without a port, not '127.0.0.1:9000'"),
        ({"HOST": "[fe80::g]"}, "HOST must be an address or a name of this machine"),
        ({"DOI_PROXY_URL": "https://doi.org:99999"}, "DOI_PROXY_URL must be an address such as https://doi.org"),
        ({"PORT": "eighty"}, "PORT must be a whole number, not 'eighty'"),
        ({"PROXY_CONCURRENCY": "0"}, "PROXY_CONCURRENCY must be 1 or more, not 0"),
        ({"ANSWERS_FRESH_HOURS": "25"}, "ANSWERS_FRESH_HOURS must be 24 or less, not 25"),
        ({"URL_PREFIX": "doi"}, "URL_PREFIX must be a path such as /doi, not 'doi'"),
        ({"URL_PREFIX": "/d?i"}, "URL_PREFIX must be a path such as /doi"),
        ({"REMOTE_USER_HEADER": "X-Remote-User"}, "REMOTE_USER_HEADER needs TRUSTED_PROXIES"),
        ({"REMOTE_USER_GROUPS": "library"}, "REMOTE_USER_GROUPS and REMOTE_ADMIN_GROUPS need both header names"),
        ({"OIDC_CLIENT_ID": "doiportal"}, "OIDC_SERVER_URL is missing"),
        ({"OIDC_ADMIN_GROUPS": "it"}, "OIDC_SERVER_URL is missing"),
        (
            {"OIDC_SERVER_URL": "https://login.example.org"},
            "OIDC_SERVER_URL needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET",
        ),
        (OIDC | {"OIDC_CLIENT_SECRET": ""}, "OIDC_SERVER_URL needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"),
        (
            OIDC | {"OIDC_SERVER_URL": "login.example.org"},
            "OIDC_SERVER_URL must be an address that begins with https://",
        ),
        (OIDC | {"OIDC_SERVER_URL": "https://a.example/" + "x" * 190}, "longer than 190 characters"),
        (OIDC | {"OIDC_SCOPES": "profile,groups"}, "OIDC_SCOPES must hold openid"),
        (
            OIDC | {"REMOTE_USER_HEADER": "X-Remote-User", "TRUSTED_PROXIES": "127.0.0.1"},
            "With REMOTE_USER_HEADER unset OIDC_SERVER_URL and SAML_IDP_METADATA",
        ),
        ({"SAML_USER_GROUPS": "library"}, "SAML_IDP_METADATA is missing"),
        (
            {"SAML_IDP_METADATA": "idp.xml", "SAML_KEY_FILE": "portal.key"},
            "SAML_KEY_FILE and SAML_CERTIFICATE_FILE need each other",
        ),
        ({"LOG_FORMAT": "xml"}, "LOG_FORMAT must be text or json, not 'xml'"),
        ({"COUNTRY": "GBR"}, "COUNTRY must be a country's two letters, not 'GBR'"),
        ({"SENTRY_DSN": "https://sentry.example/1"}, "SENTRY_DSN can't be read: Missing public key"),
        ({"SENTRY_DSN": "https://key@sentry.example:x/1"}, "SENTRY_DSN can't be read"),
        (
            {"PRIVACY_CONTACT": "javascript:alert(1)"},
            "PRIVACY_CONTACT must be an e-mail address or begin with https://",
        ),
        ({"CONTACT_EMAIL": "bücherei@example.org"}, "CONTACT_EMAIL must have letters of ASCII only"),
        ({"CONTACT_EMAIL": "the library"}, "CONTACT_EMAIL must be an e-mail address or begin with https://"),
        ({"COUNTRY_HEADER": "CF IPCountry"}, "COUNTRY_HEADER must be the name of a header such as"),
        ({"REMOTE_USER_HEADER": "X-Remote-User:"}, "REMOTE_USER_HEADER must be the name of a header"),
        ({"EMAIL_URL": "smtp+tls://user:12#34@host"}, "EMAIL_URL must be an address such as smtp+tls://"),
        ({"EMAIL_URL": "smtp://host:0"}, "EMAIL_URL must be an address such as smtp+tls://"),
        ({"EMAIL_URL": "smtp://host"}, "EMAIL_FROM or CONTACT_EMAIL must say who sends the mails"),
        ({"EMAIL_URL": "smtp://host", "EMAIL_FROM": "the portal"}, "EMAIL_FROM must be an email address"),
        ({"EMAIL_URL": "smtp://host", "CONTACT_EMAIL": "https://x.example"}, "EMAIL_FROM must be an email address"),
        ({"KEEP_DAYS": "99999999999"}, "KEEP_DAYS must be 36500 or less"),
        ({"ACCOUNT_SESSION_DAYS": "99999999999"}, "ACCOUNT_SESSION_DAYS must be 36500 or less"),
        ({"PORT": "99999"}, "PORT must be 65535 or less, not 99999"),
        ({"ALLOWED_HOSTS": "https://doi.example.org"}, "ALLOWED_HOSTS must hold names without https://"),
        ({"ALLOWED_HOSTS": "doi.example.org:8000"}, "ALLOWED_HOSTS must hold names without https://"),
        ({"ALLOWED_HOSTS": "a.example b.example"}, "not 'a.example b.example'"),
        ({"CSRF_TRUSTED_ORIGINS": "doi.example.org"}, "CSRF_TRUSTED_ORIGINS must hold addresses such as https://"),
        ({"CSRF_TRUSTED_ORIGINS": "https://doi.example.org:port"}, "CSRF_TRUSTED_ORIGINS must hold addresses such as"),
        ({"CSRF_TRUSTED_ORIGINS": "https://doi.example.org:99999"}, "CSRF_TRUSTED_ORIGINS must hold addresses such as"),
        ({"CSRF_TRUSTED_ORIGINS": "https://[doi.example.org"}, "CSRF_TRUSTED_ORIGINS must hold addresses such as"),
        ({"DATABASE_URL": "foo"}, "DATABASE_URL must be an address such as postgres://"),
        ({"DATABASE_URL": "mysql://a:b@c/d"}, "DATABASE_URL must be an address such as postgres://"),
        ({"DATABASE_URL": "postgres://user:12#34@host/name"}, "DATABASE_URL must be an address such as postgres://"),
        ({"DATABASE_URL": "sqlite://"}, "DATABASE_URL must be an address such as postgres://"),
        ({"DATABASE_URL": "sqlite://:memory:"}, "DATABASE_URL must be an address such as postgres://"),
        ({"REDIS_URL": "foo"}, "REDIS_URL must be an address such as redis://"),
        ({"REDIS_URL": "http://127.0.0.1:6379"}, "REDIS_URL must be an address such as redis://"),
        ({"REDIS_URL": "redis://127.0.0.1:abc/0"}, "REDIS_URL must be an address such as redis://"),
        ({"DOI_PROXY_URL": "doi.org"}, "DOI_PROXY_URL must be an address such as https://doi.org"),
        ({"DOI_PROXY_URL": "/"}, "DOI_PROXY_URL must be an address such as https://doi.org"),
        ({"DOI_PROXY_URL": "http://u:12#34@host"}, "Encode special characters of a password"),
        ({"ALLOWED_HOSTS": "*.example.org"}, "Write .example.org for all hosts of a domain"),
        ({"FILES_URL": "/mnt/shared"}, "FILES_URL must be an address such as file:///mnt/shared"),
        ({"FILES_URL": "s3://key:12#34@bucket/p"}, "FILES_URL must be an address such as file:///mnt/shared"),
        ({"FILES_URL": "s3://bucket/p?endpont=https://s3.example"}, "FILES_URL must be an address such as"),
        ({"FILES_URL": "s3://key@bucket/p"}, "FILES_URL needs both parts of a key, or neither"),
        ({"FILES_URL": "s3://bucket/p?endpoint=s3.example"}, "FILES_URL: endpoint must be an address such as https://"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be info or debug or warning or "),
        ({"PROXY_RATE": "nan"}, "PROXY_RATE must be a number that is not negative, not nan"),
    ],
)
def test_what_is_unsafe_or_unreadable_is_refused_in_a_sentence(tmp_path: Path, environment: dict[str, str], said: str):
    done = settings(tmp_path, **environment)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"REMOTE_USER_HEADER": "X-Remote-User", "TRUSTED_PROXIES": "127.0.0.1"},
        OIDC | {"OIDC_USER_GROUPS": "/library", "URL_PREFIX": "/doi", "DOIPORTAL_OPEN": "0"},
        {"SAML_IDP_METADATA": "https://login.example.edu/metadata"},
    ],
)
def test_settings_that_fit_together_pass_the_checks_that_each_start_makes(tmp_path: Path, told: dict[str, str]):
    environment = {"PATH": os.environ["PATH"], "DOIPORTAL_DATA_DIR": str(tmp_path), **told}
    done = warm_process.run(["check"], folder=tmp_path, environment=environment)
    assert (done.returncode, b"no issues" in done.stdout) == (0, True), done.stderr.decode()


def test_a_sqlite_that_lacks_a_statement_is_refused_with_both_versions_and_what_to_do(tmp_path: Path):
    old = 'import sqlite3; sqlite3.sqlite_version_info, sqlite3.sqlite_version = (3, 32, 3), "3.32.3"; '
    program = old + SHOW.format(expression="settings.DATABASES")
    done = run(tmp_path, program)
    assert done.returncode == 1
    assert "This Python has SQLite 3.32.3, and the portal needs SQLite 3.33 or newer, with JSON." in done.stderr
    done = run(tmp_path, program, DATABASE_URL="postgres://user@db.example.org/doiportal")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "address",
    [
        "https://login.example.org",
        "https://login.example.org/",
        "https://login.example.org/.well-known/openid-configuration",
    ],
)
def test_the_issuer_may_be_given_as_the_address_of_its_description_too(tmp_path: Path, address: str):
    done = settings(tmp_path, "settings.OIDC_SERVER_URL, settings.OIDC_NAME", **OIDC | {"OIDC_SERVER_URL": address})
    assert done.stdout.strip() == "https://login.example.org login.example.org"


def test_a_mail_server_and_a_sender_are_read(tmp_path: Path):
    expression = "settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_HOST_PASSWORD, settings.EMAIL_FROM"
    address = "smtp+tls://user:12%2334@host"
    done = settings(tmp_path, expression, EMAIL_URL=address, EMAIL_FROM="The portal <portal@library.example>")
    assert done.stdout.strip() == "host 587 12#34 The portal <portal@library.example>"


def test_the_secret_key_is_made_once_and_private(tmp_path: Path):
    first, second = settings(tmp_path).stdout, settings(tmp_path).stdout
    assert first == second
    assert len(first.strip()) >= 32
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600


def test_processes_that_start_together_agree_on_one_secret_key(tmp_path: Path):
    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(lambda _: settings(tmp_path).stdout, range(4)))
    assert len(keys) == 1
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("secret_key")] == ["secret_key"]


@pytest.mark.clause("A9", "P14")
def test_an_empty_variable_counts_as_not_set(tmp_path: Path):
    done = settings(tmp_path, "settings.DOI_PROXY_URL, settings.REDIS_URL, settings.PORT", DOI_PROXY_URL="", PORT="")
    assert done.stdout.strip() == "https://doi.org  8000"


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("", "5 60000 30 10 3"),
        ("?connect_timeout=9", "9 60000 30 10 3"),
        ("?tcp_user_timeout=5000&keepalives_idle=60", "5 5000 60 10 3"),
        ("?sslmode=require", "5 60000 30 10 3"),
    ],
)
def test_connections_to_postgresql_have_bounds_that_the_address_may_change(tmp_path: Path, query: str, options: str):
    names = "connect_timeout tcp_user_timeout keepalives_idle keepalives_interval keepalives_count"
    expression = f"*map(settings.DATABASES['default']['OPTIONS'].get, {names.split()})"
    done = settings(tmp_path, expression, DATABASE_URL=f"postgres://u:p@127.0.0.1/d{query}")
    assert done.stdout.strip() == options


@pytest.mark.parametrize(("query", "disabled"), [("", "False"), ("?disable_server_side_cursors=true", "True")])
def test_cursors_of_the_server_can_be_switched_off_for_a_pooler(tmp_path: Path, query: str, disabled: str):
    database = "settings.DATABASES['default']"
    expression = f"{database}['DISABLE_SERVER_SIDE_CURSORS'], 'disable_server_side_cursors' in {database}['OPTIONS']"
    done = settings(tmp_path, expression, DATABASE_URL=f"postgres://u:p@127.0.0.1/d{query}")
    assert done.stdout.strip() == f"{disabled} False"


READY = r"""
import django
django.setup()
from django.test import Client
answer = Client(SERVER_NAME="127.0.0.1").get("/readyz")
print(answer.status_code, *(part["detail"] or "ready" for part in answer.json()["parts"].values()), sep="\n")
"""


def test_a_database_that_takes_a_connection_and_says_nothing_does_not_hold_readyz(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        done = run(tmp_path, READY, DATABASE_URL=f"postgres://u:p@127.0.0.1:{silent.getsockname()[1]}/d")
    assert done.stdout.splitlines() == [
        "503",
        "It doesn't answer. The log of the web server says why.",
        "ready",
        *3 * ["Only the database knows whether one runs."],
        "ready",
        "ready",
    ]


def test_the_defaults_keep_everything_in_the_data_folder(tmp_path: Path):
    expression = (
        "settings.DATABASES['default']['NAME'], settings.CELERY_BROKER_TRANSPORT_OPTIONS['data_folder_in'],"
        "settings.CACHES['default']['LOCATION'], settings.STATIC_ROOT, settings.FILE_UPLOAD_TEMP_DIR, sep='\\n'"
    )
    places = settings(tmp_path, expression).stdout.split()
    assert len(places) == 5
    assert all(Path(place).is_relative_to(tmp_path) for place in places)


def test_where_redis_is_named_cache_and_broker_are_there(tmp_path: Path):
    expression = "settings.CELERY_BROKER_URL, settings.CACHES['default']['LOCATION']"
    done = settings(tmp_path, expression, REDIS_URL="redis://127.0.0.1:6379/3")
    assert done.stdout.strip() == "redis://127.0.0.1:6379/3 redis://127.0.0.1:6379/3"


def test_a_password_is_hashed_a_million_times(tmp_path: Path):
    rounds = "__import__('django.contrib.auth.hashers').contrib.auth.hashers.get_hasher().iterations"
    assert int(settings(tmp_path, rounds).stdout) >= 1_000_000


def test_debugging_is_off_unless_it_is_turned_on(tmp_path: Path):
    assert settings(tmp_path, "settings.DEBUG").stdout.strip() == "False"
    assert settings(tmp_path, "settings.DEBUG", DEBUG="1").stdout.strip() == "True"
