"""Templates that a journal's software or an author should have filled in: no DOI was assigned where one stands."""

import re

from doi_reading.late_pattern import compile_late
from doi_reading.text.source_text import SourceText

_DOI = r"(?:(?:insert|add|your|the|article|paper)[ _.-]?){0,2}doi(?:[ _.-]?(?:here|name|number|suffix|placeholder))?"
_NOUN = (
    rf"(?:{_DOI}|(?:[a-z]{{2,12}}[ _.-]){{0,3}}(?:ids?|doi|pid|suffix|prefix|number|slug|handle)"
    r"(?:[ _.-][a-z]{2,12}){0,2}"
    r"|[a-z]{2,12}(?-i:Ids?|DOI|Doi|Number)|article|journal|volume|issue|year|page)"
)
_OPEN, _CLOSE = r"(?:[$#%]?\{{1,2}|<%=|<\?(?:php echo)?|\{%)\s?\$?", r"\s?(?:%\}|\}{1,2}|%>|\?>)"
_FIELD = rf"{_OPEN}{_NOUN}{_CLOSE}"
_MARKED = rf"(?:\[{_NOUN}\]|<{_NOUN}>|%{_NOUN}%|\#{_NOUN}\#|\$(?-i:[a-z]){_NOUN}?|:(?:doi|id))"
_MASK = r"(?:x{3,12}|n{4,12}|\#{3,12}|_{4,12}|\*{3,12})"
_ENCODED_PERCENT = compile_late("%(?:25){1,3}")
_SIGN = compile_late(
    r"[{$*]|[\[<#][a-z%?#]|/:|%(?:25){0,3}(?:[g-z]|[a-f](?![0-9a-f])|7b|3c|5b|2[34a]|5f)|xxx|nnnn|____", re.IGNORECASE
)
"""Every template has one of these, percent-encoded or not."""
MASKS = ("xxx", "nnnn", "____")
"""A template of ordinary name characters alone has one of these in its suffix, in lower case."""
_NAME = compile_late(r"(?<![0-9.])10\.[0-9]{4,9}(?:\.[0-9]{1,9}){0,4}[/:](\S{1,200})")
_IN_SUFFIX = compile_late(
    rf"(?<![0-9]){_FIELD}"  # {id}, ${doi}, {{ article.doi }}, <%= doi %>
    rf"|(?<![0-9a-z])(?:[a-z]|20[0-9]{{2}})?{_MASK}(?![0-9a-z])",  # xxxxx, journal.pone.XXXXXXX, nnnnnnn.nnnnnnn
    re.IGNORECASE,
)
_WHOLE_SUFFIX = compile_late(
    r"%[a-z]|[^%]{0,40}(?:%[a-z](?![0-9a-f])[^%]{0,12}){2,9}(?:%[a-z])?"  # %x, %j.v%vi%i.%p
    rf"|[^%]{{0,40}}[._/-]%[g-z]|{_MARKED}",  # jrn.v12.%p, [DOI], <id>
    re.IGNORECASE,
)
_MASKED_PREFIX = compile_late(rf"(?<![0-9a-z.])10\.(?:{_MASK}|{_FIELD})(?:/\S{{1,60}})?", re.IGNORECASE)
_WHOLE_TEXT = compile_late(
    rf"(?:https?://(?:dx\.|www\.)?doi\.org/|doi\.org/|doi[:=]\s?)?(?:\[{_DOI}\]|<{_DOI}>|%{_DOI}%|\#{_DOI}\#|:doi|{_FIELD}(?:/{_FIELD})?)",
    re.IGNORECASE,
)


def find_template(body: SourceText) -> tuple[int, int] | None:
    """Return the place of the unfilled part in a text, percent-encoded or not: `10.5007/%x`, `{doi}`, `10.xxxx/xxxxx`.
    None if nothing is unfilled where the first name stands."""
    if not _SIGN.search(body.text):
        return None
    pieces = [(*found.span(), "%") for found in _ENCODED_PERCENT.finditer(body.text)]
    plain = body.with_replaced(pieces).decode()[0].strip()
    if name := _NAME.search(plain.text):
        suffix = plain.cut(*name.span(1))
        found = _IN_SUFFIX.search(suffix.text) or _WHOLE_SUFFIX.fullmatch(suffix.text.rstrip(".,;"))
        return suffix.span(*found.span()) if found else None
    found = _MASKED_PREFIX.search(plain.text) or _WHOLE_TEXT.fullmatch(plain.text)
    return plain.span(*found.span()) if found else None
