"""A job made of an upload: its file stored, and looked at for how it is to be read."""

from dataclasses import replace
from datetime import datetime
from hashlib import blake2b, sha256
from pathlib import Path

from django.db import IntegrityError, transaction

from resolver.models import Job, no_precheck
from resolver.services.jobs import uploads
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.sheets.input.layout import NO_OPTIONS, Options
from resolver.sheets.input.preview import choices_from_options
from resolver.sheets.input.read import Layout, detect_from_start

NEEDS_NO_PRECHECK = 50  # rows: one request to Which RA tells of them all


def create_job(
    upload: uploads.Upload,
    filename: str,
    *,
    owner: str,
    proxy: DoiProxy,
    now: datetime,
    column: str = "",
    quick: bool = False,
    name: str = "",
    note: str = "",
    idempotency_key: str = "",
    options: Options = NO_OPTIONS,
    layout: Layout | None = None,
    rerun_of: Job | None = None,
) -> tuple[Job, bool]:
    """Store the upload and make a job of it: the job, and whether it is a new one. A `layout` that is given is taken
    as it is; else it is found, with the `column` of this name and what `options` say.

    Another run of `rerun_of` asks the proxy anew, whatever is stored. The same owner's same `idempotency_key` gives
    the job that is there already. A file that cannot be read is refused at once: raises UnreadableFile (reason, line)
    or UploadTooLarge, and leaves nothing behind. Of a long file only the beginning is looked at here, since somebody
    waits; what is wrong further down fails the job. The caller starts `tasks.start_reading` once this is committed.
    """
    key = _digest(idempotency_key, of_a_run=rerun_of is not None)
    if key and (earlier := Job.objects.filter(owner=owner, idempotency_key=key).first()):
        return earlier, False
    job = build_job(owner=owner, filename=filename, proxy=proxy, now=now, quick=quick, name=name, note=note)
    job.idempotency_key, job.requested_column, job.upload = key, column, str(job.id)
    job.rerun_of, job.fresh_since = rerun_of, now if rerun_of else None
    job.digest = uploads.keep(upload, job.upload, accepted=rerun_of is not None)
    try:
        set_layout(job, layout or _looked_at(uploads.place(job.upload), column, options))
        with transaction.atomic():
            job.save(force_insert=True)
    except IntegrityError:  # the same key at the same moment: the other one was first
        uploads.forget(job.upload)
        return Job.objects.get(owner=owner, idempotency_key=key), False
    except BaseException:
        uploads.forget(job.upload)
        raise
    return job, True


def _looked_at(path: Path, column: str, options: Options) -> Layout:
    choices = choices_from_options(path, options, **uploads.reading_bounds())
    return replace(
        detect_from_start(path, column or None, choices=choices, **uploads.reading_bounds()), options=options.said()
    )


def _digest(key: str, *, of_a_run: bool) -> str:
    """Ours for another run come of another function: no key that somebody sends can be one of them."""
    if not key:
        return ""
    sent = key.encode("utf-8", "surrogatepass")
    return (blake2b(sent, digest_size=32, person=b"another run") if of_a_run else sha256(sent)).hexdigest()


def build_job(
    *, owner: str, filename: str, proxy: DoiProxy, now: datetime, quick: bool = False, name: str = "", note: str = ""
) -> Job:
    """A job that is not stored yet, without its upload and its layout."""
    return Job(
        owner=owner,
        created_at=now,
        heartbeat_at=now,
        filename=filename,
        name=name,
        note=note,
        quick=quick,
        proxy=proxy.base_url,
        sample=proxy.sample,
    )


def set_layout(job: Job, layout: Layout) -> None:
    """A job that is not stored yet is to be read by this layout."""
    job.layout = layout.to_json()
    job.header = list(layout.header)
    job.column = layout.column_name
    job.total = layout.total
    if not job.quick and job.total > NEEDS_NO_PRECHECK:  # a quick check asks nothing but Which RA anyway
        job.prechecking, job.precheck = True, no_precheck()
