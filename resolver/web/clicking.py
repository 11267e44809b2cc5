"""What a click on a DOI link would do, in the words of the record page. Pure; chance is never promised (L5)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from resolver.domain.addresses import NotRedirectable, redirectable
from resolver.domain.aliases import MAX_HOPS
from resolver.domain.outcomes import Addresses, AliasLoop, Failed, NotFound, Outcome, Redirect, Values
from resolver.domain.parameters import Parameters
from resolver.domain.record import HandleValue, Unreachable
from resolver.domain.report import failure_sentence

_LISTED = 20  # values in one sentence
TOO_MANY = f"It follows {MAX_HOPS} aliases, one behind the other. What doi.org does with more is not documented."
UNEQUAL = (
    "The weights of these locations differ: the DOI Handbook of 2026 says that the highest goes first, older documents "
    "that chance decides, in proportion to the weights."
)


@dataclass(frozen=True, slots=True)
class Click:
    """`headline`, and the addresses that it speaks of; `reasons` are sentences; `meant` other names to look at."""

    headline: str
    tone: str
    sign: str
    addresses: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()


def click(outcome: Outcome, parameters: Parameters, *, url_values: int = 0) -> Click:
    """The outcome of `resolve` as a person reads it; `url_values` of the record could be taken (P2)."""
    match outcome:
        case Redirect():
            return _redirect(outcome, parameters, url_values)
        case Values():
            shown = "the record’s values" if outcome.values else "no values"
            headline = f"doi.org would show {shown}, and go nowhere"
            asked_for = [_asked_for(outcome.values)] if parameters.selects and outcome.values else []
            odd = (one.sentence for one in outcome.advice)
            reasons = (*_sentences(outcome.why), *asked_for, *odd)
            return Click(headline, "info", "≡", reasons=reasons)
        case Addresses(urls=()):
            return Click("doi.org would answer with an empty list", "warn", "!")
        case Addresses():
            headline = f"doi.org would list {_counted(outcome.urls)}, as XML"
            return Click(headline, "info", "≡", outcome.urls)
        case NotFound():
            meant = tuple(one.name for one in outcome.advice if one.name)
            reasons = tuple(one.sentence for one in outcome.advice)
            if len(outcome.way) > 1:
                reasons = ("The name is an alias, and the name behind it is not there.", *reasons)
            return Click("doi.org would answer: DOI name not found", "bad", "✗", reasons=reasons, meant=meant)
        case AliasLoop():
            if outcome.repeats:
                reasons = ("They run in a circle.",)
                return Click("doi.org would give up on the aliases", "bad", "✗", reasons=reasons)
            return Click("This portal gives up on the aliases", "unknown", "?", reasons=(TOO_MANY,))
        case Failed():
            answered = "did not answer" if isinstance(outcome.answer, Unreachable) else "gave no usable answer"
            headline = f"Could not ask: the DOI proxy {answered}"
            return Click(headline, "unknown", "?", reasons=(failure_sentence(outcome.answer.reason),))


def _redirect(outcome: Redirect, parameters: Parameters, url_values: int) -> Click:
    reasons = _sentences(outcome.why)
    if outcome.choice is None and url_values > 1:
        reasons += ("The DOI Handbook says the first one is taken; older documents say any of them.",)
    if outcome.choice is not None and outcome.choice.is_disputed:
        reasons += (UNEQUAL,)
    urls = _possible(outcome, parameters)
    headline = "doi.org would redirect to" if len(urls) == 1 else f"doi.org would redirect to one of {_counted(urls)}"
    return Click(headline, "good", "→", urls, reasons)


def _possible(outcome: Redirect, parameters: Parameters) -> tuple[str, ...]:
    """Every address that chance may come to; the one where there is no chance."""
    if outcome.choice is None or len(outcome.choice.among) < 2:
        return (outcome.url,)
    found: dict[str, None] = {}
    for location in outcome.choice.among:
        with suppress(NotRedirectable):  # too long with what is appended
            found[redirectable(location.href_for(outcome.name) or "", parameters.urlappend)] = None
    return tuple(found)


def _asked_for(values: Sequence[HandleValue]) -> str:
    """Which values fit the types and indexes of the request (P9)."""
    more = f", and {len(values) - _LISTED} more" if len(values) > _LISTED else ""
    return f"Only these are asked for: {', '.join(f'{one.index} {one.type}' for one in values[:_LISTED])}{more}."


def _counted(urls: Sequence[str]) -> str:
    return f"{len(urls)} address{'' if len(urls) == 1 else 'es'}"


def _sentences(why: str) -> tuple[str, ...]:
    return (why,) if why else ()
