"""kill -9 in the middle of a bibliographic file: the file that comes back is whole."""

from pathlib import Path

import pytest

from resolver.models import Chunk, Job
from resolver.services.jobs.import_rows import ROWS_IN_CHUNK
from resolver.services.results.original_file import iterate_original
from tests.faults.conftest import upload, wait_until, worker
from tests.portal_processes import kill_group
from tests.sheets.bibliographic.made_files import make_marc

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

RECORDS = 4 * ROWS_IN_CHUNK
IMPATIENT = "tests.faults.impatient"


def _marc(*, damaged: str) -> bytes:
    """Return records, each tenth with this in its DOI."""
    fields = ((b"%d" % n, f"10.5555/m{'' if n % 10 else damaged}{n}".encode()) for n in range(RECORDS))
    return b"".join(make_marc([(b"001", name), (b"024", b"7 \x1fa" + doi + b"\x1f2doi")]) for name, doi in fields)


def test_after_a_killed_worker_the_file_comes_back_with_every_suggestion(
    environment: dict[str, str], tmp_path: Path
) -> None:
    job = upload(_marc(damaged="\u200b"), environment)

    def ended() -> bool:
        return Job.objects.get(pk=job.pk).state == "finished"

    first, second = tmp_path / "first.log", tmp_path / "second.log"
    with worker(environment, first, app=IMPATIENT) as process:
        wait_until(lambda: Chunk.objects.filter(job=job, done=True).exists(), 120, process, first)
        kill_group(process)
    assert not ended()
    with worker(environment, second, app=IMPATIENT) as process:
        wait_until(ended, 180, process, second)

    job.refresh_from_db()
    assert (job.total, job.done) == (RECORDS, RECORDS)
    assert b"".join(iterate_original(job, "suggested")) == _marc(damaged="")
    assert b"".join(iterate_original(job, "accepted")) == _marc(damaged="\u200b")
