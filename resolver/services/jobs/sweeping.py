"""What was left lying: work that nobody holds, because its worker was killed or its message was lost."""

from collections.abc import Iterator
from datetime import datetime

from resolver.models import Job, State
from resolver.services.jobs import scheduler
from resolver.services.jobs.lifecycle import end_survey_if_done, finish_if_done


def sweep(now: datetime) -> Iterator[str]:
    """End jobs, and surveys, whose worker was killed just before it could; the token of a message to be sent, if there
    is work and none waits. Which work it is, a claim that ran out included, is found by whoever gets the message."""
    scheduler.close_what_is_no_longer_read()
    for job_id in Job.objects.filter(state=State.CHECKING).values_list("pk", flat=True):
        end_survey_if_done(job_id)
        finish_if_done(job_id, now)
    if scheduler.is_work_left(now):
        yield from scheduler.ask_for_one(now)
