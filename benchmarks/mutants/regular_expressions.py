"""The mutants of a regular expression: a quantifier that takes less or more, an anchor that is left out."""

import re
from collections.abc import Iterator

# An escape, a set, the question mark of a group and a comment are no quantifiers.
_TOKEN = re.compile(
    r"""
    (?P<anchor> \\[AZbB] | [$^] )
    | \\. | \[\^?\]?(?:\\.|[^\]\\])*\] | \(\?(?:P?<\w+>|[aiLmsux-]+[:)]|<?[=!]|[:>]) | (?<=[ \n])\#[^\n]*(?=\n)
    | (?P<sign> [*+?] )(?P<mode> [?+]? )
    | \{(?P<least> [0-9]* )(?P<comma> ,? )(?P<most> [0-9]* )\}
    """,
    re.VERBOSE | re.DOTALL,
)
_OTHERS = {"*": ("", "+"), "+": ("", "{1,3}"), "?": ("",)}


def weaken(pattern: str) -> Iterator[str]:
    """Yield the expression with one small fault each."""
    for token in _TOKEN.finditer(pattern):
        for other in _find_others(token):
            yield pattern[: token.start()] + other + pattern[token.end() :]


def _find_others(token: re.Match[str]) -> Iterator[str]:
    if token["anchor"]:
        yield ""
    elif token["sign"]:
        for other in _OTHERS[token["sign"]]:
            yield other + (token["mode"] if other else "")
    elif token["least"] or token["most"]:
        least, most = int(token["least"] or 0), token["most"]
        yield f"{{{least + 1}{token['comma']}{most}}}"
        if most:
            yield f"{{{token['least']},{int(most) - 1}}}"
