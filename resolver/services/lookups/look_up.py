"""One name, from the text that a librarian has to the report in the history: the whole path on one screen."""

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from resolver.domain.message import Message, join
from resolver.domain.parsing.reading import Reading
from resolver.models import Lookup
from resolver.proxy.limits import Paused
from resolver.proxy.limits.deadline import time_limit
from resolver.services.proxy_answers.batch import OneByOne, ResolutionBatch
from resolver.services.proxy_answers.cache import NEVER
from resolver.services.proxy_answers.doi_proxy import DoiProxy
from resolver.services.proxy_answers.semaphore import ATTEMPT, OF_THIS_PROCESS
from resolver.services.readings import OTHERS_IN_FULL, inspect, name_to_ask
from resolver.services.report_columns import build_lookup

LONGEST = 18.0  # seconds that a person waits, for a place and for all the answers; the page itself takes some too


class NotNow(Exception):
    """Nothing is asked for `seconds` more, too long for a person to wait; the text is the sentence for that person, and
    `why` the part of it that holds for everybody."""

    def __init__(self, pause: Paused) -> None:
        self.seconds = math.ceil(pause.seconds)
        until = datetime.now(UTC) + timedelta(seconds=self.seconds)
        self.why = join(" ", pause.until(f"{until:%H:%M:%S}"), Message("Try again then."))
        super().__init__(join(" ", self.why, Message("Nothing was stored in your history.")))


def look_up(
    text: str, *, owner: str | Callable[[], str], proxy: DoiProxy, now: datetime, fresh: bool = False
) -> Lookup:
    """Read the text, ask the proxy for the name it means, judge, and store the report in the owner's history.

    Two requests at most for a name that exists: its record, and Which RA. An answer not older than 24 hours is taken
    from the store unless `fresh`. The candidates of a name that does not exist, or of a text that is no name, are
    tried in the same Which RA request, and so are the other DOIs of a text that holds several; of a short DOI the
    handle is asked (S12). Whatever the proxy answers, no more requests are sent than one text has an allowance for.

    `owner` may be a function, for an owner who is only made when there is something to store.

    Raises NotNow while all requests pause for long, where too many wait for a slow proxy, or when its answers take too
    long together; that is known of the portal and not of the name, so no lookup is stored.
    """
    reading = inspect(text)
    knowledge = ResolutionBatch(OneByOne(proxy.client), proxy.base_url, now, NEVER if fresh else None)
    name = name_to_ask(reading)
    attempt = ATTEMPT.get()
    try:
        with time_limit(LONGEST - (attempt.waited if attempt else 0)), OF_THIS_PROCESS.one_place():
            _learn(knowledge, reading, name)
    except Paused as pause:
        raise NotNow(pause) from pause
    report = knowledge.report(reading)
    lookup = build_lookup(
        reading,
        report,
        owner=owner() if callable(owner) else owner,
        proxy=proxy.base_url,
        now=now,
        source=knowledge.source(reading),
        sample=proxy.sample,
    )
    lookup.save(force_insert=True)
    return lookup


def _learn(knowledge: ResolutionBatch, reading: Reading, name: str | None) -> None:
    knowledge.pay_for([reading])
    knowledge.learn_records([name] if name else [])
    # A person waits: where a record was asked for to no avail, more questions would only take as long again.
    if not knowledge.is_out_of_reach(name):
        knowledge.learn_the_rest([reading])
        within_reach = (other for other in reading.others if not knowledge.is_out_of_reach(other))
        knowledge.learn_records(knowledge.unsettled(within_reach)[:OTHERS_IN_FULL])
