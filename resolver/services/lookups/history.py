"""What somebody asked before: their lookups and jobs, searched and filtered, and nobody else's."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from django.db import transaction
from django.db.models import Count, Model, Q, QuerySet

from resolver.domain.name.doi import fold
from resolver.models import Draft, Job, Lookup
from resolver.models.fields import storable

Stored = TypeVar("Stored", bound=Model)

MAX_QUERY = 10_000  # SQLite refuses longer patterns, and nobody types one


def lookups(owner: str, *, q: str = "", outcome: str = "", problem: str = "", ra: str = "") -> QuerySet[Lookup]:
    """The owner's lookups, newest first. `q` is looked for in inputs and names without regard to A-Z or a-z (S8)."""
    found = Lookup.objects.filter(owner=owner)
    if len(q) > MAX_QUERY:
        return found.none()
    if q:
        found = found.filter(search__contains=fold(q))
    return _filtered(found, "problem_codes", outcome, problem, ra)


@dataclass(frozen=True, slots=True)
class Kinds:
    """How many of somebody's lookups have this outcome, this problem, this agency; the most frequent first."""

    outcomes: Mapping[str, int]
    problems: Mapping[str, int]
    agencies: Mapping[str, int]


def kinds_of_lookups(owner: str) -> Kinds:
    """Counted in one query, which reads an index alone."""
    outcomes, problems, agencies = Counter[str](), Counter[str](), Counter[str]()
    found = Lookup.objects.filter(owner=owner).order_by()
    for outcome, ra, codes, count in found.values_list("outcome", "ra", "problem_codes").annotate(Count("owner")):
        outcomes[outcome] += count
        problems.update(dict.fromkeys(codes.split(), count))
        agencies.update({ra: count} if ra else {})
    return Kinds(*(dict(counted.most_common()) for counted in (outcomes, problems, agencies)))


def delete_lookup(lookup: Lookup) -> None:
    """Take one lookup out of the history."""
    lookup.delete()


def delete_lookups(owner: str) -> None:
    """Empty the owner's history; lists stay."""
    Lookup.objects.filter(owner=owner).delete()


def jobs(owner: str, *, q: str = "") -> QuerySet[Job]:
    """The owner's jobs, newest first. `q` is looked for in their names and file names, A-Z like a-z."""
    found = Job.objects.filter(owner=owner)
    if len(q) > MAX_QUERY:
        return found.none()
    if q:
        text = storable(q)
        found = found.filter(Q(name__icontains=text) | Q(filename__icontains=text))
    return found


def adopt(old_owner: str, new_owner: str) -> None:
    """Everything of one owner becomes another's: who was anonymous has logged in."""
    with transaction.atomic():
        Lookup.objects.filter(owner=old_owner).update(owner=new_owner)
        taken = Job.objects.filter(owner=new_owner).exclude(idempotency_key="").values("idempotency_key")
        Job.objects.filter(owner=old_owner, idempotency_key__in=taken).update(idempotency_key="")
        Job.objects.filter(owner=old_owner).update(owner=new_owner)
        Draft.objects.filter(owner=old_owner).update(owner=new_owner)


def _filtered(found: QuerySet[Stored], codes: str, outcome: str, problem: str, ra: str) -> QuerySet[Stored]:
    if outcome:
        found = found.filter(outcome=outcome)
    if problem:
        # Above "" is said too: the index that helps is of rows with a problem alone.
        found = found.filter(**{f"{codes}__gt": "", f"{codes}__contains": f" {problem} "})
    if ra:
        found = found.filter(ra=ra)
    return found
