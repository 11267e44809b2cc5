"""A chart as an SVG document that stands alone: on a screen, on paper, in a slide.

It has attributes instead of styles, because the policy of the portal allows no inline style. Colours are those of light
pages, on white. Each bar has a sign and numbers, so nothing depends on the colour.
"""

from collections.abc import Sequence
from unicodedata import east_asian_width

from django.template.loader import render_to_string

from resolver.web.jobs.charts import Bar
from resolver.web.wording.text_filters import plain_text

WIDTH = 800  # pixels
MARGIN = 24
BAR_LENGTH = WIDTH - 2 * MARGIN
LABEL_COLUMNS = 60  # a wide character takes two; the numbers begin behind them
TITLE_COLUMNS = 60
ABOUT_COLUMNS = 95
SHORTEST = 4  # pixels: one row beside 999,999
MOST = 20  # bars of one chart
_LONGEST = 200  # characters that are looked at
_TOP, _STEP, _BOTTOM = 122, 46, 30
_COLOURS = {
    "good": "#1a6334", "tidy": "#2f4f7a", "info": "#2f4f7a", "warn": "#7a4a00", "warning": "#7a4a00", "bad": "#9b1c1c",
    "error": "#9b1c1c", "unknown": "#474f57", "waits": "#76818a",
}  # fmt: skip
_WITHOUT_TONE = "#14506b"


def draw_chart(title: str, about: Sequence[str], bars: Sequence[Bar], *, others: str = "") -> str:
    """Return the document, in the reader's language. `about`: two lines that say which list it is. `bars` come in their
    order, and only the first MOST are drawn. `others`: a sentence on what has no bar. Labels may be any text."""
    longest = max((bar.rows for bar in bars), default=1)
    drawn = [
        {
            "bar": bar,
            "label": fit(bar.label, LABEL_COLUMNS),
            "text_y": _TOP + number * _STEP,
            "bar_y": _TOP + number * _STEP + 7,
            "length": f"{max(SHORTEST, BAR_LENGTH * bar.rows / max(1, longest)):.1f}" if bar.rows else "0",
            "colour": _COLOURS.get(bar.tone, _WITHOUT_TONE),
        }
        for number, bar in enumerate(bars[:MOST])
    ]
    height = _TOP + max(1, len(drawn)) * _STEP + _BOTTOM
    context = {
        "title": fit(title, TITLE_COLUMNS),
        "about": [(fit(line, ABOUT_COLUMNS), 60 + 19 * number) for number, line in enumerate(about[:2])],
        "bars": drawn,
        "others": others,
        "width": WIDTH,
        "height": height,
        "margin": MARGIN,
        "end": WIDTH - MARGIN,
        "bar_length": BAR_LENGTH,
        "top": _TOP,
        "foot": height - 16,
    }
    return render_to_string("reports/chart.svg", context)


def fit(text: str, columns: int) -> str:
    """Return the text in at most so many columns, with … where it was cut. No character in it is invisible or barred
    from XML."""
    whole, used, kept = plain_text(text, _LONGEST), 0, []
    for character in whole:
        used += 2 if east_asian_width(character) in "WF" else 1
        kept.append(character)
        if used > columns:
            return "".join(kept[:-2]) + "…"
    return whole
