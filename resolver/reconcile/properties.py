"""The properties of a DOI: one table of their ids, names and values. A client may add them as columns. Those that
describe a work may stand in a query too, and are compared then."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings

from resolver.domain.handle.answers import Failure
from resolver.domain.redirect.web_host import find_host
from resolver.domain.report.outcome import COULD_NOT_ASK, EXISTS
from resolver.domain.report.report import is_deleted_doi_page
from resolver.domain.report.triage import DELETED
from resolver.domain.work.evidence import COULD_NOT_ASK as NOT_ASKED
from resolver.domain.work.metadata import MetadataAnswer, WorkMetadata
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


@dataclass(frozen=True)
class WorkProperty(EntityProperty):
    """A property of the work, as the agency gives it. It needs one more request for 50 DOIs."""

    values: Callable[[CheckedText, str], Iterable[Value]] = lambda *_: ()
    of_work: Callable[[WorkMetadata], str] = str


def _summarize(work: WorkMetadata) -> str:
    author = " ".join(filter(None, [work.first_author, f"({work.year})" if work.year else ""]))
    return " — ".join(filter(None, [work.title, author]))


_PROPERTIES = {
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
        WorkProperty(
            "work",
            "Work",
            "Title, first author and year, as the agency gives them; could-not-ask if it gave no answer",
            of_work=_summarize,
        ),
        WorkProperty("title", "Title", "The registered title", of_work=lambda work: work.title),
        WorkProperty("author", "Author", "The first registered author", of_work=lambda work: work.first_author),
        WorkProperty("year", "Year", "The registered year", of_work=lambda work: str(work.year or "")),
        WorkProperty(
            "container", "Published in", "The registered journal or book", of_work=lambda work: work.container
        ),
    )
}
RECORDED = frozenset({"url", "host", "alias-of", "deleted"})
"""Those that only a registered DOI has."""


def list_properties() -> dict[str, EntityProperty]:
    """Return the properties by their ids: those of works only where the portal may request metadata."""
    return {name: one for name, one in _PROPERTIES.items() if settings.METADATA or not is_of_work(name)}


def is_of_work(name: str) -> bool:
    """Whether the property needs the metadata of the work."""
    return isinstance(_PROPERTIES[name], WorkProperty)


def list_work_values(name: str, answer: MetadataAnswer | Failure | None) -> list[Value]:
    """Return the values of a property of the work. `answer`: None for a DOI that isn't registered."""
    entry = _PROPERTIES[name]
    if isinstance(answer, Failure):
        return _list_texts(NOT_ASKED) if name == "work" else []
    if not (isinstance(answer, WorkMetadata) and isinstance(entry, WorkProperty)):
        return []
    return _list_texts(entry.of_work(answer))


def list_values(name: str, checked: CheckedText, page: str) -> list[Value]:
    """Return the values of one property that isn't of the work. A DOI that couldn't be checked has an outcome that says
    so, and otherwise only what needs no answer."""
    outcome = checked.report.outcome
    if outcome in COULD_NOT_ASK and name not in ("outcome", "doi-url", "page"):
        return []
    if name in RECORDED and outcome not in EXISTS:
        return []
    return list(_PROPERTIES[name].values(checked, page))
