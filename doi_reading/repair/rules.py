"""Rules that repair a damaged name, in one visible order."""

from collections.abc import Iterator

from doi_reading.message import Message, join_messages
from doi_reading.repair.characters import CHARACTERS, LOST_CHARACTERS
from doi_reading.repair.prefixes import PREFIXES
from doi_reading.repair.program_leftovers import LEFTOVERS, TAGS
from doi_reading.repair.repetition import REPETITION
from doi_reading.repair.rule import RepairRule
from doi_reading.repair.run_on_text import GLUED, RUN_ON
from doi_reading.repair.separators import SEPARATORS, SLASHES
from doi_reading.repair.url_parts import ADDED, CUT, QUERY

RULES: tuple[RepairRule, ...] = (
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
    *SLASHES,
)
"""In the order in which they are applied and offered: damage that hides other damage first, doubtful rules last."""

TOGETHER = tuple(rule for rule in RULES if rule.together)
ALONE = tuple(rule for rule in RULES if not rule.together)
LONGEST_REPAIRED_NAME = 600
"""Code points of a name to which all rules are applied: no name in use is nearly as long, and each rule takes time."""
OF_LONG = tuple(rule for rule in RULES if rule.name in ("padding", "invisible", "look-alike", "decode", "punctuation"))
"""The rules for longer names, each applied once: for invisible damage, and for the end."""
_ROUNDS = 3  # a full stop before `/full` shows only without `/full`


def _apply_all(rules: tuple[RepairRule, ...], name: str, rounds: int = 1) -> tuple[str, list[RepairRule]]:
    """Return the name after all rules, and the rules that changed it."""
    done: dict[str, RepairRule] = {}
    for _ in range(rounds):
        before = name
        for rule in rules:
            better = rule.apply(name)
            if better and better != name:
                name = better
                done[rule.name] = rule
        if name == before:
            break
    return name, list(done.values())


def _join_reasons(*rules: RepairRule) -> Message:
    return join_messages(", ", *(rule.reason for rule in rules))


def propose_repairs(name: str) -> Iterator[tuple[str, Message]]:
    """Yield what the name may have been, best first, each with its reason: with all rules that are applied together,
    then with each of them, then with one of the others as well."""
    if len(name) > LONGEST_REPAIRED_NAME:
        shorter, done = _apply_all(OF_LONG, name)
        if done:
            yield shorter, _join_reasons(*done)
        return
    whole, done = _apply_all(TOGETHER, name, _ROUNDS)
    if done:
        yield whole, _join_reasons(*done)
        if len(done) > 1:
            for rule in done:
                yield rule.apply(name), rule.reason
    # The part before a # or ? may have other damage.
    cuts = [(part, (rule,)) for rule in CUT if rule.name in ("hash", "query") and (part := rule.apply(whole)) != whole]
    for base, cut in [(whole, ()), *cuts]:
        for rule in ALONE:
            better = rule.apply(base)
            if better != base:
                rest, more = _apply_all(TOGETHER, better, _ROUNDS)
                yield rest, _join_reasons(*done, *cut, rule, *(one for one in more if one not in done))
                if better.startswith("10.") and not rest.startswith(better.partition("/")[0] + "/"):
                    yield better, _join_reasons(*done, *cut, rule)  # several registrants have names that look alike
    if done:
        for rule in ALONE:
            if (better := rule.apply(name)) != name:
                yield better, rule.reason
