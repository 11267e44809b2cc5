"""Everything that is stored for an account, as an archive for its person."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import StreamingHttpResponse

from resolver.models import (
    AccountQuota,
    DailyUse,
    DecisionAction,
    Draft,
    EarlierDecision,
    Job,
    MailAddress,
    Watch,
    WatchedState,
    Webhook,
)
from resolver.services.accounts.owners import get_user_owner
from resolver.services.hosts.results import COLUMNS, find_host_check, iterate_host_lines
from resolver.services.http.downloads import read_file, stream_file
from resolver.services.jobs.job_search import find_jobs
from resolver.services.jobs.row_readings import compares_works, has_expected_addresses, searches_works
from resolver.services.logins.api_tokens import list_tokens
from resolver.services.logins.identities import list_identities
from resolver.services.lookups import history
from resolver.services.lookups.export import build_history_table
from resolver.services.results.export import build_results_table
from resolver.services.reviews.action_log import ROW_STATE
from resolver.services.storage.keyset import iterate_batches
from resolver.services.uploads import stored_uploads
from resolver.services.watches.registration import find_changes, find_rows, find_watches
from resolver.services.webhooks.deliveries import list_deliveries
from resolver.services.webhooks.registration import list_webhooks
from resolver.sheets.input.layout import Layout
from resolver.sheets.output.csv_and_jsonl import generate_csv_lines, generate_jsonl
from resolver.sheets.output.zip_stream import generate_zip

_OF_ACCOUNT = ("username", "first_name", "last_name", "email", "date_joined", "last_login")
_OF_LOOKUP = ("input", "title", "author")
_OF_TOKEN = ("name", "scope", "created_at", "ends_at", "last_used_at")
_OF_IDENTITY = ("provider", "uid", "date_joined", "last_login")
_OF_WEBHOOK = ("id", "name", "url", "events", "created_at", "disabled_at")
_OF_WATCH = ("id", "name", "every", "depth", "compare", "mail", "webhook_id", "created_at", "next_at", "paused_at")
_OF_RUN = ("state", "started_at", "settled_at", "total", "unchecked", "broken", "newly_broken", "newly_working")
_OF_CHANGE = ("at", "row", "input", "doi", "outcome", "works")
_OF_MAIL_ADDRESS = (
    "address", "pending_address", "created_at", "asked_at", "links", "links_since", "confirmed_at", "stopped_at",
    "last_mail_at",
)  # fmt: skip
_OF_QUOTA = ("lists", "rows", "requests")
_OF_DAY = ("day", "lists", "rows", "requests")
_OF_DELIVERY = ("event", "created_at", "attempts", "next_at", "delivered_at", "status")
_OF_ACTION = ("id", "decision", "rows", "line", "made_by", "made_at")
_OF_EARLIER = ("action_id", "line", *ROW_STATE)
_OF_DRAFT = ("id", "filename", "created_at")
_OF_LIST = (
    "id", "filename", "name", "note", "column", "quick", "state", "total", "done", "counts", "created_at", "started_at",
    "finished_at", "error",
)  # fmt: skip
ABOUT = """This archive holds what doiportal stores for one account.

account.json                  the account, its mail address for messages, its identity at a provider, its API tokens
                              without their keys, its webhooks without their secrets, its own daily quotas, and what it
                              used of them
watches/ID/watch.json         a list that is checked again by itself, its runs, and the rows that you accepted
watches/ID/changes.jsonl      what changed in it, newest first
webhooks/ID/deliveries.jsonl  what was sent to a webhook in the last 30 days, newest first
lookups.jsonl                 the history of lookups, newest first
drafts/ID/draft.json          a file that was uploaded, or pasted lines, whose check has not started
drafts/ID/upload              the file or the lines
lists/ID/list.json            a list: its name, note, state and counts
lists/ID/upload               the file as it was uploaded
lists/ID/results.jsonl        its rows with results and decisions; only of a list whose check has ended
lists/ID/actions.jsonl        your last actions on its rows, oldest first; only of a list with decisions
lists/ID/replaced.jsonl       what these actions replaced, to undo them
lists/ID/hosts.csv            the hosts to which its DOIs lead; only of a list whose hosts were checked

Passwords are stored only as a hash, which isn't in here. doiportal's documentation explains the fields.
"""


def build_account_download(account: User) -> StreamingHttpResponse:
    """Return the account's data as a ZIP archive, written while it is sent. It breaks off if a list changes."""
    return stream_file("doiportal-account.zip", "application/zip", generate_archive(account))


def generate_archive(account: User) -> Iterator[bytes]:
    """Yield the archive in parts."""
    return generate_zip(_iterate_files(account))


