"""The page of one result, be it a lookup or a row of a list: everything on it follows from what is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from doi_reading import Severity, fold
from doi_reading.name import is_beginning_of
from doi_reading.problems import get_sentence_if_registered, is_cut
from resolver.domain.agencies.agency_contacts import find_contact
from resolver.domain.report.outcome import EXISTS, NOT_CHECKED, Outcome
from resolver.domain.report.report import weigh_codes
from resolver.domain.report.text_problems import WHITE_SPACE
from resolver.domain.work.events import WorkEvent, decode_event
from resolver.models import Lookup, Row
from resolver.services.lookups.metadata import find_described_work
from resolver.services.lookups.work_search import lacks_doi
from resolver.web.lookups.headlines import choose_headline
from resolver.web.lookups.link_lines import draw_link_lines
from resolver.web.lookups.name_diff import NameDiff, compare_names
from resolver.web.lookups.name_links import add_links, build_comparison_query, build_name_context
from resolver.web.lookups.next_steps import list_next_steps
from resolver.web.lookups.result_facts import ResultFacts
from resolver.web.lookups.search_offer import build_search_offer
from resolver.web.lookups.usable_doi import choose_usable_doi
from resolver.web.wording.highlight import LONGEST_SHOWN_CHARACTERS, number_problems, split_at_problems

TRIED_WHEN = (Outcome.NOT_FOUND, Outcome.INVALID)  # else the name itself has an answer
_OF_ROWS = ("several-dois", "other-not-registered")


def build_result_context(
    result: Lookup | Row,
    *,
    form: str,
    problems: Sequence[Mapping[str, Any]],
    candidates: Sequence[Mapping[str, Any]],
    suggestion: Mapping[str, Any] | None,
    of_list: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The context of `lookups/result/_all.html`. `problems` and `candidates` as a lookup stores them, `suggestion` with
    its `doi` and `reason`. `of_list`: what the row's list adds to its `ResultFacts`."""
    shown = {fold(other["doi"]) for other in (*result.others, *([suggestion] if suggestion else []))}
    readings = [add_links(candidate) for candidate in candidates if fold(candidate["doi"]) not in shown]
    registered = [reading for reading in readings if reading.get("exists")]
    unregistered = [reading for reading in readings if not reading.get("exists")]
    tried = result.outcome in TRIED_WHEN
    if form == "uri":  # so all libraries write it: the standard's %2F is no news
        problems = [problem for problem in problems if problem["code"] != "unescaped-slash"]
    if any(problem["code"] in WHITE_SPACE for problem in problems):  # no suffix is missing: a space cuts it off
        problems = [problem for problem in problems if problem["code"] != "missing-suffix"]
    codes = weigh_codes(result.outcome, [problem["code"] for problem in problems], result.input, result.doi)
    is_part = result.outcome in EXISTS and is_cut(codes)
    longer = [each for each in readings if is_part and is_beginning_of(result.doi, each["doi"])]
    facts = ResultFacts(
        result,
        codes,
        [code for problem, code in zip(problems, codes, strict=True) if problem["severity"] == Severity.ERROR],
        form,
        suggestion=suggestion["doi"] if suggestion else "",
        doubtful=bool(suggestion and suggestion.get("doubtful")),
        meant=unregistered[0]["doi"] if unregistered else "",
        untried=tried and not suggestion and any(each.get("exists") is None for each in candidates),
        rivals=[each["doi"] for each in registered] if tried and not suggestion else [],
        longer=[(each["doi"], each.get("exists")) for each in longer],
        **(of_list or {}),
    )
    use = choose_usable_doi(facts)
    compares = build_comparison_query(result) if isinstance(result, Lookup) and find_described_work(result) else ""
    search = build_search_offer(result) if isinstance(result, Lookup) and lacks_doi(result) else None
    if isinstance(result, Lookup):  # these two say what to do with the rows of a list
        problems = [problem for problem in problems if problem["code"] not in _OF_ROWS]
    if result.outcome in EXISTS:
        problems = [_describe_as_registered(one) if one["code"] in codes else one for one in problems]
    return {
        **highlight_problems(result.input, problems),
        **build_name_context(use.doi if use else result.doi),
        "result": result,
        "input_form": form,
        "headline": choose_headline(facts),
        "use": use,
        "change": _compare_with_text(result, use.doi, dropped=bool(facts.end))
        if use and (suggestion or facts.whole)
        else None,
        "lines": draw_link_lines(result.input, problems, use) if facts.is_link else None,
        "titled": facts.titled,
        "compares": compares,
        "search": search,
        "reason": suggestion["reason"] if suggestion else "",
        "steps": list_next_steps(facts),
        "agency": find_contact(result.ra) if result.ra else None,
        "prefix_agency": find_contact(result.prefix_ra) if result.prefix_ra else None,
        "also_registered": registered if tried else [*_list_cut(result, facts), *registered[1:]],
        "readings": unregistered,
        "tried": any(each.get("exists") is not None for each in candidates),
        "none_exists": all(each.get("exists") is False for each in unregistered),
        "no_answer": tried,
        "was_requested": bool(result.doi or candidates or result.others or "short-doi" in codes),
        "dois": _list_all(result) if result.others else [],
        "others_unchecked": sum(other["outcome"] == NOT_CHECKED for other in result.others),
        "link_differs": "link-differs" in codes,
        "events": _list_events(result),
    }


