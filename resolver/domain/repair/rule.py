"""What a repair is: one thing that may have gone wrong with a name, undone."""

from collections.abc import Callable
from dataclasses import dataclass

from resolver.domain.message import Message


@dataclass(frozen=True, slots=True)
class Repair:
    """One small rule. `apply` takes a name (or what should be one) and gives it back mended, or unchanged.

    `together`: it is also done along with the others that are so marked. Rules that may well be wrong, or of which
    only one of two can be right, stand alone. `reason` ends the sentence "the name …" for a librarian; `source` says
    who has seen the damage, or which clause asks for it; each example is a damaged name and what it becomes.
    """

    name: str
    reason: Message
    apply: Callable[[str], str]
    examples: tuple[tuple[str, str], ...]
    source: str
    together: bool = True
