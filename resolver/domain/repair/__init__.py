"""Other readings of a damaged name: small rules in one visible order. Adding a repair is adding one entry."""

from collections.abc import Iterator

from resolver.domain.message import Message, join
from resolver.domain.repair.characters import CHARACTERS, LOST_CHARACTERS
from resolver.domain.repair.markup import LEFTOVERS, TAGS
from resolver.domain.repair.prefixes import PREFIXES
from resolver.domain.repair.rule import Repair
from resolver.domain.repair.run_on_text import GLUED, REPETITION, RUN_ON
from resolver.domain.repair.separators import SEPARATORS
from resolver.domain.repair.url_parts import ADDED, CUT, QUERY

RULES: tuple[Repair, ...] = (
    *CHARACTERS,
    *LEFTOVERS,
    *PREFIXES,
    *QUERY,
    *REPETITION,
    *GLUED,
    *ADDED,
    *LOST_CHARACTERS,
    *TAGS,
    *SEPARATORS,
    *RUN_ON,
    *CUT,
)
"""In the order in which they are undone and offered: what hides other damage first, what is doubtful last."""

TOGETHER = tuple(rule for rule in RULES if rule.together)
ALONE = tuple(rule for rule in RULES if not rule.together)
LONGEST = 600
"""Code points of a name whose damage is looked for in every way. No name in use is near it, and each way takes time."""
OF_LONG = tuple(rule for rule in RULES if rule.name in ("padding", "invisible", "look-alike", "decode", "punctuation"))
"""What is looked for in a longer one, once: what hides most, and what stands at its end."""
_ROUNDS = 3  # a full stop before `/full` shows only when `/full` is gone


def _all(name: str) -> tuple[str, list[Repair]]:
    """The name with all that is undone together, and the rules that had something to undo."""
    done: dict[str, Repair] = {}
    for _ in range(_ROUNDS):
        before = name
        for rule in TOGETHER:
            better = rule.apply(name)
            if better != name and better:
                name = better
                done[rule.name] = rule
        if name == before:
            break
    return name, list(done.values())


def _repaired_long(name: str) -> Iterator[tuple[str, Message]]:
    done = []
    for rule in OF_LONG:
        better = rule.apply(name)
        if better and better != name:
            name = better
            done.append(rule)
    if done:
        yield name, _reason(*done)


def _reason(*rules: Repair) -> Message:
    return join(", ", *(rule.reason for rule in rules))


def _cuts(name: str) -> list[tuple[str, tuple[Repair, ...]]]:
    """What stands before a # or ?, which may hold other damage."""
    return [
        (shorter, (rule,)) for rule in CUT if rule.name in ("hash", "query") and (shorter := rule.apply(name)) != name
    ]


def propose_repairs(name: str) -> Iterator[tuple[str, Message]]:
    """What the name may have been, best first, each with its reason: all that is undone together, then each of it
    alone, then what may have been lost or run on besides."""
    if len(name) > LONGEST:
        yield from _repaired_long(name)
        return
    whole, done = _all(name)
    if done:
        yield whole, _reason(*done)
        if len(done) > 1:
            for rule in done:
                yield rule.apply(name), rule.reason
    for base, cut in [(whole, ()), *_cuts(whole)]:
        for rule in ALONE:
            better = rule.apply(base)
            if better != base:
                rest, more = _all(better)
                yield rest, _reason(*done, *cut, rule, *(one for one in more if one not in done))
    if done:
        for rule in ALONE:
            if (better := rule.apply(name)) != name:
                yield better, rule.reason
