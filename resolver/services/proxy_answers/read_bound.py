"""How much of stored records is read at once."""

from dataclasses import dataclass, field

SHORT = 50_000  # characters; a thousand records that aren't longer fit into memory


@dataclass
class ReadBound:
    """How many characters of records that aren't SHORT may still be read. `left_out`: folded names with a stored record
    that wasn't read, their own or one behind an alias."""

    left: int
    left_out: set[str] = field(default_factory=set)