def _describe_as_registered(problem: Mapping[str, Any]) -> Mapping[str, Any]:
    """The problem of a registered name: what the name probably should be is no longer said."""
    said = get_sentence_if_registered(problem["code"])
    if said is None:
        return problem
    severity = Severity.WARNING if problem["severity"] == Severity.ERROR else Severity.INFO
    return {**problem, "severity": str(severity), "message": said}


def _list_events(result: Lookup | Row) -> list[tuple[WorkEvent, str]]:
    """What happened to the works, each with its DOI if that isn't the one of the result; else with ""."""
    own = fold(result.doi)
    events = map(decode_event, result.retractions)
    return [(event, "" if fold(event.doi) == own else event.doi) for event in events]


def _list_cut(result: Lookup | Row, facts: ResultFacts) -> list[dict[str, Any]]:
    """The DOI that was read, if the page offers the whole one of which it is a part."""
    return [add_links({"doi": result.doi})] if facts.whole and not result.others else []


def _list_all(result: Lookup | Row) -> list[dict[str, Any]]:
    """All DOIs of a text that has several, each with its outcome; the first without one has no line."""
    first = {"doi": result.doi, "outcome": result.outcome, "ra": result.ra, "urls": result.urls}
    listed = [first, *result.others] if result.doi else result.others
    return [{**add_links(each), "is_registered": each["outcome"] in EXISTS} for each in listed]


def _compare_with_text(result: Lookup | Row, doi: str, *, dropped: bool) -> NameDiff | None:
    """How the DOI differs from the name that was read, or from the text if there is none. `dropped`: a browser drops
    what follows the name that was read."""
    text = result.input[max(result.input.find("10."), 0) :].strip()
    difference = compare_names(_find_spaced_name(text, doi) or result.doi or text, doi)
    rest = doi[len(result.doi) :]
    if not (difference and dropped and rest and doi.startswith(result.doi)):
        return difference
    words = _("A browser drops “%(rest)s”, which belongs to the DOI.") % {"rest": rest[:120]}
    return replace(difference, words=(words,))


def _find_spaced_name(text: str, name: str) -> str:
    """The beginning of the text that is the name but for white space in it, at which the reading ends (E18); "" if
    there is none. It is compared with the name, because the reading is only its first part."""
    left, spaces = name, 0
    for place, character in enumerate(text):
        if not left:
            return text[:place] if spaces else ""
        if left.startswith(character):
            left = left[1:]
        elif character.isspace():
            spaces += 1
        else:
            return ""
    return text if spaces and not left else ""


def highlight_problems(
    text: str, problems: Sequence[Mapping[str, Any]], limit: int = LONGEST_SHOWN_CHARACTERS
) -> dict[str, Any]:
    """At most `limit` characters of the text with its problems marked, and each problem once."""
    numbered, listed = number_problems(text, problems)
    # The text around a DOI in a citation is no mistake: it is listed, but not underlined.
    numbered = [{**one, "severity": "around"} if one["code"] == "surrounding-text" else one for one in numbered]
    stretches = split_at_problems(text, numbered, limit)
    return {"stretches": stretches, "left_out": max(0, len(text) - limit), "problems": listed}
