"""Template filters for untrusted text: escaped, with every invisible character shown. Built in by the settings."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from resolver.domain.report.report import is_safe_link
from resolver.domain.work.titles import ComparedPiece
from resolver.web.wording.highlight import LINE_END, DiffPart, Glyph, Stretch, label_hidden, to_glyphs

register = template.Library()

_AFTER_SIGN = re.compile(r"<[^>]*>|&[^;]*;|(?:[/_;(-]|(?<!10)\.)(?=\S)")  # not in a tag, nor in a prefix
_BREAKS = re.compile(r"[\r\n]+")


def _shorten(text: object, limit: int) -> tuple[Glyph, ...]:
    whole = str(text)
    return to_glyphs(whole[:limit] + "…" if limit and len(whole) > limit else whole)


def _join_plain(parts: Iterable[Glyph]) -> str:
    return "".join(glyph.label or glyph.text for glyph in parts)


@register.filter
def render_glyphs(parts: Sequence[Glyph]) -> SafeString:
    """The glyphs of one text as HTML. Too many invisible characters are shown without their names."""
    if sum(bool(glyph.label) for glyph in parts) > 8:  # the markup of each takes 70 bytes of the page
        return format_html("{}", _join_plain(parts))
    return format_html_join("", "{}", ((_render_glyph(glyph),) for glyph in parts))


def _render_glyph(glyph: Glyph) -> SafeString:
    if not glyph.label:
        return format_html("{}", glyph.text)
    style = "line-end" if glyph.label == LINE_END else "hidden-char"
    return format_html('<span class="{}" title="{}">{}</span>{}', style, glyph.name, glyph.label, glyph.text)


@register.filter
def reveal(text: object, limit: int = 0) -> SafeString:
    """Untrusted text as HTML, with each invisible character as its code point. A `limit` shortens it. This keeps bidi
    controls from reordering the page, and lone surrogates from breaking its encoding."""
    whole = str(text)
    if whole.isprintable() and not (limit and len(whole) > limit):  # nearly always: nothing in it is invisible
        return SafeString(html.escape(whole))  # Django's escape, without its look for lazy texts
    return render_glyphs(_shorten(whole, limit))


@register.filter
def breakable(shown: SafeString) -> SafeString:
    """A text of `reveal` that breaks after the signs of DOIs and addresses before it breaks anywhere."""
    return SafeString(_AFTER_SIGN.sub(lambda sign: sign[0] if sign[0][0] in "<&" else f"{sign[0]}<wbr>", shown))


@register.filter
def reveal_lines(text: object) -> SafeString:
    """`reveal` for a text whose line breaks are kept."""
    return format_html_join("\n", "{}", ((reveal(line),) for line in str(text).split("\n")))


@register.filter
def plain_text(text: object, limit: int = 100) -> str:
    """`reveal` for titles and attributes, which can't contain markup."""
    return _join_plain(_shorten(text, limit))


@register.filter
def one_line(text: object) -> str:
    """The text with spaces for line breaks. Follow with `reveal` or `plain_text`."""
    return _BREAKS.sub(" ", str(text))


@register.filter
def render_stretches(stretches: Iterable[Stretch]) -> SafeString:
    """A text with its problems marked; each mark is followed by the numbers of the problems that end there. It is
    rendered here because the white space between tags would show in the text."""
    return format_html_join("", "{}", ((_render_stretch(stretch),) for stretch in stretches))


def _render_stretch(stretch: Stretch) -> SafeString:
    text = render_glyphs(stretch.glyphs)
    if not stretch.severity:
        return text
    if stretch.numbers:
        numbers = ",".join(map(str, stretch.numbers))
        text += format_html('<sup><span class="vh">{} </span>{}</sup>', gettext("problem"), numbers)
    return format_html('<mark class="{}">{}</mark>', stretch.severity, text)


@register.filter
def render_diff(parts: Iterable[DiffPart]) -> SafeString:
    """Two names as one: removed parts in `<del>`, added ones in `<ins>`, both announced to screen readers."""
    spoken = {"del": gettext("removed:"), "ins": gettext("added:")}
    return format_html_join("", "{}", ((_render_diff_part(part, spoken),) for part in parts))


@register.filter
def render_new(parts: Iterable[DiffPart]) -> SafeString:
    """The second of two compared names, what is new in `<ins>`. Nothing else is in it, so that it can be selected."""
    shown = [(part.kind, render_glyphs(part.glyphs)) for part in parts if part.kind != "del"]
    return format_html_join("", "{}", ((format_html("<ins>{}</ins>", text) if kind else text,) for kind, text in shown))


def _render_diff_part(part: DiffPart, spoken: Mapping[str, str]) -> SafeString:
    text = render_glyphs(part.glyphs)
    if not part.kind:
        return text
    markup = '<{0}><span class="vh">{1} </span>{2}<span class="vh"> </span></{0}>'
    return format_html(markup, part.kind, spoken[part.kind], text)


@register.filter
def render_pieces(pieces: Iterable[ComparedPiece]) -> SafeString:
    """A text of a comparison, what differs marked; a dash for none. At most 600 characters of each piece are shown."""
    shown = [(piece.differs, reveal(piece.text, 600)) for piece in pieces]
    if not shown:
        return SafeString("–")
    return format_html_join(
        "", "{}", ((format_html("<mark>{}</mark>", text) if differs else text,) for differs, text in shown)
    )


@register.filter
def linkable(url: object) -> bool:
    """Whether an untrusted value may become a link: `javascript:` is a URL too."""
    return is_safe_link(str(url)) and not any(label_hidden(character) for character in str(url))
