"""The lists of an owner."""

from django.db.models import Q, QuerySet

from resolver.models import Job
from resolver.models.fields import encode_storable
from resolver.services.lookups.history import MAX_QUERY_CHARACTERS


def find_jobs(owner: str, *, q: str = "") -> QuerySet[Job]:
    """Return the owner's jobs, newest first: those with `q` in their names or file names, ignoring case."""
    found = Job.objects.filter(owner=owner)
    if len(q) > MAX_QUERY_CHARACTERS:
        return found.none()
    text = encode_storable(q)
    return found.filter(Q(name__icontains=text) | Q(filename__icontains=text)) if q else found
