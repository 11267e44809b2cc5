"""Follow an alias to the record of its main name (P7), without I/O: one rule for every source of records."""

from collections.abc import Generator

from doi_reading import fold
from resolver.domain.handle.answers import Answer, Resolution
from resolver.domain.handle.record import Record

MAX_HOPS = 20


def follow_aliases(name: str) -> Generator[str, Answer, Resolution]:
    """Yield each handle whose own record is needed, the name first; send the answer back. Return the Resolution.

    A chain that returns to a handle, or is longer than MAX_HOPS, is a loop.
    """
    current, way = name, []
    while True:
        answer = yield current
        way.append((current, answer))
        target = answer.alias if isinstance(answer, Record) else None
        if target is None and len(way) == 1:
            return Resolution(answer)
        alias_of = current if len(way) > 1 else None
        if target is None:
            return Resolution(answer, alias_of, way=tuple(way))
        if fold(target) in (fold(handle) for handle, _ in way) or len(way) > MAX_HOPS:
            return Resolution(answer, alias_of or target, loop=True, way=tuple(way))
        current = target
