"""Form fields that several pages share."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

NOTHING_GIVEN = _("Enter a DOI, link or text.")
TOO_LONG = _("This text is longer than %(limit_value)d characters. Enter only the part with the DOI.")
LONG_SEARCH = _("This text is longer than %(limit_value)d characters. Enter only a few words or characters of it.")
VERBATIM = {"class": "name", "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
"""Attributes of an input for a DOI: no completion, no spelling, no capital letters."""


class VerbatimTextField(forms.CharField):
    """Text exactly as sent: control characters are for the report to name, not for the form to refuse. The page gets no
    `maxlength`: a browser would cut a longer text silently."""

    default_error_messages = {"required": NOTHING_GIVEN}

    def __init__(self, longest: int | Callable[[], int], message: Any = TOO_LONG, **options: Any) -> None:
        super().__init__(strip=False, **options)
        self.validators = [MaxLengthValidator(longest, message)]


class BoundedTextField(forms.CharField):
    """Optional text of at most `longest` characters. The page gets no `maxlength`."""

    def __init__(self, longest: int, **options: Any) -> None:
        super().__init__(required=False, **options)
        message = _("This has %(show_value)d characters. The limit is %(limit_value)d. Make it shorter.")
        self.validators.append(MaxLengthValidator(longest, message))

    def to_python(self, value: Any) -> str:
        """The text with one character per line break; a browser sends two."""
        return str(super().to_python(value)).replace("\r\n", "\n")


class SearchTextField(VerbatimTextField):
    """The text of a search."""

    def __init__(self, **options: Any) -> None:
        field = forms.TextInput(attrs={"type": "search"})
        super().__init__(1000, LONG_SEARCH, required=False, widget=field, **options)


class SearchForm(forms.Form):
    """A search for lists by name or file, and the base of all filter forms."""

    q = SearchTextField(label=_("Name or file"))

    def get_wanted(self) -> dict[str, Any]:
        """The filters that are set; none if the form has an error, which the page then shows."""
        return {name: value for name, value in self.cleaned_data.items() if value} if self.is_valid() else {}


def get_csv_delimiter(request: HttpRequest) -> str:
    """The delimiter of a CSV file: a semicolon for `?delimiter=;`, else a comma."""
    return ";" if request.GET.get("delimiter") == ";" else ","
