"""The members of a JSON text with their spans, found by a walk that needs no whole value in memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

Path = tuple[str, ...]
"""The names of the members that lead to an object, and IN_LIST for each list."""
IN_LIST = "*"
TOKEN = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"(\s*+:)?|[{}\[\]]", re.S)
ANY_TOKEN = re.compile(rb"\"(?:[^\"\\]|\\.)*+\"|[{}\[\],:]|[^\s\"{}\[\],:]+", re.S)
"""Also commas, colons, numbers and words."""
_MAX_DEPTH = 200


class NotWellFormed(ValueError):
    """The brackets don't match, or there are more than _MAX_DEPTH levels of them."""


class JsonMember(NamedTuple):
    """A member of an object: the object's path, the name (None at the object's end), and the span of the value with
    its quotation marks, or 0 to 0 if it is no string. A text in a list is a member of the object with the list."""

    path: Path
    name: str | None
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class _OpenContainer:
    path: Path
    is_list: bool
    name: str = ""


class Walk:
    """A walk through the tokens of a text."""

    def __init__(self) -> None:
        self._opened: list[_OpenContainer] = []

    @property
    def path(self) -> Path | None:
        """The path of an object that begins here, None where only a member can begin."""
        if not self._opened:
            return ()
        return self._opened[-1].path if self._opened[-1].is_list else None

    def take(self, match: re.Match[bytes]) -> JsonMember | None:
        """Return the member that a token completes, if any. Raises NotWellFormed."""
        token = match.group()
        now = self._opened[-1] if self._opened else None
        if token[:1] == b'"':
            if now is None:
                return None
            if match[1]:
                now.name = token[1 : token.rindex(b'"')].decode("utf-8", "replace")
                return None
            return JsonMember(now.path[:-2] if now.is_list and now.name else now.path, now.name, *match.span())
        if token in b"{[":
            return self._open(now, is_list=token == b"[")
        if now is None or now.is_list != (token == b"]"):
            raise NotWellFormed
        self._opened.pop()
        return None if now.is_list else JsonMember(now.path, None)

    def _open(self, now: _OpenContainer | None, *, is_list: bool) -> JsonMember | None:
        if len(self._opened) >= _MAX_DEPTH:
            raise NotWellFormed
        path: Path = () if now is None else now.path if now.is_list else (*now.path, now.name)
        name = now.name if now and is_list and not now.is_list else ""
        self._opened.append(_OpenContainer((*path, IN_LIST) if is_list else path, is_list, name))
        return JsonMember(now.path, now.name) if now and not now.is_list else None


def walk(raw: bytes) -> Iterator[JsonMember]:
    """Yield the members of all objects in the order of the text. Raises NotWellFormed."""
    steps = Walk()
    for match in TOKEN.finditer(raw):
        if (member := steps.take(match)) is not None:
            yield member


class TopMember(NamedTuple):
    """A member of an outermost object: the spans of its name and its value, both with their quotation marks."""

    name: tuple[int, int]
    value: tuple[int, int]


def walk_top(raw: bytes) -> Iterator[TopMember]:
    """Yield the members of an object, which is valid JSON, in order."""
    depth, before, name, start = 0, b"", (0, 0), 0
    for match in ANY_TOKEN.finditer(raw):
        token = match.group()
        if token in (b"{", b"["):
            start = match.start() if depth == 1 else start
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
            if depth == 1:
                yield TopMember(name, (start, match.end()))
        elif depth == 1 and before == b":":
            yield TopMember(name, match.span())
        elif depth == 1 and token.startswith(b'"'):
            name = match.span()
        before = token
