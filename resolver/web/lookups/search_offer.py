"""The offer to search for a missing DOI: what would be sent where, if the person clicks."""

from dataclasses import dataclass

from django.urls import reverse

from resolver.models import Lookup
from resolver.services.lookups.work_search import find_work_to_search
from resolver.services.works.search import list_search_hosts


@dataclass(frozen=True, slots=True)
class SearchOffer:
    """`action`: the address that the button posts to; `hosts`: those that get the words; `sends_title`: title and
    author are sent, else the text."""

    action: str
    hosts: list[str]
    sends_title: bool


def build_search_offer(lookup: Lookup) -> SearchOffer | None:
    """Return the offer; None if SEARCH forbids it, or if the lookup describes no work to search for."""
    hosts = list_search_hosts()
    work = find_work_to_search(lookup) if hosts else None
    return SearchOffer(reverse("lookup-search", args=[lookup.pk]), hosts, bool(work.title)) if work else None
