"""A request as WSGI has it (PEP 3333), with the request target as it was sent."""

import sys
from typing import IO, Any
from urllib.parse import unquote_to_bytes
from uuid import uuid4

from aiohttp import web

from doiportal.logs.ids import is_request_id
from doiportal.server.requester import FrontServer, find_requester, is_trusted_server

Environ = dict[str, Any]


def build_environ(request: web.BaseRequest, body: IO[bytes], front: FrontServer) -> Environ:
    """Return the WSGI environ of a request. RAW_URI has the request target as it was sent, one character for each byte.
    A request without the prefix of the front is for the portal too: health checks send such requests. Only the headers
    of a trusted server become REMOTE_USER and REMOTE_USER_GROUPS."""
    forwarded = ",".join(request.headers.getall("X-Forwarded-For", []))  # some servers add a line of their own
    scheme = request.headers.getall("X-Forwarded-Proto", [""])[-1]
    requester = find_requester(request.remote or "", forwarded, scheme, front.trusted)
    server = request.transport.get_extra_info("sockname") if request.transport else ("", 0)
    # aiohttp has decoded the bytes as UTF-8 with surrogates. Here each is a character.
    raw = request.raw_path.encode("utf-8", "surrogateescape").decode("latin-1")
    target, _, query = raw.partition("?")
    path = _of_absolute(target).partition("#")[0]
    script = front.prefix if path == front.prefix or path.startswith(f"{front.prefix}/") else ""
    environ: Environ = {
        "REQUEST_METHOD": request.method,
        "RAW_URI": raw,
        "SCRIPT_NAME": script,
        "PATH_INFO": unquote_to_bytes((path[len(script) :] or "/").encode("latin-1")).decode("latin-1"),
        "QUERY_STRING": query.partition("#")[0],
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{request.version.major}.{request.version.minor}",
        "REMOTE_ADDR": requester.address,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": requester.scheme,
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in request.raw_headers:
        name = raw_name.decode("latin-1")
        if "_" in name:  # it would look like a header with a hyphen, which only a server in front may set
            continue
        key = name.upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        value = raw_value.decode("latin-1")
        environ[key] = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{value}" if key in environ else value
    is_trusted = is_trusted_server(request.remote or "", front.trusted)
    # Here, since a request that waits for a place runs again. From a stranger, one id could hide many requests.
    given = environ.get("HTTP_X_REQUEST_ID", "") if is_trusted else ""
    environ["HTTP_X_REQUEST_ID"] = given if is_request_id(given) else uuid4().hex
    if is_trusted and front.user_header:
        environ["REMOTE_USER"] = _find_only_value(request, front.user_header)
        environ["REMOTE_USER_GROUPS"] = _find_only_value(request, front.groups_header) if front.groups_header else ""
    return environ


def _find_only_value(request: web.BaseRequest, name: str) -> str:
    """Return the value of a header, "" if it was sent twice: one of them may be the client's."""
    values = request.headers.getall(name, [])
    return values[0].strip() if len(values) == 1 else ""


def _of_absolute(path: str) -> str:
    """Return the path of a target that is a whole address, as sent by a client that uses the portal as HTTP proxy."""
    scheme, found, rest = path.partition("://")
    if path.startswith("/") or not found or not scheme.isalnum():
        return path
    slash = rest.find("/")
    return rest[slash:] if slash >= 0 else "/"
