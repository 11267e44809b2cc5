"""What the layers below say in English, in the language of the reader."""

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from resolver.domain.message import Detail, Message


def in_readers_language(text: str) -> str:
    """A message by its template and details, with numbers written as the language writes them. Any other text stays:
    a stranger's, or a sentence that an earlier version stored without its template."""
    if not isinstance(text, Message) or not text:
        return text
    details, count = text.details, text.details.get("count")
    if text.plural and isinstance(count, int):
        template = ngettext(text.template, text.plural, count)
    else:
        template = gettext(text.template)
    return template.format_map({name: _shown(detail) for name, detail in details.items()}) if details else template


def _shown(detail: Detail) -> str:
    if isinstance(detail, int):
        return number_format(detail, use_l10n=True, force_grouping=True)
    return in_readers_language(detail)
