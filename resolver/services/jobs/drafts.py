"""Drafts: files or pasted lines, stored and previewed without a request, then started or discarded."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from doi_reading import Reading, Severity
from resolver.domain.foreign_text import split_nonblank_lines, strip_empty_lines
from resolver.models import Draft, Job
from resolver.services.accounts import quotas
from resolver.services.jobs.create import NewList, build_job, set_layout
from resolver.services.jobs.row_readings import choose_place_reader, find_in_cell, inspect_cell
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.uploads import stored_uploads
from resolver.services.uploads.file_reader import PORTAL_READER, FileReader
from resolver.sheets.bibliographic.formats import FORMATS
from resolver.sheets.errors import NeedsChoice, UnreadableFile
from resolver.sheets.header.column_names import is_doi_column_name
from resolver.sheets.input.expected_column import choose_expected_column
from resolver.sheets.input.layout import Layout
from resolver.sheets.input.layout_choices import NOTHING_CHOSEN, LayoutChoices
from resolver.sheets.input.place_rows import build_no_doi_error
from resolver.sheets.input.work_columns import NO_WORKS, WorkChoice, choose_work_columns

KEPT_FOR = timedelta(days=2)  # one whole day more, for a list beyond the quotas of this one
# A person waits for the preview: its rows, and the characters in their DOI cells.
PREVIEW_ROWS = 100
PREVIEW_CHARACTERS = 100_000
_FAULTS = frozenset({Severity.ERROR, Severity.WARNING})


@dataclass(frozen=True, slots=True)
class DraftPreview:
    """The first rows of a draft as they would be read, with the reading of each DOI cell, and their numbers. A draft
    with a `refusal` can't be started like this: it may have no layout, or one with an unknown column."""

    layout: Layout | None
    rows: list[tuple[list[str], Reading]]
    refusal: UnreadableFile | None = None
    numbers: Sequence[int] = ()

    @property
    def named(self) -> int:
        """The number of rows with a DOI name."""
        return sum(reading.valid for _, reading in self.rows)

    @property
    def mistyped(self) -> int:
        """The number of rows whose text is no DOI name, but may be repaired to one."""
        return sum(not reading.valid and bool(reading.candidates) for _, reading in self.rows)

    @property
    def faulty(self) -> int:
        """The number of rows with a DOI name that has an error or a warning."""
        return sum(reading.valid and has_fault(reading) for _, reading in self.rows)


def has_fault(reading: Reading) -> bool:
    """Return whether the reading has an error or a warning."""
    return any(problem.severity in _FAULTS for problem in reading.problems)


def create_from_file(
    upload: stored_uploads.Upload, filename: str, *, owner: str, now: datetime, reader: FileReader = PORTAL_READER
) -> Draft:
    """Store the upload and detect its layout, or store nothing and raise UnreadableFile (unless a choice may help),
    UploadTooLarge or NoReadingPlace."""
    return _fill_draft(Draft(owner=owner, created_at=now, filename=filename), upload, reader)


def create_from_text(text: str, *, owner: str, now: datetime, reader: FileReader = PORTAL_READER) -> Draft:
    """Store each pasted line that isn't empty as a row. Raise as `create_from_file`."""
    file = ContentFile("\n".join(split_nonblank_lines(text)).encode("utf-8", "surrogatepass"))
    text = strip_empty_lines(text)
    kept = text if len(text) <= settings.MAX_CELL else ""
    return _fill_draft(Draft(owner=owner, created_at=now, filename="pasted.txt", pasted=True, text=kept), file, reader)


def _fill_draft(draft: Draft, upload: stored_uploads.Upload, reader: FileReader) -> Draft:
    draft.upload = str(draft.id)
    draft.digest = stored_uploads.write_upload(upload, draft.upload)
    try:
        draft.sheets = reader.list_sheets(stored_uploads.get_upload_path(draft.upload))
        with suppress(NeedsChoice):  # a person makes that choice
            draft.layout = _detect_layout(draft, NOTHING_CHOSEN, reader).to_json()
        draft.save(force_insert=True)
    except BaseException:
        stored_uploads.delete_upload(draft.upload)
        raise
    return draft


def preview_draft(
    draft: Draft, choices: LayoutChoices = NOTHING_CHOSEN, *, reader: FileReader = PORTAL_READER
) -> DraftPreview:
    """Preview the draft with these choices. Raise Draft.DoesNotExist if its file is gone, or NoReadingPlace for now."""
    try:
        return _build_preview(draft, _read_layout(draft, choices, reader), reader)
    except UnreadableFile as refusal:
        try:  # its rows show a person which column to choose
            guess = _read_layout(draft, replace(choices, column=0), reader) if choices.column is None else None
        except UnreadableFile:
            guess = None
        preview = _build_preview(draft, guess, reader) if guess else DraftPreview(None, [])
        return replace(preview, refusal=refusal)


