"""An owner's lookups, searched and filtered."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from doi_reading import fold
from resolver.models import Lookup
from resolver.models.single_objects import find_first_objects
from resolver.services.accounts.owners import NO_OWNER
from resolver.services.storage.batched_removal import remove_in_batches

MAX_QUERY_CHARACTERS = 10_000  # SQLite refuses longer patterns
_OF_LISTS = ("id", "input", "doi", "outcome", "problem_codes", "suggestion")


def find_lookups(owner: str, *, q: str = "", outcome: str = "", problem: str = "", ra: str = "") -> QuerySet[Lookup]:
    """Return the owner's lookups, newest first. `q` is searched in inputs and names, A-Z like a-z (S8)."""
    found = Lookup.objects.filter(owner=owner)
    if len(q) > MAX_QUERY_CHARACTERS:
        return found.none()
    if q:
        found = found.filter(search__contains=fold(q))
    if outcome:
        found = found.filter(outcome=outcome)
    if problem:
        found = found.filter(problem_codes__contains=f" {problem} ")
    return found.filter(ra=ra) if ra else found


def list_recent(owner: str, most: int = 5) -> list[Lookup]:
    """Return the owner's newest lookups, of each text the newest, with what a list of them shows: their texts and
    outcomes. Texts before the newest 20 lookups are not looked for."""
    found = [] if owner == NO_OWNER else find_first_objects(Lookup, _OF_LISTS, 20, owner=owner)
    by_text: dict[str, Lookup] = {}
    for lookup in found:
        by_text.setdefault(lookup.input, lookup)
    return list(by_text.values())[:most]


@dataclass(frozen=True, slots=True)
class LookupCounts:
    """The numbers of lookups by outcome, problem and agency, the most frequent first."""

    outcomes: Mapping[str, int]
    problems: Mapping[str, int]
    agencies: Mapping[str, int]


def count_lookups(owner: str) -> LookupCounts:
    """Count the owner's lookups in one query, which reads only an index."""
    outcomes, problems, agencies = Counter[str](), Counter[str](), Counter[str]()
    found = Lookup.objects.filter(owner=owner).order_by()
    for outcome, ra, codes, count in found.values_list("outcome", "ra", "problem_codes").annotate(Count("owner")):
        outcomes[outcome] += count
        problems.update(dict.fromkeys(codes, count))
        agencies.update({ra: count} if ra else {})
    return LookupCounts(*(dict(counted.most_common()) for counted in (outcomes, problems, agencies)))


def delete_lookup(lookup: Lookup) -> None:
    """Remove one lookup from the history."""
    lookup.delete()


def clear_history(owner: str) -> None:
    """Empty the owner's history; lists stay."""
    remove_in_batches(Lookup.objects.filter(owner=owner), "created_at")
