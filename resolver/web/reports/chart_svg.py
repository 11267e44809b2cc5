"""A chart as an SVG document of its own: for a screen, for paper, for a slide.

It has attributes instead of styles, because the policy of the portal allows no inline style. Colours are those of light
pages, on white. Each bar has a sign and numbers, so nothing depends on the colour.
"""

from collections.abc import Sequence
from unicodedata import east_asian_width

from django.template.loader import render_to_string

from resolver.web.jobs.charts import Bar
from resolver.web.wording.text_filters import plain_text

WIDTH_PIXELS, MARGIN_PIXELS = 800, 24
BAR_LENGTH = WIDTH_PIXELS - 2 * MARGIN_PIXELS
SHORTEST_BAR_PIXELS = 4  # one row beside 999,999
MOST_BARS = 20
_COLOURS = {
    "good": "#1a6334", "tidy": "#2f4f7a", "info": "#2f4f7a", "warn": "#7a4a00", "warning": "#7a4a00", "bad": "#9b1c1c",
    "error": "#9b1c1c", "unknown": "#474f57", "waits": "#76818a",
}  # fmt: skip
_WITHOUT_TONE = "#14506b"


def draw_chart(title: str, about: Sequence[str], bars: Sequence[Bar], *, others: str = "") -> str:
    """Return the document, in the reader's language. `about`: two lines that say which list it is. `bars` come in their
    order, and only the first MOST_BARS are drawn. `others`: a sentence on what has no bar. Labels may be any text."""
    longest = max((bar.rows for bar in bars), default=1)
    top, step, bottom = 122, 46, 30  # pixels: above the first bar, from one to the next, below the last
    drawn = [
        {
            "bar": bar,
            "label": fit(bar.label, 60),  # the numbers begin after these columns
            "text_y": top + number * step,
            "bar_y": top + number * step + 7,
            "length": f"{max(SHORTEST_BAR_PIXELS, BAR_LENGTH * bar.rows / max(1, longest)):.1f}" if bar.rows else "0",
            "colour": _COLOURS.get(bar.tone, _WITHOUT_TONE),
        }
        for number, bar in enumerate(bars[:MOST_BARS])
    ]
    height = top + max(1, len(drawn)) * step + bottom
    context = {
        "title": fit(title, 60),
        "about": [(fit(line, 95), 60 + 19 * number) for number, line in enumerate(about[:2])],
        "bars": drawn,
        "others": others,
        "width": WIDTH_PIXELS,
        "height": height,
        "margin": MARGIN_PIXELS,
        "end": WIDTH_PIXELS - MARGIN_PIXELS,
        "bar_length": BAR_LENGTH,
        "top": top,
        "foot": height - 16,
    }
    return render_to_string("reports/chart.svg", context)


def fit(text: str, columns: int) -> str:
    """Return the text in at most so many columns, of which a wide character takes two, with … where it was cut. No
    character in it is invisible or forbidden in XML."""
    whole, used, kept = plain_text(text, 200), 0, []
    for character in whole:
        used += 2 if east_asian_width(character) in "WF" else 1
        kept.append(character)
        if used > columns:
            return "".join(kept[:-2]) + "…"
    return whole
