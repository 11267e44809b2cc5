"""What a click on a DOI link would do, in the words of the record page; chance is never promised (L5)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from resolver import conf
from resolver.domain.handle.aliases import MAX_HOPS
from resolver.domain.handle.parameters import Parameters
from resolver.domain.handle.record import HandleValue, Unreachable
from resolver.domain.redirect.result import AddressList, AliasLoop, Failed, NotFound, Outcome, Redirect, Values
from resolver.domain.redirect.safe_url import NotRedirectable, to_location_header
from resolver.domain.report.sentences import failure_sentence

_LISTED = 20  # values in one sentence
UNEQUAL = gettext_lazy(
    "The weights of these locations differ: the DOI Handbook of 2026 says that the highest goes first, older documents "
    "that chance decides, in proportion to the weights."
)


@dataclass(frozen=True, slots=True)
class RedirectText:
    """`headline`, and the addresses that it speaks of; `code` is the kind of outcome for programs that read the page,
    `reasons` are sentences; `meant` other names to look at; `next` says what to do."""

    code: str
    headline: str
    tone: str
    sign: str
    addresses: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    next: str = ""


def describe_redirect(outcome: Outcome, parameters: Parameters, *, url_values: int = 0) -> RedirectText:
    """The outcome of `resolve` as a person reads it; `url_values` of the record could be taken (P2)."""
    match outcome:
        case Redirect():
            return _redirect(outcome, parameters, url_values)
        case Values():
            return _values(outcome, parameters)
        case AddressList(urls=()):
            return RedirectText("address-list", _("doi.org would answer with an empty list"), "warn", "!", next=_mend())
        case AddressList():
            count = len(outcome.urls)
            headline = ngettext(
                "doi.org would list %(count)d address, as XML", "doi.org would list %(count)d addresses, as XML", count
            )
            return RedirectText("address-list", headline % {"count": count}, "info", "≡", outcome.urls)
        case NotFound():
            return _not_found(outcome)
        case AliasLoop():
            return _loop(outcome)
        case Failed():
            headline = (
                _("Couldn’t check: no answer from the DOI service")
                if isinstance(outcome.answer, Unreachable)
                else _("Couldn’t check: DOI service error")
            )
            reasons = (failure_sentence(outcome.answer.reason),)
            return RedirectText(
                "could-not-ask", headline, "unknown", "?", reasons=reasons, next=_("Reload this page in a minute.")
            )


def _mend() -> str:
    return _("If readers need a web address, contact the Registration Agency or the publisher: only they can add one.")


def _values(outcome: Values, parameters: Parameters) -> RedirectText:
    headline = (
        _("doi.org would show the record’s values and not redirect")
        if outcome.values
        else _("doi.org would show no values and not redirect")
    )
    asked_for = [_asked_for(outcome.values)] if parameters.selects and outcome.values else []
    odd = (one.sentence for one in outcome.advice)
    reasons = (*_sentences(outcome.why), *asked_for, *odd)
    asked_to = parameters.noredirect or parameters.selects
    step = _("Try it without parameters to see where the plain link goes.") if asked_to else _mend()
    return RedirectText("values", headline, "info", "≡", reasons=reasons, next=step)


def _not_found(outcome: NotFound) -> RedirectText:
    reasons: tuple[str, ...] = tuple(one.sentence for one in outcome.advice)
    if len(outcome.way) > 1:
        reasons = (_("The name is an alias, but the name it stands for isn’t registered."), *reasons)
        step = _("Contact the Registration Agency: only the agency can correct the alias.")
    else:
        step = _(
            "Compare the name with its source, character by character. Look it up to check other possible DOIs too."
        )
    meant = tuple(one.name for one in outcome.advice if one.name)
    return RedirectText(
        "not-found", _("doi.org would answer: DOI name not found"), "bad", "✗", reasons=reasons, meant=meant, next=step
    )


def _loop(outcome: AliasLoop) -> RedirectText:
    if outcome.repeats:
        return RedirectText(
            "alias-loop",
            _("doi.org would stop following the aliases"),
            "bad",
            "✗",
            reasons=(_("They form a loop."),),
            next=_("Only the Registration Agency can mend it. Look the name up, to see which agency that is."),
        )
    told = _("It follows up to %(count)d aliases in a row. What doi.org does with more isn’t documented.") % {
        "count": MAX_HOPS
    }
    step = _("Follow the link at doi.org to see what it does.")
    return RedirectText(
        "too-many-aliases", _("This portal stops following the aliases"), "unknown", "?", reasons=(told,), next=step
    )


def _redirect(outcome: Redirect, parameters: Parameters, url_values: int) -> RedirectText:
    reasons = _sentences(outcome.why)
    if outcome.choice is None and url_values > 1:
        reasons += (_("The DOI Handbook says the first one is taken; older documents say any of them."),)
    if outcome.choice is not None and outcome.choice.is_disputed:
        reasons += (str(UNEQUAL),)
    urls = _possible(outcome, parameters)
    if conf.sample_data():
        headline = ngettext(
            "The sample proxy would redirect to",
            "The sample proxy would redirect to one of %(count)d addresses",
            len(urls),
        )
    else:
        headline = ngettext(
            "doi.org would redirect to", "doi.org would redirect to one of %(count)d addresses", len(urls)
        )
    headline %= {"count": len(urls)}
    step = _("We don’t check whether the page opens. Follow the link to see.")
    return RedirectText("redirect", headline, "good", "→", urls, reasons, next=step)


def _possible(outcome: Redirect, parameters: Parameters) -> tuple[str, ...]:
    """Every address that chance may come to; the one where there is no chance."""
    if outcome.choice is None or len(outcome.choice.among) < 2:
        return (outcome.url,)
    found: dict[str, None] = {}
    for location in outcome.choice.among:
        with suppress(NotRedirectable):  # too long with what is appended
            found[to_location_header(location.href_for(outcome.name) or "", parameters.urlappend)] = None
    return tuple(found)


def _asked_for(values: Sequence[HandleValue]) -> str:
    """Which values fit the types and indexes of the request (P9)."""
    listed = ", ".join(f"{one.index} {one.type}" for one in values[:_LISTED])
    more = len(values) - _LISTED
    if more <= 0:
        return _("You asked only for these: %(values)s.") % {"values": listed}
    told = ngettext(
        "You asked only for these: %(values)s, and %(count)d more.",
        "You asked only for these: %(values)s, and %(count)d more.",
        more,
    )
    return told % {"values": listed, "count": more}


def _sentences(why: str) -> tuple[str, ...]:
    return (why,) if why else ()
