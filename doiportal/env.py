"""Typed readers of environment variables, by name and default. Each raises ImproperlyConfigured for a bad value."""

import math
import os
import re
import sqlite3
from contextlib import closing, suppress
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from redis import connection as redis_address

_read_names: set[str] = set()
OLDEST_SQLITE = (3, 33)  # with `UPDATE … FROM` (resolver/models/raw_sql.py)


def find_misspelt_names() -> list[tuple[str, str]]:
    """Return the variables that nothing here reads and whose names look like those of settings, each with that name."""
    return [
        (name, alike)
        for name in sorted(os.environ.keys() - _read_names)
        for alike in get_close_matches(name.upper(), _read_names, n=1, cutoff=0.85)  # a letter or two differ
    ]


def env_str(name: str, default: str = "") -> str:
    """A text. An empty variable counts as not set: docker-compose passes `${NAME:-}` that way."""
    _read_names.add(name)
    return os.environ.get(name, "").strip() or default


def env_int(name: str, default: int, least: int = 0, most: float = math.inf) -> int:
    """A whole number from `least` to `most`."""
    text = env_str(name, str(default))
    try:
        value = int(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {text!r}") from None
    if value < least:
        raise ImproperlyConfigured(f"{name} must be {least} or more, not {text}")
    if value > most:
        raise ImproperlyConfigured(f"{name} must be {most} or less, not {text}")
    return value


def env_float(name: str, default: float, most: float = math.inf) -> float:
    """A number from 0 to `most`, but never infinity."""
    text = env_str(name, str(default))
    try:
        value = float(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number, not {text!r}") from None
    if not 0 <= value < math.inf:
        raise ImproperlyConfigured(f"{name} must be a number that is not negative, not {text}")
    if value > most:
        raise ImproperlyConfigured(f"{name} must be {most:g} or less, not {text}")
    return value


def env_bool(name: str, default: bool) -> bool:
    text = env_str(name, "1" if default else "0").lower()
    if text in {"1", "true", "yes", "on"}:
        return True
    if text in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {text!r}")


def env_choice(name: str, *choices: str) -> str:
    """One of the choices, in any case; the first is the default."""
    text = env_str(name, choices[0]).lower()
    if text not in choices:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(choices)}, not {text!r}")
    return text


def _check(name: str, text: str, pattern: str, wanted: str) -> str:
    """Return a text that is empty or has this pattern. `wanted` says so in the error."""
    if text and not re.fullmatch(pattern, text):
        raise ImproperlyConfigured(f"{name} must be {wanted}, not {text!r}")
    return text


def env_prefix(name: str) -> str:
    """The beginning of a path: a slash and words (`/doi`), or nothing. A slash at its end is left out."""
    return _check(name, env_str(name).rstrip("/"), "(/[A-Za-z0-9_-]+)+", "a path such as /doi")


def env_list(name: str) -> list[str]:
    """The parts between commas, without white space around them; empty ones are left out."""
    return [part.strip() for part in env_str(name).split(",") if part.strip()]


def env_hosts(name: str) -> list[str]:
    """Names or addresses of hosts, as Django's ALLOWED_HOSTS has them."""
    hosts = env_list(name)
    for host in hosts:
        if not re.fullmatch(r"\*|\.?[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]", host):
            raise ImproperlyConfigured(
                f"{name} must hold names without https:// and without a port, separated by commas, not {host!r}. "
                "Write .example.org for all hosts of a domain, and letters beyond a–z in Punycode (xn--…)"
            )
    return hosts


def env_origins(name: str) -> list[str]:
    """Addresses of sites, as Django's CSRF_TRUSTED_ORIGINS has them."""
    origins = [origin.rstrip("/") for origin in env_list(name)]
    for origin in origins:
        if not _has_sound_port(origin) or not re.fullmatch(r"https?://[^\s/?#@]+", origin, re.IGNORECASE):
            raise ImproperlyConfigured(
                f"{name} must hold addresses such as https://doi.example.org, separated by commas, not {origin!r}"
            )
    return origins


def _has_sound_port(text: str) -> bool:
    """Return whether the port of an address is a number or left out, and brackets in it are those of IPv6."""
    try:
        urlsplit(text).port  # noqa: B018 - reads the port
    except ValueError:
        return False
    return True


def env_host(name: str, default: str) -> str:
    """A name or an address of a machine; an IPv6 address without the brackets that it has in a URL."""
    text = env_str(name, default)
    host = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", host):
            IPv6Address(host)
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0 or ::1, without http:// "
            f"and without a port, not {text!r}"
        ) from None
    return host


