"""A text read by the standards, within the portal's bounds: no network, nothing stored."""

from django.conf import settings

from doi_reading import Reading, read


def inspect_input(text: str) -> Reading:
    """Return what the text means by the standards, and its problems; MAX_CELL bounds its length."""
    return read(text, longest=settings.MAX_CELL)
