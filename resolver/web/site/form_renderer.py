"""The HTML of the fields of forms: `FORM_RENDERER` of the settings."""

from collections.abc import Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

_WIDGETS = "django/forms/widgets/"
_INPUTS = frozenset(f"{_WIDGETS}{kind}.html" for kind in ("email", "file", "hidden", "number", "password", "text"))


class FieldRenderer(DjangoTemplates):
    """Django's renderer, without templates for inputs and text areas. Of each it renders a template with two more
    inside, which takes as long as a third of the front page. The HTML is the same."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> SafeString:
        """Return the HTML of a widget, or of another part of a form."""
        if template_name in _INPUTS:
            return mark_safe(_build_input(context["widget"]))  # noqa: S308 - each value is escaped
        if template_name == f"{_WIDGETS}textarea.html":
            return mark_safe(_build_text_area(context["widget"]))  # noqa: S308 - each value is escaped
        return mark_safe(super().render(template_name, context, request))  # noqa: S308 - Django's own templates


def _build_input(widget: Mapping[str, Any]) -> str:
    kind, name, value = widget["type"], _escape(widget["name"]), widget["value"]
    written = "" if value is None else f' value="{_escape(value)}"'
    return f'<input type="{_escape(kind)}" name="{name}"{written}{_build_attributes(widget["attrs"])}>'


def _build_text_area(widget: Mapping[str, Any]) -> str:
    value = widget["value"]
    attributes = _build_attributes(widget["attrs"])
    return f'<textarea name="{_escape(widget["name"])}"{attributes}>\n{_escape(value) if value else ""}</textarea>'


def _build_attributes(attributes: Mapping[str, Any]) -> str:
    return "".join(
        f" {_escape(name)}" if value is True else f' {_escape(name)}="{_escape(value)}"'
        for name, value in attributes.items()
        if value is not False
    )


def _escape(value: object) -> str:
    return conditional_escape(value if isinstance(value, str) else str(value))
