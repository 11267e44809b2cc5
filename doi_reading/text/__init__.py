"""Text as people write it: characters, spaces and ends, each with its place in the input."""

from doi_reading.text.name_end import PUNCTUATION
from doi_reading.text.source_text import WHITE, WHITE_RUN, WIDE_PUNCTUATION

__all__ = ["PUNCTUATION", "WHITE", "WHITE_RUN", "WIDE_PUNCTUATION"]
