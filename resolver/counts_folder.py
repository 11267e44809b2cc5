"""The folder in which all processes keep their counts: read as one, and the files of ended processes merged into one.

A process has a file of each type, `<type>_<host>.<process>.db`, and holds a shared lock on it (`counts_file.py`). A
merge takes files that nobody holds, one type after the other:

1. It renames each to `<type>_<generation>_<random>.ended`. A new process of the same number begins a new file.
2. It adds them to the kept file of the last generation, and puts the result in place under its name:
   `<type>_<generation>.kept`.
3. It removes what this file holds: everything of its generation and of earlier ones.

What counts is the newest kept file, the ended ones of a later generation, and those of processes. So each step leaves
the sums as they were, and what a killed merge has left the next one continues. A lock on the folder keeps merges from
each other and from those who read.
"""

import fcntl
import logging
import math
import os
import re
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from prometheus_client import Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

from resolver.counts_file import DAMAGE, ReservedFile, find_damage

TYPES = ("counter", "histogram")  # whose values are sums over all processes
# Seconds that are added in another order may be lower in the last digits, which Prometheus takes for a reset.
ROUNDED_UP = 1 + 1e-10

log = logging.getLogger(__name__)


def read_metrics(folder: Path) -> Iterable[Metric]:
    """Return what all processes have counted. A file that can't be read is left out, and named in the log."""
    with _locked(folder, fcntl.LOCK_SH):  # no merge begins
        files = _list_files(folder)
        try:
            return _add_metrics(files)
        except (PermissionError, *DAMAGE):
            return _add_metrics([file for file in files if not _is_damaged(file)])


def _list_files(folder: Path) -> list[str]:
    """Return the files that hold all counts, each count once."""
    merged = [path for name in TYPES for path in _find_merged(folder, name).current]
    files = [*merged, *sorted(folder.glob("*.db"))]
    return [str(path) for path in files if path.stat().st_size]  # a process that was killed left an empty one


def _add_metrics(files: list[str]) -> Iterable[Metric]:
    return cast(Iterable[Metric], MultiProcessCollector.merge(files))


def _is_damaged(file: str) -> bool:
    if damage := find_damage(file):
        _tell_damage(file, damage)
    return bool(damage)


@cache  # told once by each process: Prometheus reads every few seconds, and the file stays until it is merged
def _tell_damage(file: str, damage: str) -> None:
    log.warning("A file of counts is left out of /metrics, because it can't be read: %s (%s)", file, damage)


def merge_ended(folder: Path, before: float) -> None:
    """Merge the counts of ended processes that were last written before that time (seconds since the epoch).

    It may be killed at any moment: nothing is lost and nothing counted twice. It does nothing while another process
    merges or reads. Without room on the disk the files stay as they are.
    """
    try:
        with _locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB):
            for name in TYPES:
                _merge(folder, name, before)
    except BlockingIOError:
        return  # the next cleanup merges
    except OSError as error:
        log.warning("The counts of ended processes couldn't be merged: %s", error)


@contextmanager
def _locked(folder: Path, kind: int) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, kind)
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # as below
        os.close(descriptor)


class _Merged(NamedTuple):
    """What merges have left of one type. `generation`: that of the kept file, 0 if there is none; `current`: files
    that count; `outdated`: files whose counts are in the kept file."""

    generation: int
    current: list[Path]
    outdated: list[Path]


def _find_merged(folder: Path, name: str) -> _Merged:
    kept, ended = (sorted(folder.glob(f"{name}_[0-9]*.{kind}")) for kind in ("kept", "ended"))
    generation = max(map(_read_generation, kept), default=0)
    current = [path for path in kept if _read_generation(path) == generation]
    current += [path for path in ended if _read_generation(path) > generation]
    return _Merged(generation, current, [path for path in (*kept, *ended) if path not in current])


def _read_generation(path: Path) -> int:
    return int(re.split("[_.]", path.name)[1])


def _merge(folder: Path, name: str, before: float) -> None:
    generation, current, outdated = _find_merged(folder, name)
    for path in outdated:
        path.unlink()
    following = generation + 1
    for path in sorted(folder.glob(f"{name}_*.db")):
        if path.stat().st_mtime < before and (ended := _set_aside(path, f"{name}_{following}")):
            current.append(ended)
    if all(path.suffix == ".kept" for path in current):
        return
    _write_counts(folder / f"{name}_{following}.kept", _add_up(current))
    _sync(folder)  # the sums are on the disk before what they are made of is removed
    for path in current:
        path.unlink()


def _set_aside(path: Path, name: str) -> Path | None:
    """Rename the file, so that no process opens it again. Return its new place; None if its process lives, or if it is
    closed to this account."""
    if not os.access(path, os.R_OK):
        return None
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None
        try:
            return path.rename(path.with_name(f"{name}_{secrets.token_hex(8)}.ended"))
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)  # also for a copy that another thread's new process may have


def _add_up(files: Iterable[Path]) -> dict[str, float]:
    values = defaultdict[str, list[float]](list)
    for file in files:
        if not file.stat().st_size:
            continue
        if damage := find_damage(str(file)):
            log.warning("The counts of a file are lost, because it can't be read: %s (%s)", file.name, damage)
            continue
        for key, value, _, _ in MmapedDict.read_all_values_from_file(str(file)):
            values[key].append(value)
    sums = {key: math.fsum(of_key) for key, of_key in values.items()}
    return {key: value if value.is_integer() else value * ROUNDED_UP for key, value in sums.items()}


def _write_counts(path: Path, counts: dict[str, float]) -> None:
    """Write a file that is there as a whole or not at all. Raises OSError if there is no room."""
    half = path.with_suffix(".half")
    half.unlink(missing_ok=True)  # of a merge that was killed
    try:
        file = ReservedFile(str(half))
        for key, value in counts.items():
            file.write_value(key, value, 0.0)
        file.close()
        _sync(half)
        half.rename(path)
    finally:
        half.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
