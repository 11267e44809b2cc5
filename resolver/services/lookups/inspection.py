"""A text read by the standards, within the portal's bounds: no network, nothing stored."""

from doi_reading.parsing.parse import read_input
from doi_reading.parsing.reading import Reading
from resolver import conf


def inspect_input(text: str) -> Reading:
    """Return what the text means by the standards, and its problems; MAX_CELL bounds its length."""
    return read_input(text, longest=conf.max_cell())
