"""A text read by the standards, within the portal's bounds: no network, nothing stored."""

from resolver import conf
from resolver.domain.parsing.parse import read_input
from resolver.domain.parsing.reading import Reading


def inspect_input(text: str) -> Reading:
    """Return what the text means by the standards, and its problems; MAX_CELL bounds its length."""
    return read_input(text, longest=conf.max_cell())
