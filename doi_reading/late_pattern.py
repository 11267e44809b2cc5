"""Patterns that are compiled when they are first used: the tables have hundreds, and most texts need few of them."""

import re
from typing import Any, cast


class _LatePattern:
    """Acts as the compiled pattern. After the first use its methods are attributes, as fast as a pattern's own."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        for method in ("match", "search", "fullmatch", "finditer", "findall", "split", "sub", "subn"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def compile_late(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` returns, without compiling it yet. An error in the pattern shows at its first use."""
    return cast("re.Pattern[str]", _LatePattern(pattern, flags))
