"""What templates need beyond Django's own filters; settings make them built in."""

import re
from collections.abc import Iterable, Mapping, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from resolver.domain.problems.problem import Entry
from resolver.domain.report.report import COULD_NOT_ASK, is_link
from resolver.sheets.input.layout import name_column
from resolver.web.site.highlight import LINE_END, DiffPart, Glyph, Stretch, glyphs, hidden
from resolver.web.site.labels import FORMS, SEVERITIES, STATES, VERDICTS, Verdict, problem_word
from resolver.web.site.translate import in_readers_language

register = template.Library()
_BREAKS = re.compile(r"[\r\n]+")
_LONGEST_NUMBER = 9  # digits
_DETAIL = re.compile(r"\{\w+\}")


MOST_HIDDEN = 8  # characters of one text render_glyphs one by one: each is 70 bytes of the page


def _shown(parts: Sequence[Glyph]) -> SafeString:
    """Where more of them cannot be seen, their code points stand in the text without a name."""
    if sum(bool(glyph.label) for glyph in parts) > MOST_HIDDEN:
        return format_html("{}", "".join(glyph.label or glyph.text for glyph in parts))
    return format_html_join("", "{}", ((_glyph(glyph),) for glyph in parts))


def _glyph(glyph: Glyph) -> SafeString:
    if glyph.label == LINE_END:
        return format_html('<span class="line-end" title="{}">{}</span>{}', glyph.name, glyph.label, glyph.text)
    if glyph.label:
        return format_html('<span class="hidden-char" title="{}">{}</span>', glyph.name, glyph.label)
    return format_html("{}", glyph.text)


@register.filter
def visible(text: object, limit: int = 0) -> SafeString:
    """Text of strangers, escaped, with every character that cannot be seen replaced by its code point.

    That keeps bidi controls from turning the page around, and lone surrogates from breaking its encoding.
    """
    whole = str(text)
    shown = whole[:limit] + "…" if limit and len(whole) > limit else whole
    return _shown(glyphs(shown))


@register.filter
def one_line(text: object) -> str:
    """What was given in lines, with spaces between them: in tables and titles. To be followed by `visible` or
    `plain`."""
    return _BREAKS.sub(" ", str(text))


@register.filter
def visible_lines(text: object) -> SafeString:
    """The same for text in lines, whose breaks stay."""
    return format_html_join("\n", "{}", ((visible(line),) for line in str(text).split("\n")))


@register.filter
def plain(text: object, limit: int = 100) -> str:
    """The same for a title, where no markup is possible."""
    whole = str(text)
    return "".join(glyph.label or glyph.text for glyph in glyphs(whole[:limit])) + ("…" if len(whole) > limit else "")


@register.filter
def told(text: object) -> str:
    """A sentence of the layers below, in the reader's language; to be followed by `visible`, since its details are a
    stranger's."""
    return in_readers_language(str(text))


@register.filter
def column_words(name: str) -> str:
    """The name of a column; in the reader's language that of one without a name, as the reader of files gives it."""
    number = name.removeprefix("column ")
    if len(number) > _LONGEST_NUMBER or not number.isdecimal() or name != name_column(int(number) - 1):
        return name
    return gettext("column %(number)d") % {"number": int(number)}


@register.filter
def could_not_ask(outcome: str) -> bool:
    """Whether nothing was learned."""
    return outcome in COULD_NOT_ASK


@register.filter
def render_glyphs(parts: tuple[Glyph, ...]) -> SafeString:
    """The glyphs of one stretch of marked text."""
    return _shown(parts)


@register.filter
def render_stretches(stretches: Iterable[Stretch]) -> SafeString:
    """A text with its problems marked, each mark followed by the numbers of the problems that end there. White space
    counts where it is shown, so no template can break it into lines."""
    return format_html_join("", "{}", ((_stretch(stretch),) for stretch in stretches))


def _stretch(stretch: Stretch) -> SafeString:
    text = _shown(stretch.glyphs)
    if not stretch.severity:
        return text
    if stretch.numbers:
        numbers = ",".join(map(str, stretch.numbers))
        text += format_html('<sup><span class="vh">{} </span>{}</sup>', gettext("problem"), numbers)
    return format_html('<mark class="{}">{}</mark>', stretch.severity, text)


@register.filter
def render_diff(parts: Iterable[DiffPart]) -> SafeString:
    """What is in both names, what was removed (<del>) and what was added (<ins>), which is said in words too."""
    read_aloud = {"del": gettext("removed:"), "ins": gettext("added:")}
    return format_html_join("", "{}", ((_diff_part(part, read_aloud),) for part in parts))


def _diff_part(part: DiffPart, read_aloud: Mapping[str, str]) -> SafeString:
    text = _shown(part.glyphs)
    if not part.kind:
        return text
    spoken = '<{0}><span class="vh">{1} </span>{2}<span class="vh"> </span></{0}>'
    return format_html(spoken, part.kind, read_aloud[part.kind], text)


@register.filter
def linkable(url: object) -> bool:
    """Whether a value may become a link: a stranger wrote it, and `javascript:` is a URL too."""
    return is_link(str(url)) and not any(hidden(character) for character in str(url))


@register.filter
def verdict(outcome: str) -> Verdict:
    """The words for an outcome."""
    return VERDICTS.get(outcome, VERDICTS[""])


@register.filter
def severity_word(severity: str) -> str:
    """Error, Warning or Note."""
    return SEVERITIES.get(severity, severity)


register.filter("problem_word", problem_word)


@register.filter
def meaning(entry: Entry) -> str:
    """A problem's sentence without the details of any one text."""
    return _DETAIL.sub("…", gettext(entry.sentence))


@register.filter
def form_words(form: str) -> str:
    """What kind of text was given."""
    return FORMS.get(form, form)


@register.filter
def state_words(state: str) -> str:
    """Where a job stands."""
    return STATES.get(state, state)
