"""Translations of the texts and messages of the layers below."""

import re
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, ngettext

from doi_reading import Message
from doi_reading.message import Detail

_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")  # files and REST have ', pages have ’


def translate_text(text: str) -> str:
    """Return a text of the layers below in the reader's language, with the apostrophes of pages."""
    return _translate(text, get_language())


@lru_cache(2048)  # the texts of our code alone, in each language
def _translate(text: str, _language: str | None) -> str:
    return _APOSTROPHE.sub("’", gettext(text))


def translate_message(text: str) -> str:
    """Return a message in the reader's language, with numbers in its format. Any other text is returned unchanged: it
    is untrusted, or an earlier version stored it without its template."""
    return _compose(text, get_language())


def _compose(text: str, language: str | None) -> str:
    if not isinstance(text, Message) or not text:
        return text
    details, count = text.details, text.details.get("count")
    if text.plural and isinstance(count, int):
        template = _APOSTROPHE.sub("’", ngettext(text.template, text.plural, count))
    else:
        template = _translate(text.template, language)
    if not details:
        return template
    return template.format_map({name: _format(detail, language) for name, detail in details.items()})


def _format(detail: Detail, language: str | None) -> str:
    if isinstance(detail, int):
        return number_format(detail, use_l10n=True, force_grouping=True)
    return _compose(detail, language)
