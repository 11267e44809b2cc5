"""A text read by the standards, with this portal's limit of length: no network, nothing stored."""

from resolver import conf
from resolver.domain.parsing.parse import read
from resolver.domain.parsing.reading import Reading


def inspect(text: str) -> Reading:
    """What the text means by the standards, and what is wrong with it; touches no network and stores nothing."""
    return read(text, longest=conf.max_cell())
