"""Facets over the rows of a list: what can be chosen, how many rows that gives, and what is chosen, each as a link."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any
from urllib.parse import quote_plus, urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from resolver.models import Job
from resolver.services.results.facets import Facets
from resolver.services.results.row_queries import ALL, PARTS, RowFilter
from resolver.web.site.labels import GROUPS, VERDICTS, problem_word, shape

LONGEST = 200  # bytes of one value in an address
MOST = 40  # choices of one facet; there are some dozen agencies
AT_FIRST = 8  # choices of one facet; the others are folded away
TITLES = {
    "outcome": gettext_lazy("Outcome"),
    "problem": gettext_lazy("Problem"),
    "ra": gettext_lazy("Agency"),
}


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """One value of a facet; `address` takes it, or lets it go where it is `chosen`. `rows` is None where nobody has
    counted."""

    label: str
    rows: int | None
    address: str
    chosen: bool = False
    sign: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """The values of one kind, most rows first."""

    title: str
    first: Sequence[FilterChoice]
    rest: Sequence[FilterChoice]


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the page shows above its rows. `fields`: what the form for the text keeps. `query`: the filters as files
    take them; "" for all rows."""

    groups: Sequence[FilterChoice]
    facets: Sequence[Facet]
    chips: Sequence[FilterChoice]
    fields: Mapping[str, str]
    query: str
    fit: int | None
    exact: bool
    down: bool
    turned: str
    all_rows: str


def narrowing(job: Job, wanted: RowFilter, found: Facets, *, down: bool) -> Narrowing:
    """Everything of it, from what is wanted and what was counted; no query."""

    def address(other: RowFilter, *, falling: bool = down) -> str:
        query = as_query(other) | ({"order": "down"} if falling else {})
        return reverse("job-rows", args=[job.pk]) + as_question(query)

    def facet(name: str, counted: Mapping[str, int]) -> Facet:
        chosen = getattr(wanted, name)
        ordered = sorted(counted.items(), key=lambda item: (item[0] != chosen, -item[1], item[0]))
        if chosen and chosen not in counted:
            ordered.insert(0, (chosen, 0))
        alone = replace(wanted, group="") if name == "outcome" else wanted
        choices = [
            FilterChoice(
                str(_word(name, value)),
                rows,
                address(_with(alone, name, "" if value == chosen else value)),
                value == chosen,
                *shape(name, value),
            )
            for value, rows in ordered
            if value and is_short(value) and (name != "outcome" or value == chosen or _belongs(value, wanted.group))
        ][:MOST]
        return Facet(str(TITLES[name]), choices[:AT_FIRST], choices[AT_FIRST:])

    return Narrowing(
        groups=_groups(wanted, found, address),
        facets=[each for name in TITLES if (each := facet(name, getattr(found, name))).first],
        chips=_chips(wanted, address),
        fields={name: value for name, value in as_query(wanted).items() if name != "q"}
        | ({"order": "down"} if down else {}),
        query=urlencode(as_query(wanted), errors="surrogatepass"),
        fit=found.fit,
        exact=found.exact,
        down=down,
        turned=address(wanted, falling=not down),
        all_rows=address(ALL),
    )


def is_short(value: str) -> bool:
    """Whether it goes into an address: what a proxy calls an agency may be as long as it likes, a page may not."""
    return len(quote_plus(value, errors="surrogatepass")) <= LONGEST


def as_query(wanted: RowFilter) -> dict[str, str]:
    """The filters that are set, as an address has them."""
    return {name: "1" if value is True else value for name, value in asdict(wanted).items() if value}


def _groups(wanted: RowFilter, found: Facets, address: Any) -> list[FilterChoice]:
    rest = replace(wanted, outcome="")
    rows = sum(found.group.values())
    any_group = address(replace(rest, group=""))
    return [FilterChoice(ngettext("row", "rows", rows), rows, any_group, not (wanted.group or wanted.outcome))] + [
        FilterChoice(
            str(kind.word), rows, address(replace(rest, group=str(group))), wanted.group == group, kind.sign, kind.tone
        )
        for group, kind in GROUPS.items()
        if (rows := found.group.get(group, 0)) or wanted.group == group
    ]


def _chips(wanted: RowFilter, address: Any) -> list[FilterChoice]:
    named = [
        ("group", "%(words)s", str(GROUPS[wanted.group].rows) if wanted.group in GROUPS else wanted.group),
        ("outcome", _("Outcome: %(words)s"), str(_word("outcome", wanted.outcome))),
        ("problem", _("Problem: %(words)s"), problem_word(wanted.problem)),
        ("ra", _("Agency: %(words)s"), wanted.ra),
        ("duplicates", _("Same DOI as an earlier row"), ""),
        ("q", _("Text: “%(words)s”"), wanted.q),
    ]
    cleared = asdict(ALL)
    return [
        FilterChoice(sentence % {"words": words}, None, address(_with(wanted, name, cleared[name])), True)
        for name, sentence, words in named
        if getattr(wanted, name)
    ]


def _with(wanted: RowFilter, name: str, value: str | bool) -> RowFilter:
    return RowFilter(**(asdict(wanted) | {name: value}))


def _belongs(outcome: str, group: str) -> bool:
    return not group or any(part.outcome == outcome for part in PARTS.get(group, ()))


def _word(name: str, value: str) -> str:
    if name == "problem":
        return problem_word(value)
    return VERDICTS[value].word if name == "outcome" and value in VERDICTS else value


def as_question(query: Mapping[str, str]) -> str:
    """The query with its question mark; "" for none."""
    return f"?{urlencode(query, errors='surrogatepass')}" if query else ""