def _iterate_files(account: User) -> Iterator[tuple[str, Iterable[bytes]]]:
    owner = get_user_owner(account)
    related = {
        "mail_addresses": MailAddress.objects.filter(account=account).values(*_OF_MAIL_ADDRESS),
        "identities": list_identities(account).values(*_OF_IDENTITY),
        "tokens": list_tokens(account).values(*_OF_TOKEN),
        "webhooks": list_webhooks(account).values(*_OF_WEBHOOK),
        "quotas": AccountQuota.objects.filter(account=account).values(*_OF_QUOTA),
        "used": DailyUse.objects.filter(owner=owner).values(*_OF_DAY),
    }
    yield "README.txt", [ABOUT.encode()]
    yield (
        "account.json",
        [_encode_json(_pick(account, _OF_ACCOUNT) | {name: list(found) for name, found in related.items()})],
    )
    for webhook in list_webhooks(account):
        yield f"webhooks/{webhook.pk}/deliveries.jsonl", _write_deliveries(webhook)
    for watch in find_watches(owner):
        yield f"watches/{watch.pk}/watch.json", [_encode_json(_describe_watch(watch))]
        yield f"watches/{watch.pk}/changes.jsonl", _write_lines(find_changes(watch), _OF_CHANGE)
    yield "lookups.jsonl", generate_jsonl(build_history_table(history.find_lookups(owner), _OF_LOOKUP))
    for draft in Draft.objects.filter(owner=owner):
        folder = f"drafts/{draft.pk}"
        yield f"{folder}/draft.json", [_encode_json(_pick(draft, _OF_DRAFT))]
        yield from _iterate_upload(folder, draft)
    for job in find_jobs(owner):
        folder = f"lists/{job.pk}"
        yield f"{folder}/list.json", [_encode_json(_describe_list(job))]
        yield from _iterate_upload(folder, job)
        if job.ended:
            yield f"{folder}/results.jsonl", generate_jsonl(build_results_table(job, corrected=True))
        if DecisionAction.objects.filter(job=job).exists():
            actions = DecisionAction.objects.filter(job=job).order_by("pk").values(*_OF_ACTION)
            yield f"{folder}/actions.jsonl", map(_encode_line, list(actions))  # a slow download holds no cursor open
            yield f"{folder}/replaced.jsonl", _write_replaced(job)
        if (check := find_host_check(job)) and check.collected:
            yield f"{folder}/hosts.csv", generate_csv_lines(chain([COLUMNS], iterate_host_lines(check)))


def _iterate_upload(folder: str, of: Draft | Job) -> Iterator[tuple[str, Iterable[bytes]]]:
    try:
        path = stored_uploads.get_upload_path(of.upload)
    except stored_uploads.FileIsGone:
        return
    yield f"{folder}/upload", read_file(path)


def _write_replaced(job: Job) -> Iterator[bytes]:
    # Action by action and in batches: the last action may be about each row of a long list.
    for action in DecisionAction.objects.filter(job=job).order_by("pk"):
        of_action = EarlierDecision.objects.filter(action=action)
        for batch in iterate_batches(of_action, ("line",)):
            yield b"".join(_encode_line(_pick(earlier, _OF_EARLIER)) for earlier in batch)


def _describe_list(job: Job) -> dict[str, Any]:
    expected = Layout.from_json(job.layout).expected_name if has_expected_addresses(job) else None
    columns = Layout.from_json(job.layout).list_work_columns()
    return {
        **_pick(job, _OF_LIST),
        "expected_column": expected,
        "compared_columns": columns if compares_works(job) else None,
        "searched_columns": columns if searches_works(job) else None,
        "shared": bool(job.share_token),
    }


def _describe_watch(watch: Watch) -> dict[str, Any]:
    runs = list(watch.runs.values(*_OF_RUN))
    accepted = find_rows(watch, WatchedState.ACCEPTED).values("line", "outcome", "since", "note")
    return {**_pick(watch, _OF_WATCH), "list": watch.job_id, "runs": runs, "accepted": list(accepted)}


def _write_lines(found: QuerySet[Any], names: Iterable[str]) -> Iterator[bytes]:
    yield from map(_encode_line, found.values(*names).iterator())


def _write_deliveries(webhook: Webhook) -> Iterator[bytes]:
    for delivery in list_deliveries(webhook).iterator():
        yield _encode_line({**_pick(delivery, _OF_DELIVERY), "id": delivery.message_id, "error": str(delivery.error)})


def _pick(stored: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(stored, name) for name in names}


def _encode_line(content: Any) -> bytes:
    return json.dumps(content, cls=DjangoJSONEncoder).encode() + b"\n"


def _encode_json(content: Any) -> bytes:
    return json.dumps(content, indent=2, cls=DjangoJSONEncoder).encode()
