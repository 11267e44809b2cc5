"""One name, from a librarian's text to the report in the history: the whole path on one screen."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import transaction

from doi_reading import Message, Reading
from doi_reading.message import join_messages
from resolver.models import Lookup
from resolver.models.single_objects import insert_object
from resolver.proxy.limits import Paused
from resolver.proxy.limits.request_deadline import time_limit
from resolver.services.http.request_run import measure_wait
from resolver.services.lookups.inspection import inspect_input
from resolver.services.lookups.stored_results import build_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import OTHERS_IN_FULL, NameAnswers, get_name_to_ask, is_plain_name
from resolver.services.proxy_answers.name_requests import InteractiveClient, NameRequests
from resolver.services.proxy_answers.reading_judge import CheckedText, ReadingJudge
from resolver.services.proxy_answers.waiting_places import LOOKUP_SECONDS, PROXY_PLACES
from resolver.services.retractions.join import join_events


class LookupPaused(Exception):
    """Requests pause for `seconds`, too long for a person to wait. The text is the sentence for that person, `why` the
    part of it that is not about the history."""

    def __init__(self, pause: Paused) -> None:
        self.seconds = math.ceil(pause.seconds)
        until = datetime.now(UTC) + timedelta(seconds=self.seconds)
        self.why = join_messages(" ", pause.describe(f"{until:%H:%M:%S}"), Message("Try again then."))
        super().__init__(join_messages(" ", self.why, Message("Nothing was stored in your history.")))


def create_lookup(
    text: str,
    *,
    owner: str | Callable[[], str],
    proxy: DoiProxy,
    now: datetime,
    fresh_since: datetime | None = None,
    lookup_id: UUID | None = None,
    title: str = "",
    author: str = "",
) -> Lookup:
    """Check the text, and store the report in the owner's history. Raises what `check_text` raises, and stores nothing.

    `title` and `author`, of the work that is meant, are stored with it. This sends them nowhere. `owner` may be a
    function, for an owner that is only made when there is something to store. A lookup with this `lookup_id`, of a
    request that was killed, is replaced.
    """
    checked = check_text(text, proxy=proxy, now=now, fresh_since=fresh_since)
    lookup = build_lookup(checked, owner=owner() if callable(owner) else owner, proxy=proxy, now=now)
    lookup.title, lookup.author = title, author
    store_lookups([lookup], [lookup_id] if lookup_id else [])
    return lookup


def store_lookups(lookups: Sequence[Lookup], ids: Sequence[UUID]) -> None:
    """Store the lookups, with these ids if there are any, in place of those that have them."""
    for lookup, lookup_id in zip(lookups, ids, strict=False):
        lookup.pk = lookup_id
    if len(lookups) == 1 and not ids:
        insert_object(lookups[0])
        return
    with transaction.atomic():
        if ids:
            Lookup.objects.filter(pk__in=ids).delete()
        Lookup.objects.bulk_create(lookups)


def must_be_new(fresh_since: datetime | None, now: datetime) -> bool:
    """Return whether no stored answer counts: the caller wants to see a change of this moment."""
    return fresh_since is not None and fresh_since >= now


def check_text(text: str, *, proxy: DoiProxy, now: datetime, fresh_since: datetime | None = None) -> CheckedText:
    """Read the text, request the name it means, and judge.

    At most two requests for a name that exists: its record, and Which RA. For a text that is a plain name they are sent
    at once, whether it exists or not; for others Which RA comes second. Stored answers from before `fresh_since` don't
    count. If none counts, records come past the proxy's own cache too (P8). Which RA also gets the candidates of a
    missing name, and the other DOIs of the text. If none exists, it gets the doubtful candidates in one more request.
    The record of a suggestion is requested too, and those of DOIs to which addresses lead. Of a short DOI the handle is
    requested (S12). All requests are paid from the allowance of one text.

    Raises LookupPaused while all requests pause for long, if too many wait for a slow proxy, or if its answers take too
    long together.
    """
    reading = inspect_input(text)
    client = InteractiveClient(proxy.client, auth=must_be_new(fresh_since, now))
    judge = ReadingJudge(NameAnswers(proxy.base_url, now, fresh_since))
    name = get_name_to_ask(reading)
    try:
        with time_limit(LOOKUP_SECONDS - measure_wait()), PROXY_PLACES.keep_place():
            _learn(NameRequests(client, judge), reading, name)
    except Paused as pause:
        raise LookupPaused(pause) from pause
    return join_events([judge.check(reading)])[0]


def _learn(requests: NameRequests, reading: Reading, name: str | None) -> None:
    answers = requests.answers
    requests.pay_for([reading])
    if name and is_plain_name(reading):
        requests.learn_plain_name(name)
    else:
        requests.learn_records([name] if name else [])
    # A person waits: without an answer about the record, more requests would only take as long again.
    if not answers.is_out_of_reach(name):
        requests.learn_the_rest([reading])
        requests.learn_guesses([reading])
        requests.learn_suggestions([reading])
        requests.learn_destinations([reading])
        within_reach = (other for other in reading.others if not answers.is_out_of_reach(other))
        requests.learn_records(answers.list_unsettled(within_reach)[:OTHERS_IN_FULL])