def host_in_url(host: str) -> str:
    """Return a host as a URL and the Host header have it: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def env_country(name: str) -> str:
    """Two letters of ISO 3166-1, or nothing."""
    return _check(name, env_str(name), "[A-Za-z]{2}", "a country's two letters").lower()


def env_contact(name: str, *, in_header: bool = False) -> str:
    """An e-mail address, or the address of a page, or nothing; in a header of HTTP it is printable ASCII."""
    page_or_address = r"https?://[^\s/]+\S*|[^\s@:/]+@[^\s@:/]+"
    text = _check(name, env_str(name), page_or_address, "an e-mail address or begin with https://")
    if in_header and not re.fullmatch(r"[!-~]*", text):
        raise ImproperlyConfigured(f"{name} must have letters of ASCII only, not {text!r}")
    return text


def env_header(name: str) -> str:
    """The name of a header of HTTP (RFC 9110, 5.6.2), or nothing."""
    wanted = "the name of a header such as X-Remote-User"
    return _check(name, env_str(name), r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", wanted)


def env_url(name: str) -> str:
    """The address of a server without a trailing slash, or ""."""
    wanted = "an address that begins with https://"
    return _check(name, env_str(name).rstrip("/"), r"https?://[^\s/?#@]+[^\s?#]*", wanted)


def env_database(name: str, default: str) -> dict[str, Any]:
    """The address of a database, as the settings have it."""
    wrong = (
        f"{name} must be an address such as postgres://user:password@db.example.org:5432/doiportal or "
        "sqlite:////data/doiportal.sqlite3. Encode special characters of the password, such as %23 for #"
    )
    try:
        found: dict[str, Any] = dict(dj_database_url.parse(env_str(name, default), conn_max_age=60))
    except ValueError:  # it may quote the password
        raise ImproperlyConfigured(wrong) from None
    # Django's setting, no option of libpq: for a pooler that gives each transaction another connection.
    without_cursors = found.get("OPTIONS", {}).pop("disable_server_side_cursors", False)
    found["DISABLE_SERVER_SIDE_CURSORS"] = str(without_cursors).lower() in ("true", "1")
    known = found.get("ENGINE") in ("django.db.backends.postgresql", "django.db.backends.sqlite3")
    named = found.get("NAME") or found.get("OPTIONS", {}).get("service")
    # A # in the password ends the address, and what is left has no name. An address of SQLite without a file would be
    # taken for the file ":memory:" in the folder of the code, where it would not be found.
    if not known or not named or named == ":memory:":
        raise ImproperlyConfigured(wrong)
    if found["ENGINE"].endswith("sqlite3") and not _is_sqlite_usable():
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise ImproperlyConfigured(
            f"This Python has SQLite {sqlite3.sqlite_version}, and the portal needs SQLite {oldest} or newer, "
            f"with JSON. Install a newer Python, or set {name} to a PostgreSQL database"
        )
    return found


def _is_sqlite_usable() -> bool:
    with closing(sqlite3.connect(":memory:")) as connection, suppress(sqlite3.OperationalError):
        connection.execute("SELECT json_group_array(1)")  # some builds before SQLite 3.38 lack it
        return sqlite3.sqlite_version_info >= OLDEST_SQLITE
    return False


def env_redis(name: str) -> str:
    """The address of a Redis, or nothing."""
    text = env_str(name)
    try:
        if text:
            redis_address.parse_url(text)
    except ValueError:  # it may quote the password
        raise ImproperlyConfigured(
            f"{name} must be an address such as redis://:password@redis.example.org:6379/0. "
            "Encode special characters of the password, such as %23 for #"
        ) from None
    return text


def env_doi_proxy(name: str, default: str) -> str:
    """The address of a DOI proxy, without a slash at its end. It may hold a password, which no message quotes."""
    text = env_str(name, default)
    wrong = (
        f"{name} must be an address such as https://doi.org, without ? and #. "
        "Encode special characters of a password, such as %23 for #"
    )
    if not _has_sound_port(text) or not re.fullmatch(r"https?://[^\s/?#]+[^\s?#]*", text):
        raise ImproperlyConfigured(wrong)
    return text.rstrip("/")


def env_address(name: str) -> str:
    """The address of another server, as `env_doi_proxy` reads it; "" if there is none."""
    return env_doi_proxy(name, "") if env_str(name, "") else ""


def env_networks(name: str) -> list[IPv4Network | IPv6Network]:
    """Addresses, or networks such as 10.0.0.0/8."""
    try:
        return [ip_network(part) for part in env_list(name)]
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must hold addresses or networks: {error}") from None


class SmtpServer(NamedTuple):
    """A mail server. `host` is "" if there is none; `scheme` says how the connection is encrypted."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    scheme: str = "smtp"


_MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


def env_mail_server(name: str) -> SmtpServer:
    """The address of a mail server, `smtp+tls://user:password@host:587`, or nothing."""
    text = env_str(name)
    if not text:
        return SmtpServer()
    wrong = (
        f"{name} must be an address such as smtp+tls://user:password@mail.example.org:587. "
        "Encode special characters of the password, such as %23 for #"
    )
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ImproperlyConfigured(wrong) from None
    # An unencoded # of a password cuts the address: its user is then read as the host.
    beyond = parts.path.strip("/") or parts.query or parts.fragment
    if parts.scheme not in _MAIL_PORTS or not parts.hostname or port == 0 or beyond:
        raise ImproperlyConfigured(wrong)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return SmtpServer(parts.hostname, port or _MAIL_PORTS[parts.scheme], user, password, parts.scheme)


def env_sender(name: str, default: str = "") -> str:
    """The sender of mails, `portal@example.org` or `Portal <portal@example.org>`, or nothing."""
    address = r"[^\s@<>,;\"]+@[^\s@<>,;\"]+"
    wanted = "an email address such as portal@example.org"
    return _check(name, env_str(name, default), rf"[^<>@\r\n]+ <{address}>|{address}", wanted)
