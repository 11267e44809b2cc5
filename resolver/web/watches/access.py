"""Who may see and change a watch. A watch of somebody else answers 404."""

from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from resolver.models import Watch
from resolver.services.accounts.owners import get_owner_for_reading
from resolver.services.watches.registration import find_watches


def get_own_watch_or_404(request: HttpRequest, pk: UUID) -> Watch:
    """Return the watch if it belongs to the requester. Raises Http404."""
    found: Watch = get_object_or_404(find_watches(get_owner_for_reading(request)), pk=pk)
    return found
