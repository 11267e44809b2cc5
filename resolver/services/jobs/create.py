"""Make a job of an upload: store its file, and find out how to read it."""

from dataclasses import replace
from datetime import datetime
from hashlib import blake2b, sha256
from uuid import UUID

from django.db import IntegrityError, transaction
from structlog.contextvars import get_contextvars

from resolver.models import Job, no_precheck
from resolver.services import quotas
from resolver.services.jobs import uploads
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.sheets.input.expected_column import name_expected_column
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import NO_OPTIONS, LayoutOptions
from resolver.sheets.input.layout_detection import detect_layout_from_start
from resolver.sheets.input.preview import read_choices

NEEDS_NO_PRECHECK = 50  # rows: one request to Which RA tells of them all


def create_job(
    upload: uploads.Upload,
    filename: str,
    *,
    owner: str,
    proxy: DoiProxy,
    now: datetime,
    column: str = "",
    expected_column: str = "",
    quick: bool = False,
    name: str = "",
    note: str = "",
    idempotency_key: str = "",
    options: LayoutOptions = NO_OPTIONS,
    split: bool = False,
    layout: Layout | None = None,
    only_webhook: UUID | None = None,
    rerun_of: Job | None = None,
    fresh_since: datetime | None = None,
    background: bool = False,
) -> tuple[Job, bool]:
    """Store the upload and make a job of it. Return the job, and whether it is new: the same `idempotency_key` of the
    same owner returns the earlier job.

    Without a `layout`, it is found with the `column` of this name and the `options`; the expected addresses are in
    `expected_column`, and `split` gives each DOI of a cell a row of its own. `only_webhook`: the one webhook that
    learns of its end. Stored answers from before `fresh_since` don't count, and none counts for a rerun. `background`:
    no person waits for it.
    Raises UnreadableFile (reason, line), UploadTooLarge or QuotaReached, and leaves nothing behind. Only the beginning
    of a long file is read here; an error further down fails the job. The caller starts `tasks.enqueue_job` once this
    is committed.
    """
    key = _digest(idempotency_key, of_a_run=rerun_of is not None)
    if key and (earlier := Job.objects.filter(owner=owner, idempotency_key=key).first()):
        return earlier, False
    job = build_job(owner=owner, filename=filename, proxy=proxy, now=now, quick=quick, name=name, note=note)
    job.idempotency_key, job.requested_column, job.upload = key, column, str(job.id)
    job.only_webhook = only_webhook
    job.rerun_of, job.fresh_since, job.background = rerun_of, now if rerun_of else fresh_since, background
    job.digest = uploads.write_upload(upload, job.upload, accepted=rerun_of is not None)
    try:
        set_layout(job, layout or _detect_layout(job, column, expected_column, options, split))
        with transaction.atomic():
            job.save(force_insert=True)
            quotas.count_list(owner, job.total, now, complete=Layout.from_json(job.layout).complete)
    except IntegrityError:  # the same key at the same moment
        uploads.delete_upload(job.upload)
        return Job.objects.get(owner=owner, idempotency_key=key), False
    except BaseException:
        uploads.delete_upload(job.upload)
        raise
    return job, True


def find_rerun(owner: str, key: str) -> Job | None:
    """Return the owner's rerun that was made with that key; None for an empty one."""
    digest = _digest(key, of_a_run=True)
    return Job.objects.filter(owner=owner, idempotency_key=digest).first() if digest else None


def _detect_layout(job: Job, column: str, expected_column: str, options: LayoutOptions, split: bool) -> Layout:
    path = uploads.get_upload_path(job.upload)
    choices = read_choices(path, options, **uploads.get_reading_bounds())
    layout = detect_layout_from_start(path, column or None, choices=choices, **uploads.get_reading_bounds())
    layout = name_expected_column(layout, expected_column)
    return replace(layout.with_split(split), options=options.list_chosen())


def _digest(key: str, *, of_a_run: bool) -> str:
    """Return a digest of the key. Reruns use another function, so that no client's key can equal one of theirs."""
    if not key:
        return ""
    sent = key.encode("utf-8", "surrogatepass")
    return (blake2b(sent, digest_size=32, person=b"another run") if of_a_run else sha256(sent)).hexdigest()


def build_job(
    *, owner: str, filename: str, proxy: DoiProxy, now: datetime, quick: bool = False, name: str = "", note: str = ""
) -> Job:
    """Return an unsaved job, without its upload and its layout."""
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
        request_id=get_contextvars().get("request_id", ""),
    )


def set_layout(job: Job, layout: Layout) -> None:
    """Give an unsaved job its layout. How many rows a split list has is known when its file is read."""
    layout = replace(layout, complete=False) if layout.split else layout
    job.layout = layout.to_json()
    job.header = list(layout.header)
    job.column = layout.column_name
    job.total = job.counted_rows = layout.total
    if not job.quick and job.total > NEEDS_NO_PRECHECK:  # a quick check is Which RA anyway
        job.prechecking, job.precheck = True, no_precheck()
