"""What a click on a name leads to, from the records that are stored or asked for now."""

import re
import secrets
from datetime import datetime

from django.http import HttpRequest

from resolver import conf
from resolver.domain.doi import fold
from resolver.domain.outcomes import Outcome
from resolver.domain.parameters import Parameters
from resolver.domain.resolving import resolve
from resolver.services import records
from resolver.services.asking import Proxy


def resolved(
    name: str, parameters: Parameters, *, country: str, proxy: Proxy, now: datetime
) -> tuple[Outcome, datetime | None]:
    """The outcome, and when the oldest of the records behind it was asked for; None where one could not be had.

    What is usually needed is looked for by one query: the record, and that of its prefix. Raises Paused.
    """
    past = parameters.auth or parameters.cert
    usual = [name, f"0.NA/{name.partition('/')[0]}"]
    known = {} if past else records.stored(usual, proxy=proxy.base_url, now=now)
    oldest: datetime | None = now
    steps = resolve(name, parameters, country=country, pick=secrets.choice)
    handle = next(steps)
    while True:
        held = known.get(fold(handle)) or records.record(
            handle, proxy=proxy, now=now, fresh=parameters.auth, certified=parameters.cert
        )
        oldest = min(oldest, held.asked_at) if oldest and held.asked_at else None
        try:
            handle = steps.send(held.answer)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome, oldest


def country_of(request: HttpRequest) -> str:
    """The requester's country in two small letters, as the server before us says or as the settings have it; '' where
    neither does (L4)."""
    header = conf.country_header()
    told = request.headers.get(header, "") if header else ""
    return told.lower() if re.fullmatch("[A-Za-z]{2}", told) else conf.country()