def _build_preview(draft: Draft, layout: Layout, reader: FileReader) -> DraftPreview:
    rows, numbers, room = [], [], PREVIEW_CHARACTERS
    read_place = choose_place_reader(layout) if layout.is_bibliographic else None
    with _report_missing_file():
        first = reader.list_first_rows(stored_uploads.get_upload_path(draft.upload), layout, PREVIEW_ROWS)
    for number, cells in first:
        cell = layout.get_cell(cells)
        numbers.append(number)
        read_first = find_in_cell(cell)[0] if layout.split else None
        rows.append((cells, read_place(cell, cells) if read_place else read_first or inspect_cell(cell)))
        room -= len(cell)
        if room < 0:
            break
    return DraftPreview(layout, rows, numbers=numbers)


def start_draft(
    draft: Draft,
    choices: LayoutChoices = NOTHING_CHOSEN,
    *,
    proxy: DoiProxy,
    now: datetime,
    quick: bool = False,
    name: str = "",
    note: str = "",
    split: bool = False,
    expected: int | None = None,
    works: WorkChoice = NO_WORKS,
    work_columns: Mapping[str, int] = MappingProxyType({}),
    reader: FileReader = PORTAL_READER,
    sharer: str = "",
) -> Job:
    """Make a job of the draft, with the same id and upload. `split` gives each DOI of a cell its own row. `expected` is
    the index of the column with the addresses to which the DOIs should lead. `works`: whether it compares
    works or searches for them, with these `work_columns`. `sharer`: see NewList.

    Raises UnreadableFile if the choices don't fit the file, QuotaReached and NoReadingPlace (the draft stays), and
    Draft.DoesNotExist if it was started or discarded, or has no file. The caller starts `tasks.enqueue_job` on commit.
    """
    if not stored_uploads.is_stored(draft.upload):
        raise Draft.DoesNotExist
    layout = choose_expected_column(_read_layout(draft, choices, reader), expected).with_split(split)
    layout = choose_work_columns(layout, work_columns, works) if works else layout
    if layout.all_records and not works.search:
        raise build_no_doi_error(layout, layout.without_doi[1])
    new = NewList(owner=draft.owner, filename=draft.filename, quick=quick, name=name, note=note, sharer=sharer)
    job = build_job(new, proxy, now)
    job.id, job.upload, job.digest = draft.id, draft.upload, draft.digest
    job.requested_column = "" if choices.column is None else layout.column_name
    set_layout(job, layout)
    with transaction.atomic():
        Draft.objects.select_for_update().get(pk=draft.pk)
        job.save(force_insert=True)
        quotas.count_list(job.owner, job.total, now, complete=layout.complete and not split)
        Draft.objects.filter(pk=draft.pk).delete()
    return job


def discard_draft(draft: Draft) -> None:
    """Remove the draft and its upload, unless it was started."""
    with transaction.atomic():
        if Draft.objects.filter(pk=draft.pk).delete()[0]:
            transaction.on_commit(lambda: stored_uploads.delete_upload(draft.upload))


def prune_drafts(now: datetime) -> None:
    """Discard the drafts that were not started in time."""
    for draft in Draft.objects.filter(created_at__lt=now - KEPT_FOR):
        discard_draft(draft)


def _read_layout(draft: Draft, choices: LayoutChoices, reader: FileReader) -> Layout:
    if choices == NOTHING_CHOSEN and draft.layout:
        return Layout.from_json(draft.layout)
    if choices.sheet is None and draft.layout:
        choices = replace(choices, sheet=draft.layout["sheet_chosen"])
    with _report_missing_file():
        return _detect_layout(draft, choices, reader)


def _reads_all_fields(draft: Draft, choices: LayoutChoices) -> bool:
    """Return whether a person left no field of a bibliographic file out."""
    form = FORMATS.get((draft.layout or {}).get("kind", ""))
    return choices.fields is None or (form is not None and {*choices.fields} == {*form.fields})


@contextmanager
def _report_missing_file() -> Iterator[None]:
    """Raise Draft.DoesNotExist for a missing file: the draft was discarded."""
    try:
        yield
    except FileNotFoundError:
        raise Draft.DoesNotExist from None


def _detect_layout(draft: Draft, choices: LayoutChoices, reader: FileReader) -> Layout:
    path = stored_uploads.get_upload_path(draft.upload)
    try:
        layout = reader.detect_layout(path, None, choices)
    except NeedsChoice as refusal:
        if refusal.about != "all_records" or not _reads_all_fields(draft, choices):
            raise
        if not settings.SEARCH:
            raise UnreadableFile(refusal.reason) from None
        return reader.detect_layout(path, None, replace(choices, all_records=True))
    except UnreadableFile:
        # A quotation mark that is never closed is plain text in copied lines.
        if not draft.pasted or choices.delimiter is not None:
            raise
        choices = replace(choices, delimiter="")
        layout = reader.detect_layout(path, None, choices)
    is_plain = draft.pasted and not layout.delimiter
    if is_plain and choices.has_header is None and layout.has_header and not is_doi_column_name(layout.header[0]):
        # The first line of a copied list is an entry, unless it is called "DOI".
        layout = reader.detect_layout(path, None, replace(choices, has_header=False))
    return replace(layout, origin="pasted") if draft.pasted else layout
