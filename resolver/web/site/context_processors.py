"""The context of every page."""

from typing import Any

from django.http import HttpRequest

from resolver import conf
from resolver.services.proxy_answers.doi_proxy import barred_since


def portal(request: HttpRequest) -> dict[str, Any]:
    """Whether answers are sample data, whether no login is needed, and since when the DOI proxy refuses requests."""
    return {"sample_data": conf.sample_data(), "open_to_all": conf.open_to_all(), "barred_since": barred_since}
