"""What a page says of one answer, be it a lookup or a row of a list: all of it follows from what is stored."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from resolver.domain.name.doi import fold
from resolver.domain.name.encoding import to_uri, to_url, to_urn
from resolver.domain.parsing.parse import read
from resolver.domain.report.report import NOT_ASKED, Outcome, is_link
from resolver.domain.tables.agency_contacts import contact
from resolver.models import Lookup, Row
from resolver.web.lookups.name_diff import difference
from resolver.web.lookups.next_steps import Facts, next_steps
from resolver.web.site.highlight import SHOWN, group_problems, mark
from resolver.web.site.labels import exists, verdict_on, verdict_on_all

TRIED_WHEN = (Outcome.NOT_FOUND, Outcome.INVALID)  # else the name as given has an answer of its own


def context_for_result(
    found: Lookup | Row,
    *,
    form: str,
    problems: Sequence[Mapping[str, Any]],
    candidates: Sequence[Mapping[str, Any]],
    suggestion: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """The context of `lookups/_result.html`. `problems` and `candidates` as a lookup stores them, `suggestion` with its
    `doi` and `reason`."""
    told = {fold(suggestion["doi"])} if suggestion else set()
    told |= {fold(other["doi"]) for other in found.others}
    readings = [with_link(candidate) for candidate in candidates if fold(candidate["doi"]) not in told]
    left = [reading for reading in readings if not reading.get("exists")]
    tried = found.outcome in TRIED_WHEN
    untried = tried and not suggestion and any(each.get("exists") is None for each in candidates)
    facts = Facts(
        found.outcome,
        doi=found.doi,
        link=to_url(found.doi) if found.doi else "",
        codes=[problem["code"] for problem in problems],
        ra=found.ra,
        prefix_ra=found.prefix_ra,
        prefix_status=found.prefix_status,
        suggestion=suggestion["doi"] if suggestion else "",
        meant=left[0]["doi"] if left else "",
        alias_of=found.alias_of,
        others=len(found.others),
        missing=sum(other["outcome"] == Outcome.NOT_FOUND for other in found.others),
        untried=untried,
    )
    first = verdict_on(found.outcome, problems, not found.urls or any(map(is_link, found.urls)))
    return {
        **highlight_problems(
            found.input, [_doubted(problem) for problem in problems] if exists(found.outcome) else problems
        ),
        **name_forms(found.doi),
        "found": found,
        "form_given": form,
        "first": first,
        "said": verdict_on_all(first, [found.outcome, *(other["outcome"] for other in found.others)]),
        "steps": [(step, asks_for(step.name) if step.button else "") for step in next_steps(facts)],
        "agency": contact(found.ra) if found.ra else None,
        "prefix_agency": contact(found.prefix_ra) if found.prefix_ra else None,
        "suggested": describe_suggestion(found, suggestion) if suggestion else None,
        "also_registered": [reading for reading in readings if reading.get("exists")],
        "readings": left,
        "tried": any(each.get("exists") is not None for each in candidates),
        "no_answer": tried,
        "asked": bool(found.doi or candidates or found.others or "short-doi" in facts.codes),
        "others": [with_link(other) for other in found.others],
        "others_unasked": sum(other["outcome"] == NOT_ASKED for other in found.others),
        "link_differs": "link-differs" in facts.codes,
    }


def _doubted(problem: Mapping[str, Any]) -> Mapping[str, Any]:
    """The problem as it is to be told of a name that exists: what the text alone made probable is then in doubt."""
    if problem["code"] != "double-encoded":
        return problem
    told = _("It looks encoded twice, but this DOI is registered. Check it against the publication.")
    return {**problem, "severity": "warning", "message": told}


def describe_suggestion(found: Lookup | Row, suggestion: Mapping[str, Any]) -> dict[str, Any]:
    """The suggestion with how it differs: from the name that was read, or where none was, from the text's own."""
    own = found.input[max(found.input.find("10."), 0) :].strip()
    given = _spaced(own, suggestion["doi"]) or found.doi or own
    copies = [
        (_("DOI name"), suggestion["doi"], "", _("Copy the suggestion"), _("Suggestion copied")),
        (
            _("Link"),
            to_url(suggestion["doi"]),
            to_url(suggestion["doi"]),
            _("Copy the link of the suggestion"),
            _("Link of the suggestion copied"),
        ),
    ]
    return {**with_link(suggestion), "difference": difference(given, suggestion["doi"]), "forms": copies}


def _spaced(own: str, name: str) -> str:
    """The beginning of the text that is the name but for white space in it, at which the reading ends (E18); "" where
    there is none. It is what was given: the name that was read is only its first part."""
    left, spaces = name, 0
    for place, character in enumerate(own):
        if not left:
            return own[:place] if spaces else ""
        if left.startswith(character):
            left = left[1:]
        elif character.isspace():
            spaces += 1
        else:
            return ""
    return own if spaces and not left else ""


def name_forms(doi: str) -> dict[str, Any]:
    """The name in its forms, each with its label, its text, its address if it is a link, and what its button says
    before and after; and the address of its record page. Nothing where there is no name."""
    if not doi:
        return {}
    link = to_url(doi)
    forms = [
        (_("DOI name"), doi, "", _("Copy the DOI name"), _("DOI name copied")),
        (_("Link"), link, link, _("Copy the link"), _("Link copied")),
        (_("doi: URI"), to_uri(doi), "", _("Copy the doi: URI"), _("doi: URI copied")),
        (_("URN"), to_urn(doi), "", _("Copy the URN"), _("URN copied")),
    ]
    return {"forms": forms, "record_page": record_page(doi)}


def record_page(name: str) -> str:
    """The page that shows the whole record of exactly this name."""
    return f"{reverse('records')}?{urlencode({'name': asks_for(name)})}"


def with_link(named: Mapping[str, Any]) -> dict[str, Any]:
    """A suggestion, a candidate or another DOI, with its link and the text that asks for it."""
    return {**named, "url": to_url(named["doi"]), "asks": asks_for(named["doi"])}


def highlight_problems(text: str, problems: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The text as it was given, its problems marked in place, and each of them told once."""
    numbered, told = group_problems(text, problems)
    # What stands around a DOI in a citation is no fault of anybody's: it is told, and not underlined.
    numbered = [{**one, "severity": "around"} if one["code"] == "surrounding-text" else one for one in numbered]
    return {"stretches": mark(text, numbered), "left_out": max(0, len(text) - SHOWN), "problems": told}


def asks_for(name: str) -> str:
    """A text that reads as exactly this name: the name, or its link where the name alone reads otherwise (E11)."""
    link = to_url(name)
    # A link may hold `&`, but `&lt;` in it would be taken for what HTML makes of `<`.
    ways = (name, link, link.replace("&", "%26"))
    return next((way for way in ways if str(read(way).doi) == name), link)
