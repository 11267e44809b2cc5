"""The properties of a DOI that a client may add as columns: one table of their ids, names and values."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS
from resolver.domain.report.report import is_deleted_doi_page
from resolver.domain.report.triage import DELETED
from resolver.services.proxy_answers.reading_judge import CheckedText

Value = dict[str, str]


@dataclass(frozen=True)
class EntityProperty:
    """A property; `values` of a checked DOI whose page is at that address."""

    id: str
    name: str
    description: str
    values: Callable[[CheckedText, str], Iterable[Value]]

    def as_json(self, *, described: bool = True) -> dict[str, str]:
        """Return the property as the specification has it."""
        description = {"description": self.description} if described else {}
        return {"id": self.id, "name": self.name, **description}


def _list_texts(*values: str | None) -> list[Value]:
    return [{"str": value} for value in values if value]


def _describe_deleted(checked: CheckedText) -> list[Value]:
    report = checked.report
    if report.record is None:  # after a quick check
        return []
    marked = any(map(is_deleted_doi_page, report.urls)) or any(one.code == DELETED for one in report.problems)
    return _list_texts("yes" if marked else "no")


def _format_date(moment: datetime | None) -> list[Value]:
    return [{"date": f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"}] if moment else []


def _describe_suggestion(checked: CheckedText) -> list[Value]:
    found = checked.report.suggestion
    return _list_texts(found.doi) if found and not found.doubtful else []


PROPERTIES = {
    entry.id: entry
    for entry in (
        EntityProperty(
            "outcome",
            "Outcome",
            "Whether the DOI is registered and has a web address: resolved, not-found, unreachable …",
            lambda checked, _: _list_texts(checked.report.outcome),
        ),
        EntityProperty(
            "ra",
            "Registration Agency",
            "The agency that registered the DOI, as Which RA names it",
            lambda checked, _: _list_texts(checked.report.ra),
        ),
        EntityProperty(
            "url",
            "Web address",
            "Where the DOI leads: the URL values of its record",
            lambda checked, _: _list_texts(*checked.report.urls),
        ),
        EntityProperty(
            "host",
            "Host",
            "The host names of these addresses",
            lambda checked, _: _list_texts(*dict.fromkeys(map(find_host, checked.report.urls))),
        ),
        EntityProperty(
            "problems",
            "Problems",
            "The codes of everything that is wrong or unusual",
            lambda checked, _: _list_texts(*dict.fromkeys(one.code for one in checked.report.problems)),
        ),
        EntityProperty(
            "doi-url",
            "DOI as a link",
            "https://doi.org/ and the DOI",
            lambda checked, _: _list_texts(checked.reading.url),
        ),
        EntityProperty(
            "alias-of",
            "Main DOI",
            "The DOI for which this one is an alias",
            lambda checked, _: _list_texts(checked.report.alias_of),
        ),
        EntityProperty(
            "suggestion",
            "Suggested DOI",
            "For a DOI that isn't registered: one that is, and was probably meant",
            lambda checked, _: _describe_suggestion(checked),
        ),
        EntityProperty(
            "deleted",
            "Deleted",
            "yes if the DOI leads to an agency's page for deleted DOIs, else no",
            lambda checked, _: _describe_deleted(checked),
        ),
        EntityProperty(
            "checked-at",
            "Checked on",
            "When the DOI proxy gave its answer",
            lambda checked, _: _format_date(checked.source.answered_at),
        ),
        EntityProperty("page", "Page", "The page about the DOI in this portal", lambda _, page: _list_texts(page)),
    )
}
RECORDED = frozenset({"url", "host", "alias-of", "deleted"})
"""Those that only a registered DOI has."""


def list_values(name: str, checked: CheckedText, page: str) -> list[Value]:
    """Return the values of one property. A DOI that couldn't be checked has an outcome that says so, and otherwise only
    what needs no answer."""
    outcome = checked.report.outcome
    if outcome in COULD_NOT_ASK and name not in ("outcome", "doi-url", "page"):
        return []
    if name in RECORDED and outcome not in EXISTS:
        return []
    return list(PROPERTIES[name].values(checked, page))
