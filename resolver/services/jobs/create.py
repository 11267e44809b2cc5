"""The creation of jobs: an upload is stored, and its layout detected."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from hashlib import blake2b, sha256
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from structlog.contextvars import get_contextvars

from resolver.models import Job, no_precheck
from resolver.proxy.request_logic import MAX_BATCH_NAMES
from resolver.services.accounts import quotas
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.uploads import stored_uploads
from resolver.services.uploads.file_reader import PORTAL_READER, FileReader
from resolver.sheets.input.expected_column import name_expected_column
from resolver.sheets.input.layout import Layout, Origin
from resolver.sheets.input.layout_choices import NO_OPTIONS, NOTHING_CHOSEN, LayoutOptions
from resolver.sheets.input.text.text_encoding import find_declared_codec
from resolver.sheets.input.work_columns import NO_WORKS, WorkChoice, name_work_columns


@dataclass(frozen=True, slots=True, kw_only=True)
class NewList:
    """The owner and description of a new list. A `quick` check requests Which RA alone. `sharer`: the address in whose
    turns the list is served (`owners.get_sharer`); "": in those of its owner."""

    owner: str
    filename: str
    sharer: str = ""
    quick: bool = False
    name: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutRequest:
    """The layout that a program requests; the rest is detected. `column` and `expected_column` are names, and so are
    the `work_columns` of a list that is to compare works or to search for them (`works`), by WORK_FIELDS. `split` gives
    each DOI of a cell its own row; None leaves it to the detection. `charset` is a hint at the encoding, no choice.
    `origin`: see Layout."""

    column: str = ""
    expected_column: str = ""
    works: WorkChoice = NO_WORKS
    work_columns: Mapping[str, str] = field(default_factory=dict)
    options: LayoutOptions = NO_OPTIONS
    split: bool | None = None
    charset: str = ""
    origin: Origin = "file"

    def detect_layout(self, path: Path, reader: FileReader) -> Layout:
        """Return the layout of the file. Raises UnreadableFile (reason, line), and NoReadingPlace."""
        choices = NOTHING_CHOSEN
        if self.options != NO_OPTIONS:
            choices = self.options.build_choices(reader.list_sheets(path))
        choices = replace(choices, declared_encoding=find_declared_codec(self.charset), all_records=self.works.search)
        layout = reader.detect_layout(path, self.column or None, choices)
        layout = name_expected_column(layout, self.expected_column)
        layout = name_work_columns(layout, self.work_columns, self.works) if self.works else layout
        layout = layout if self.split is None else layout.with_split(self.split)
        return replace(layout, options=self.options.list_chosen(), origin=self.origin)


def create_job(
    upload: stored_uploads.Upload,
    new: NewList,
    *,
    proxy: DoiProxy,
    now: datetime,
    wanted: LayoutRequest = LayoutRequest(),
    idempotency_key: str = "",
    only_webhook: UUID | None = None,
    fresh_since: datetime | None = None,
    reader: FileReader = PORTAL_READER,
) -> tuple[Job, bool]:
    """Store the upload and make a job of it. Return it, and whether it is new: the same key returns the earlier job.

    `only_webhook`: the one webhook that gets the end of the job. Stored answers from before `fresh_since` don't count.
    Raises UnreadableFile (reason, line), UploadTooLarge, QuotaReached or NoReadingPlace, and leaves nothing behind. The
    `reader` reads only the beginning: a later error fails the job. The caller starts `tasks.enqueue_job` on commit.
    """
    job = build_job(new, proxy, now)
    job.idempotency_key, job.requested_column = _digest(idempotency_key, of_a_run=False), wanted.column
    job.only_webhook, job.fresh_since = only_webhook, fresh_since
    return _store_job(job, upload, lambda path: wanted.detect_layout(path, reader))


def copy_job(
    upload: stored_uploads.Upload,
    old: Job,
    new: NewList,
    *,
    key: str,
    proxy: DoiProxy,
    now: datetime,
    background: bool,
    compare: bool = True,
) -> Job:
    """Store the file of an old run again and make a job of it, with the same layout and without stored answers of the
    DOI proxy. The same key returns the earlier job. `background`: no person waits for it. Nothing is searched for.
    `compare`: works are compared if those of the old run were, and the portal still allows it."""
    job = build_job(new, proxy, now)
    job.idempotency_key, job.requested_column = _digest(key, of_a_run=True), old.requested_column
    job.rerun_of, job.fresh_since, job.background = old.rerun_of or old, now, background
    job.checked_from = None if background else old.pk
    layout = Layout.from_json(old.layout)
    layout = replace(layout, compare=layout.compare and compare and settings.METADATA)
    return _store_job(job, upload, lambda _: layout)[0]


def _store_job(job: Job, upload: stored_uploads.Upload, find_layout: Callable[[Path], Layout]) -> tuple[Job, bool]:
    """Store the job with its file, unless its owner has one with this key. Return it and whether it is new."""
    same = Job.objects.filter(owner=job.owner, idempotency_key=job.idempotency_key)
    if job.idempotency_key and (earlier := same.first()):
        return earlier, False
    job.upload = str(job.id)
    job.digest = stored_uploads.write_upload(upload, job.upload, accepted=job.rerun_of_id is not None)
    try:
        set_layout(job, find_layout(stored_uploads.get_upload_path(job.upload)))
        with transaction.atomic():
            job.save(force_insert=True)
            complete = Layout.from_json(job.layout).complete
            quotas.count_list(job.owner, job.total, job.created_at, complete=complete)
    except IntegrityError:
        stored_uploads.delete_upload(job.upload)
        earlier = same.first() if job.idempotency_key else None  # the same key at the same moment
        if earlier is None:
            raise
        return earlier, False
    except BaseException:
        stored_uploads.delete_upload(job.upload)
        raise
    return job, True


def find_rerun(owner: str, key: str) -> Job | None:
    """Return the owner's rerun with that key; None for an empty key."""
    digest = _digest(key, of_a_run=True)
    return Job.objects.filter(owner=owner, idempotency_key=digest).first() if digest else None


def _digest(key: str, *, of_a_run: bool) -> str:
    """Return a digest of the key. Reruns use another function, so that no client's key can equal theirs."""
    if not key:
        return ""
    sent = key.encode("utf-8", "surrogatepass")
    return (blake2b(sent, digest_size=32, person=b"another run") if of_a_run else sha256(sent)).hexdigest()


def build_job(new: NewList, proxy: DoiProxy, now: datetime) -> Job:
    """Return an unsaved job, without its upload and its layout."""
    return Job(
        **asdict(new),
        created_at=now,
        heartbeat_at=now,
        proxy=proxy.base_url,
        sample=proxy.sample,
        request_id=get_contextvars().get("request_id", ""),
    )


def set_layout(job: Job, layout: Layout) -> None:
    """Give an unsaved job its layout. The rows of a split list, and those of records without a DOI, are counted when
    its file is read."""
    layout = replace(layout, complete=False) if layout.split or layout.all_records else layout
    job.layout = layout.to_json()
    job.header = list(layout.header)
    job.column = layout.column_name
    job.total = job.counted_rows = layout.total
    # One request to Which RA has no need of a precheck, and a quick check is Which RA anyway.
    if not job.quick and job.total > MAX_BATCH_NAMES:
        job.prechecking, job.precheck = True, no_precheck()
