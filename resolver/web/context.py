"""What every page needs to know."""

from django.http import HttpRequest

from resolver import conf


def portal(request: HttpRequest) -> dict[str, bool]:
    """Whether the answers are made up, and whether a login is demanded."""
    return {"sample_data": conf.sample_data(), "open_to_all": conf.open_to_all()}
