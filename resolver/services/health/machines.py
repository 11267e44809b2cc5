"""What an operator should know about the machines of a portal: whether all processes run one version with the same
settings, and reach the same uploaded files."""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import connection

from resolver.models import WorkerHeartbeat
from resolver.services.health.findings import DoctorFinding, Level
from resolver.services.health.heartbeats import find_live
from resolver.services.health.own_state import EQUAL_SETTINGS, digest_settings
from resolver.services.storage import files
from resolver.services.storage.storage_errors import FilesUnreachable

FILES = "files"
SHOWN = 10  # processes


def look_at_files() -> Iterator[DoctorFinding]:
    """Yield whether this command reaches the uploaded files. Nothing is written."""
    folder = files.find_folder()
    where = str(folder) if folder else f"the bucket {settings.STORAGES['default']['OPTIONS']['bucket_name']}"
    try:
        files.read_mark()
    except FilesUnreachable as error:
        yield DoctorFinding(
            FILES,
            Level.FAULT,
            f"The uploaded files in {where} can't be reached ({error}).",
            "Check FILES_URL, and look whether the storage runs and lets this account in.",
        )
    else:
        yield DoctorFinding(FILES, Level.OK, f"The uploaded files are in {where}.")


def look_at_machines(now: datetime) -> Iterator[DoctorFinding]:
    """Compare the running processes with this command."""
    if WorkerHeartbeat._meta.db_table not in connection.introspection.table_names():
        return  # a new database
    live = list(find_live(now).order_by("name")[: SHOWN + 1])
    found = [finding for one in live[:SHOWN] for finding in _compare(one)]
    yield from found
    if live and not found:
        yield DoctorFinding(
            "machines",
            Level.OK,
            "All running workers and web servers have this version, these settings and these files.",
        )


def _compare(one: WorkerHeartbeat) -> Iterator[DoctorFinding]:
    if one.version != settings.VERSION:
        yield DoctorFinding(
            "machines",
            Level.FAULT,
            f"{one.name} runs version {one.version or 'before 0.3'}, and this is {settings.VERSION}.",
            "Upgrade all machines to one version, and restart their processes.",
        )
    if differing := _find_differing_settings(one):
        yield DoctorFinding(
            "machines",
            Level.FAULT,
            f"{one.name} has other settings than this command: {', '.join(differing)}.",
            "Give all machines the same values, and restart their processes.",
        )
    if one.files_trouble:
        yield DoctorFinding(
            FILES,
            Level.FAULT,
            f"{one.name} can't reach the uploaded files ({one.files_trouble}).",
            "Check FILES_URL there, and whether that machine reaches the storage.",
        )
    elif one.files and (own := _read_own_mark()) and one.files != own:
        yield DoctorFinding(
            FILES,
            Level.FAULT,
            f"{one.name} keeps the uploaded files at another place: its lists can't be read here, nor these there.",
            "Set FILES_URL to the same storage on all machines.",
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
    except FilesUnreachable:  # it is told by look_at_files
        return ""
