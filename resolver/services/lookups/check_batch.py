"""Many texts at once, for a program that waits: checked, and stored in the history if the program wants lookups."""

import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from doi_reading import Reading
from resolver.domain.report.outcome import COULD_NOT_ASK
from resolver.models import Lookup
from resolver.proxy.limits import Paused
from resolver.services.http.request_run import measure_wait
from resolver.services.lookups.inspection import inspect_input
from resolver.services.lookups.look_up import LookupPaused, must_be_new, store_lookups
from resolver.services.lookups.stored_results import build_lookup
from resolver.services.proxy_answers.configured_proxy import DoiProxy
from resolver.services.proxy_answers.name_answers import OTHERS_IN_FULL, NameAnswers, get_name_to_ask, list_names
from resolver.services.proxy_answers.name_requests import BatchClient, NameRequests
from resolver.services.proxy_answers.reading_judge import CheckedText, ReadingJudge
from resolver.services.proxy_answers.waiting_places import PROXY_PLACES, ProxyBusy, TurnedBack
from resolver.services.retractions.join import join_events

BATCH_SECONDS = 40.0  # that a program waits for a place and for all answers; OpenRefine waits 60


def check_batch(
    texts: Sequence[str],
    *,
    proxy: DoiProxy,
    now: datetime,
    quick: bool = False,
    agencies: bool = False,
    guesses: bool = True,
    longest: float = BATCH_SECONDS,
) -> list[CheckedText]:
    """Read the texts, request the names they mean, and judge each; the results are in the order of the texts.

    One request for each distinct name without a stored answer. Which RA gets, in batches, the candidates of missing
    names, other DOIs of a text and, with `agencies`, all names. `quick`: Which RA alone, as far as it can decide.
    `guesses`: try the doubtful candidates too. All answers are stored. A text has an outcome of COULD_NOT_ASK if its
    name has no answer after `longest` seconds.

    Raises LookupPaused while all requests pause for longer, or if too many wait for a slow proxy.
    """
    readings = [inspect_input(text) for text in texts]
    ends = _find_end(longest)
    judge = ReadingJudge(NameAnswers(proxy.base_url, now))
    requests = NameRequests(BatchClient(proxy.bulk, proxy.budget, ends), judge)
    try:
        _learn(requests, readings, proxy, quick=quick, agencies=agencies, guesses=guesses)
    except Paused as pause:
        raise LookupPaused(pause) from pause
    return join_events([judge.check(one, quick=quick) for one in readings])


def check_each(
    texts: Sequence[str], *, proxy: DoiProxy, now: datetime, fresh_since: datetime | None = None
) -> list[CheckedText | LookupPaused]:
    """Check the texts as `check_batch` does, with all agencies. A text that could not be requested in time, or while
    all requests pause, has LookupPaused in its place, and the others have their results. Stored answers from before
    `fresh_since` don't count; if none counts, the records come past the proxy's own cache too (P8).

    Raises LookupPaused if the web server runs the request again.
    """
    readings = [inspect_input(text) for text in texts]
    ends = _find_end(BATCH_SECONDS)
    client = BatchClient(proxy.bulk, proxy.budget, ends, auth=must_be_new(fresh_since, now))
    judge = ReadingJudge(NameAnswers(proxy.base_url, now, fresh_since))
    pause: Paused | None = None
    try:
        _learn(NameRequests(client, judge), readings, proxy, agencies=True, records_of_others=True)
    except TurnedBack as turned_back:
        raise LookupPaused(turned_back) from turned_back
    except Paused as error:
        pause = error
    found: list[CheckedText | LookupPaused] = []
    for reading, checked in zip(readings, join_events(list(map(judge.check, readings))), strict=True):
        unanswered = get_name_to_ask(reading) is not None and checked.source.answer is None
        in_part = pause is not None and checked.report.incomplete
        found.append(LookupPaused(pause or ProxyBusy()) if unanswered or in_part else checked)
    return found


def create_lookups(
    texts: Sequence[str],
    *,
    owner: Callable[[], str],
    proxy: DoiProxy,
    now: datetime,
    fresh_since: datetime | None = None,
    ids: Sequence[UUID] = (),
) -> list[Lookup | LookupPaused]:
    """Check the texts, and store a lookup of each that could be requested, the last as the newest. The results are in
    the order of the texts, with LookupPaused in place of the others. `owner` is called if there is something to store.
    `ids`: one for each text, as in `create_lookup`.

    Raises LookupPaused if the web server runs the request again.
    """
    checked = check_each(texts, proxy=proxy, now=now, fresh_since=fresh_since)
    whose = owner() if any(isinstance(one, CheckedText) for one in checked) else ""
    found = [
        one
        if isinstance(one, LookupPaused)
        else build_lookup(one, owner=whose, proxy=proxy, now=now + timedelta(microseconds=at))
        for at, one in enumerate(checked)
    ]
    stored = [one for one in found if isinstance(one, Lookup)]
    store_lookups(stored, [each for one, each in zip(found, ids, strict=False) if isinstance(one, Lookup)])
    return found


def _find_end(longest: float) -> float:
    return time.monotonic() + longest - measure_wait()


def _learn(
    requests: NameRequests,
    readings: Sequence[Reading],
    proxy: DoiProxy,
    *,
    quick: bool = False,
    agencies: bool = False,
    guesses: bool = True,
    records_of_others: bool = False,
) -> None:
    """Request what the readings need. `records_of_others`: also where Which RA has decided (R3). Raises Paused."""
    with proxy.bulk, PROXY_PLACES.keep_place(is_batch=True):
        requests.pay_for(readings)
        if quick:
            requests.learn_agencies(name for reading in readings for name in list_names(reading))
        own = [name for reading in readings if (name := get_name_to_ask(reading))]
        requests.learn_records(requests.answers.list_unsettled(own, quick=quick) if quick else own)
        reached = [one for one in readings if requests.judge.report(one, quick=quick).outcome not in COULD_NOT_ASK]
        requests.learn_the_rest(reached, agencies=agencies)
        if not quick:
            if guesses:
                requests.learn_guesses(reached)
            requests.learn_suggestions(reached)
            requests.learn_destinations(reached)
        others = ([*requests.answers.list_unsettled(one.others, quick=not records_of_others)] for one in reached)
        requests.learn_records(name for names in others for name in names[:OTHERS_IN_FULL])
