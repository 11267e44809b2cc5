"""The shape of a rule: one kind of damage to a name, and how to undo it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from doi_reading.late_pattern import compile_late
from doi_reading.message import Message

Apply = Callable[[str], str]
Replacement = str | Callable[[re.Match[str]], str]


@dataclass(frozen=True, slots=True)
class RepairRule:
    """One rule. `apply` takes a name, perhaps damaged, and returns it repaired or unchanged.

    `reason` ends the sentence "the name …" for a librarian. `examples`: damaged names and their repairs. `source`:
    the evidence of the damage, or the clause behind the rule. `together`: whether it is also applied with the other rules
    so marked. A rule that may be wrong, or that excludes another rule, is applied alone.
    """

    name: str
    reason: Message
    apply: Apply
    examples: tuple[tuple[str, str], ...]
    source: str
    together: bool = True


def build_substitution(
    *pairs: tuple[str | re.Pattern[str], Replacement], needs: str = "", flags: re.RegexFlag = re.NOFLAG
) -> Apply:
    """Return a rule that replaces each pattern in the name, one after the other. A name without the text `needs` has no
    match: looking for it first saves time."""
    compiled = [(compile_late(one, flags) if isinstance(one, str) else one, new) for one, new in pairs]

    def apply(name: str) -> str:
        if needs in name:
            for pattern, new in compiled:
                name = pattern.sub(new, name)
        return name

    return apply


def build_suffix_substitution(pattern: str, new: Replacement) -> Apply:
    """Return a rule that replaces a pattern in the suffix; `\\A` is its beginning."""
    compiled = compile_late(pattern)

    def apply(name: str) -> str:
        prefix, slash, suffix = name.partition("/")
        return prefix + slash + compiled.sub(new, suffix)

    return apply
