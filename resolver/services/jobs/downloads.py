"""A file of results that is being taken away while somebody takes the job up again, or deletes it."""

from resolver.models import Job


class TakenUpAgain(Exception):
    """The job runs again, or is gone: what is left of its rows is no longer what the file began with."""


def need_unchanged(job: Job) -> None:
    """Raises TakenUpAgain unless the job, which had ended, stands as it did. To be called when rows were fetched and
    before they are given away: rows are only emptied once the job runs again.

    A file that breaks off shows as broken; one that goes on with emptied rows would look whole. A transaction around
    the whole download would give it all, but hold back for hours what a database cleans up.
    """
    if not Job.objects.filter(pk=job.pk, state=job.state, finished_at=job.finished_at).exists():
        raise TakenUpAgain(f"job {job.pk} was taken up again or deleted during a download")
