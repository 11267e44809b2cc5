"""The context of every page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from resolver.services.proxy_answers.configured_proxy import get_barred_since

SECTIONS = {
    "": "home",
    "lookups": "home",
    "drafts": "jobs",
    "shared": "jobs",
    "watches": "jobs",
    **dict.fromkeys(("agencies", "records", "encode", "read"), "help"),
}
"""The section of the site by the first part of an address, if they differ."""


def portal(request: HttpRequest) -> dict[str, Any]:
    """The section of the page, whether answers are sample data, whether no login is needed, and since when the DOI
    proxy refuses requests."""
    first = request.path_info.strip("/").partition("/")[0]
    return {
        "section": SECTIONS.get(first, first),
        "sample_data": settings.DOIPORTAL_SAMPLE_DATA,
        "open_to_all": settings.DOIPORTAL_OPEN,
        "barred_since": get_barred_since,
    }
