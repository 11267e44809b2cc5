"""Places for the processes that read files while a request waits (sheets/bounded_process): few on each machine.

A web thread waits for each of them, so that most threads never do. Each place is a file in the data folder that is
locked while it is taken: all processes of the machine share them, and a killed process gives its place back.
"""

import fcntl
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.conf import settings

from doi_reading import Message
from resolver.sheets.bounded_process.call import prepare_calls

PLACES = 4  # of the 16 threads of a machine's web processes; each may take half a gigabyte (sheets/bounded_process)
FOR_ONE_ADDRESS = 2  # of these, without an account: an address may be that of a whole library
RETRY_SECONDS = 10


class NoReadingPlace(Exception):
    """Enough files are being read. Nothing was stored. `wait`: seconds after which a place is probably free."""

    def __init__(self) -> None:
        super().__init__(
            Message("We are reading many files just now. Try again in {count} seconds.", count=RETRY_SECONDS)
        )
        self.wait = RETRY_SECONDS


@contextmanager
def take_reading_place(address: str = "") -> Iterator[None]:
    """Take a place until the block ends. `address`: a digest, in hexadecimal digits, of the address of a caller without
    an account. Raises NoReadingPlace if none is free for half a second. The process that reads is started before, so a
    place is held for the file alone."""
    prepare_calls()
    folder = settings.DOIPORTAL_DATA_DIR / "reading"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as held:
        if address:
            share = int(address, 16) % 256  # a bound on the number of files
            held.enter_context(_take_one([folder / f"address-{share}-{number}" for number in range(FOR_ONE_ADDRESS)]))
        held.enter_context(_take_one([folder / f"place-{number}" for number in range(PLACES)]))
        yield


@contextmanager
def _take_one(names: Sequence[Path]) -> Iterator[None]:
    end = time.monotonic() + 0.5
    while (file := _lock_one(names)) is None:
        if time.monotonic() >= end:
            raise NoReadingPlace
        time.sleep(0.02)  # a small file takes 12 ms
    try:
        yield
    finally:
        os.close(file)


def _lock_one(names: Sequence[Path]) -> int | None:
    for name in names:
        file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
        else:
            return file
    return None
