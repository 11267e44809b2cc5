"""What an operator should know about the machines of a portal: whether their clocks agree, and whether all processes
have one version, the same settings and the same uploaded files."""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import connection

from resolver.models import WorkerHeartbeat
from resolver.services.health.findings import DoctorFinding, advice, fault, ok
from resolver.services.health.heartbeats import EQUAL_SETTINGS, digest_settings, find_live
from resolver.services.storage import files
from resolver.services.storage.clock import measure_offset
from resolver.services.storage.storage_errors import FilesUnreachable

TOLERATED_SECONDS = 3.0  # between two clocks


def look_at_files() -> Iterator[DoctorFinding]:
    """Yield whether this command reaches the uploaded files. Nothing is written."""
    folder = files.find_folder()
    where = str(folder) if folder else f"the bucket {settings.STORAGES['default']['OPTIONS']['bucket_name']}"
    try:
        files.read_mark()
    except FilesUnreachable as error:
        yield fault(
            f"The uploaded files in {where} can't be reached ({error}).",
            "Check FILES_URL, and look whether the storage runs and lets this account in.",
        )
    else:
        yield ok(f"The uploaded files are in {where}.")


def look_at_clocks(now: datetime) -> Iterator[DoctorFinding]:
    """Yield a finding for each clock, here or of a live worker, more than TOLERATED_SECONDS off the database's. Nothing
    on SQLite, which has one machine. Raises django.db.Error."""
    if connection.vendor == "sqlite":
        return
    low, high = measure_offset()
    clocks = {"this machine": -(low + high) / 2}
    if WorkerHeartbeat._meta.db_table in connection.introspection.table_names():
        alive = find_live(now).order_by("name")
        clocks |= {f"the machine of worker {name}": lead for name, lead in alive.values_list("name", "clock_ahead")}
    wrong = {whose: lead for whose, lead in clocks.items() if abs(lead) > TOLERATED_SECONDS}
    for whose, lead in wrong.items():
        yield advice(
            f"The clock of {whose} is {abs(lead):.0f} s {'ahead of' if lead > 0 else 'behind'} the database's.",
            "Have it set by NTP (chrony, systemd-timesyncd). Lists don't suffer: they go by the database's clock.",
        )
    if not wrong:
        yield ok(f"They agree with the database's, within {TOLERATED_SECONDS:g} s.")


def look_at_machines(now: datetime) -> Iterator[DoctorFinding]:
    """Compare the running processes with this command."""
    if WorkerHeartbeat._meta.db_table not in connection.introspection.table_names():
        return  # a new database
    live = list(find_live(now).order_by("name")[:10])
    found = [finding for one in live for finding in _compare(one)]
    yield from found
    if live and not found:
        yield ok("All running workers and web servers have this version, these settings and these files.")


def _compare(one: WorkerHeartbeat) -> Iterator[DoctorFinding]:
    if one.version != settings.VERSION:
        yield fault(
            f"{one.name} runs version {one.version or 'before 0.3'}, and this is {settings.VERSION}.",
            "Upgrade all machines to one version, and restart their processes.",
        )
    if differing := _find_differing_settings(one):
        yield fault(
            f"{one.name} has other settings than this command: {', '.join(differing)}.",
            "Give all machines the same values, and restart their processes.",
        )
    if one.files_trouble:
        yield fault(
            f"{one.name} can't reach the uploaded files ({one.files_trouble}).",
            "Check FILES_URL there, and whether that machine reaches the storage.",
            part="files",
        )
    elif one.files and (own := _read_own_mark()) and one.files != own:
        yield fault(
            f"{one.name} keeps the uploaded files at another place: its lists can't be read here, nor these there.",
            "Set FILES_URL to the same storage on all machines.",
            part="files",
        )


def _find_differing_settings(one: WorkerHeartbeat) -> list[str]:
    """Return the names of the settings that differ. With another SECRET_KEY the others can't be compared."""
    ours = digest_settings()
    if not one.settings:
        return []
    differing = [name for name in EQUAL_SETTINGS if name in one.settings and one.settings[name] != ours[name]]
    return ["SECRET_KEY"] if "SECRET_KEY" in differing else differing


def _read_own_mark() -> str:
    try:
        return files.read_mark()
    except FilesUnreachable:  # look_at_files reports it
        return ""
