"""The HTML of fields, made without templates."""

from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from resolver.web.site.form_renderer import FieldRenderer

ATTRIBUTES = {
    "rows": 3, "required": True, "disabled": False, "placeholder": gettext_lazy("Help"), "data-x": '"><b>&',
}  # fmt: skip
WIDGETS = (forms.TextInput, forms.Textarea, forms.FileInput, forms.HiddenInput, forms.EmailInput, forms.NumberInput)


@pytest.mark.parametrize("value", [None, "", "a\nb", "</textarea><script>", mark_safe("a&amp;b"), 1234567, "\x00 ä"])
@pytest.mark.parametrize("kind", [*WIDGETS, forms.PasswordInput, forms.Select])
def test_a_field_has_the_html_of_django(kind: Any, value: Any) -> None:
    widget = kind(attrs=ATTRIBUTES)
    ours, theirs = (widget.render('na"me', value, {"id": "x"}, made()) for made in (FieldRenderer, DjangoTemplates))
    assert ours == theirs


def test_the_portal_renders_its_fields_so(settings: Any) -> None:
    assert isinstance(forms.renderers.get_default_renderer(), FieldRenderer)
