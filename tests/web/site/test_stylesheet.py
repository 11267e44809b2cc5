"""The stylesheet's tokens and directions, without a browser."""

import re
from itertools import product
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[3] / "static/resolver"
CSS = "".join((STATIC / name).read_text(encoding="utf-8") for name in ("tokens.css", "site.css"))
RULES = re.sub(r"/\*.*?\*/", "", CSS, flags=re.DOTALL)
TOKENS = {name: pair for name, *pair in re.findall(r"(--[\w-]+): light-dark\((#\w{6}), (#\w{6})\);", CSS)}
GROUNDS = ("--paper", "--card")
TONES = ("good", "warn", "bad", "note", "unknown")
TEXT = [
    *product(("--ink", "--soft", "--link"), GROUNDS),
    *((f"--{tone}", ground) for tone in TONES for ground in (*GROUNDS, f"--{tone}-back")),
    *product(("--ink",), (f"--{tone}-back" for tone in TONES)),
    ("--soft", "--unknown-back"), ("--link", "--unknown-back"), ("--bad", "--unknown-back"),
    ("--on-accent", "--accent"), ("--on-accent", "--accent-over"),
]  # fmt: skip
# The edges of fields, and the ring around what has the focus.
EDGES = [*product(("--edge", "--accent"), GROUNDS), *product(("--accent",), (f"--{tone}-back" for tone in TONES))]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_the_tokens_have_the_contrast_of_level_aa(scheme: int) -> None:
    too_weak = {
        pair: round(found, 2)
        for least, pairs in ((4.5, TEXT), (3, EDGES))
        for pair in pairs
        if (found := contrast(*(TOKENS[name][scheme] for name in pair))) < least
    }
    assert not too_weak


def test_every_token_that_is_used_is_there() -> None:
    known = set(re.findall(r"(--[\w-]+):", RULES))
    assert set(re.findall(r"var\((--[\w-]+)", RULES)) <= known


def test_no_rule_names_a_side_of_the_page() -> None:
    sides = r"[^{};]*\b(?:left|right|margin-(?:top|bottom)|padding-(?:top|bottom)|border-(?:top|bottom))\b[^{};]*"
    assert re.findall(sides, RULES) == []


def test_nothing_is_fetched_from_elsewhere_nor_written_into_the_stylesheet() -> None:
    assert not re.search(r"@import|url\((?!#|\"fonts/)|data:", RULES)
