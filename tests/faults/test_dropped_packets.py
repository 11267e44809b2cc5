"""A firewall, or a server that is lost, drops every packet of an open connection to PostgreSQL."""

import ctypes
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from threading import Thread, Timer
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import OperationalError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

pytestmark = pytest.mark.django_db(transaction=True)

SO_ATTACH_FILTER = 26  # of Linux; Python has no name for it
DROP_ALL = struct.pack("HBBI", 0x06, 0, 0, 0)  # BPF's "return 0": keep no byte of a packet
QUICK = {"tcp_user_timeout": 1000, "keepalives_idle": 1, "keepalives_interval": 1}


def drop_packets(of: socket.socket) -> None:
    """Drop what arrives for this socket before the kernel looks at it: no byte, and no word that ours have arrived."""
    program = ctypes.create_string_buffer(DROP_ALL)
    of.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(program)))


def hand_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@pytest.fixture
def port() -> Iterator[int]:
    """A TCP port that leads to the PostgreSQL of the tests, which listens at a Unix socket."""
    (folder,) = parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"]

    def accept() -> None:
        with suppress(OSError):
            client, _ = listening.accept()
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{folder}/.s.PGSQL.5432")
            back = Thread(target=hand_on, args=(server, client))
            back.start()
            hand_on(client, server)
            back.join()
            client.close()
            server.close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=accept)
        thread.start()
        yield listening.getsockname()[1]
    thread.join(20)


def connect(port: int, **options: int) -> BaseDatabaseWrapper:
    """Connect over TCP as the portal connects, with other options."""
    ours = connection.copy()
    ours.settings_dict |= {"HOST": "127.0.0.1", "PORT": port}
    ours.settings_dict["OPTIONS"] |= options
    ours.connect()
    return ours


def socket_of(ours: BaseDatabaseWrapper) -> socket.socket:
    return socket.socket(fileno=os.dup(ours.connection.fileno()))


def test_the_bounds_of_the_settings_are_those_of_the_socket(port: int) -> None:
    with closing(connect(port)) as ours, socket_of(ours) as tcp:
        names = ("TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        found = [tcp.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) for name in names]
    assert found == [60_000, 30, 10, 3]


@pytest.mark.parametrize("seconds", [0, 0.5], ids=["before the query", "while the answer is awaited"])
def test_a_connection_whose_packets_are_dropped_ends(port: int, seconds: float) -> None:
    with closing(connect(port, **QUICK)) as ours, socket_of(ours) as tcp, ours.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
        dropping = Timer(seconds, drop_packets, [tcp])
        dropping.start()
        if not seconds:
            dropping.join()
        began = time.monotonic()
        with pytest.raises(OperationalError):
            cursor.execute("SELECT pg_sleep(20)")
        assert time.monotonic() - began < 15
    with connection.cursor() as cursor:  # the server hasn't noticed
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
