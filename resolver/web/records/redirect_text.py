"""What a click on a DOI link would do, in the words of the record page; a random choice is never predicted (L5)."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.domain.handle.answers import MAX_HOPS, Unreachable
from resolver.domain.handle.proxy_parameters import ProxyParameters
from resolver.domain.handle.record import HandleValue
from resolver.domain.redirect.resolve_results import (
    AddressList,
    AliasLoop,
    NameNotFound,
    NoAnswer,
    Redirect,
    ResolveResult,
    ShownValues,
)
from resolver.domain.redirect.safe_url import NotRedirectable, to_location_header
from resolver.domain.report.sentences import build_failure_sentence
from resolver.web.wording.verdicts import VERDICTS


@dataclass(frozen=True, slots=True)
class RedirectText:
    """The outcome of a redirect: a `headline` and its `addresses`, `reasons` in sentences, other names that may be
    `meant`, and the `next` step. `code` is the kind of outcome, for programs that read the page."""

    code: str
    headline: str
    tone: str
    sign: str
    addresses: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    meant: tuple[str, ...] = ()
    next: str = ""


def describe_redirect(outcome: ResolveResult, parameters: ProxyParameters, *, url_values: int = 0) -> RedirectText:
    """Return the outcome of `resolve` in words; `url_values` is the number of URL values to choose from (P2)."""
    match outcome:
        case Redirect():
            return _describe_address(outcome, parameters, url_values)
        case ShownValues():
            return _describe_values(outcome, parameters)
        case AddressList(urls=()):
            headline = _("doi.org would answer with an empty list")
            return RedirectText("address-list", headline, "warn", "!", next=_add_address())
        case AddressList():
            count = len(outcome.urls)
            headline = ngettext(
                "doi.org would list %(count)d address, as XML", "doi.org would list %(count)d addresses, as XML", count
            )
            return RedirectText("address-list", headline % {"count": count}, "info", "≡", outcome.urls)
        case NameNotFound():
            return _describe_not_found(outcome)
        case AliasLoop():
            return _describe_loop(outcome)
        case NoAnswer():
            verdict = VERDICTS["unreachable" if isinstance(outcome.answer, Unreachable) else "proxy-error"]
            reasons = (build_failure_sentence(outcome.answer.reason),)
            step = _("Reload this page in a minute.")
            return RedirectText("could-not-ask", str(verdict.headline), "unknown", "?", reasons=reasons, next=step)


def _add_address() -> str:
    return _("If readers need a web address, contact the Registration Agency or the publisher: only they can add one.")


def _describe_values(outcome: ShownValues, parameters: ProxyParameters) -> RedirectText:
    if outcome.values:
        headline = _("doi.org would show the record’s values and not redirect")
    else:
        headline = _("doi.org would show no values and not redirect")
    reasons: list[str] = [outcome.why] if outcome.why else []
    if parameters.selects and outcome.values:
        reasons.append(_describe_selected(outcome.values))
    reasons += [each.sentence for each in outcome.advice]
    step = _add_address()
    if parameters.noredirect or parameters.selects:
        step = _("Try it without parameters to see where the plain link goes.")
    return RedirectText("values", headline, "info", "≡", reasons=tuple(reasons), next=step)


def _describe_not_found(outcome: NameNotFound) -> RedirectText:
    headline = _("doi.org would answer: DOI name not found")
    reasons: list[str] = [each.sentence for each in outcome.advice]
    step = _("Compare the name with its source, character by character. Look it up to check other possible DOIs too.")
    if len(outcome.way) > 1:
        reasons.insert(0, _("The name is an alias, but the name it stands for isn’t registered."))
        step = _("Contact the Registration Agency: only the agency can correct the alias.")
    meant = tuple(each.name for each in outcome.advice if each.name)
    return RedirectText("not-found", headline, "bad", "✗", reasons=tuple(reasons), meant=meant, next=step)


def _describe_loop(outcome: AliasLoop) -> RedirectText:
    headline = _("doi.org would stop following the aliases")
    step = _("Only the Registration Agency can correct this. Look up the name to see which agency that is.")
    code, reason = "alias-loop", _("They form a loop.")
    if not outcome.repeats:
        code, reason = "too-many-aliases", _("There are more than %(count)d in a row.") % {"count": MAX_HOPS}
    return RedirectText(code, headline, "bad", "✗", reasons=(reason,), next=step)


def _describe_address(outcome: Redirect, parameters: ProxyParameters, url_values: int) -> RedirectText:
    reasons: list[str] = [outcome.why] if outcome.why else []
    if outcome.choice is None and url_values > 1:
        reasons.append(
            _("The DOI Handbook says that the first one is used. Older documents say that it can be any of them.")
        )
    if outcome.choice is not None and outcome.choice.is_disputed:
        reasons.append(
            _(
                "The weights of these locations differ. The DOI Handbook of 2026 says that the highest weight wins. "
                "Older documents say that the choice is random, in proportion to the weights."
            )
        )
    urls = _list_possible(outcome, parameters)
    if settings.DOIPORTAL_SAMPLE_DATA:
        headline = ngettext(
            "With the sample proxy, this link goes to",
            "With the sample proxy, this link goes to one of %(count)d web addresses",
            len(urls),
        )
    else:
        headline = ngettext("This link goes to", "This link goes to one of %(count)d web addresses", len(urls))
    headline %= {"count": len(urls)}
    step = _("We don’t check whether the page opens. Follow the link to see.")
    return RedirectText("redirect", headline, "good", "→", urls, tuple(reasons), next=step)


def _list_possible(outcome: Redirect, parameters: ProxyParameters) -> tuple[str, ...]:
    if outcome.choice is None or len(outcome.choice.among) < 2:
        return (outcome.url,)
    urls: dict[str, None] = {}
    for location in outcome.choice.among:
        with suppress(NotRedirectable):  # too long with the text appended
            urls[to_location_header(location.find_href(outcome.name) or "", parameters.urlappend)] = None
    return tuple(urls)


def _describe_selected(values: Sequence[HandleValue], most: int = 20) -> str:
    """The values that match the types and indexes of the request (P9), at most so many by name."""
    listed = ", ".join(f"{one.index} {one.type}" for one in values[:most])
    more = len(values) - most
    if more <= 0:
        return _("You selected only these values: %(values)s.") % {"values": listed}
    return _("You selected only these values: %(values)s, and %(count)d more.") % {"values": listed, "count": more}
