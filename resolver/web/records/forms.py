"""The form of the record page: a name, and the parameters of the DOI proxy to try with it (P6-P12)."""

import re
from typing import Any
from urllib.parse import quote

from django import forms
from django.conf import settings
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from resolver.domain.redirect.resolve import SHOW_URLS
from resolver.services.lookups.inspection import inspect_input
from resolver.services.proxy_answers.name_answers import get_name_to_ask
from resolver.web.site.form_fields import VERBATIM, BoundedTextField, VerbatimTextField
from resolver.web.wording.translate_message import translate_message

MOST_VALUES_IN_REQUEST = 20  # types or indexes
_NO_NAME = gettext_lazy("Enter a DOI or a link.")
_PAIR = gettext_lazy("Enter an attribute, a colon and a value, such as id:1.")
_COUNTRY = gettext_lazy("Enter a country as two letters, such as gb or fr.")


class FlagInput(forms.CheckboxInput):
    """A flag that is set by any value, as at the proxy (A10)."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        return name in data


class ShowurlsInput(forms.CheckboxInput):
    """A flag that only `action=showurls` sets: the proxy ignores any other action, and all but the first."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        return bool(data.getlist(name)[:1] == [SHOW_URLS])


class RepeatedInput(forms.TextInput):
    """One field for a parameter that may be repeated: its values are separated by spaces."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        return " ".join(data.getlist(name))


def _flag(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, widget=FlagInput)


class ParameterForm(forms.Form):
    """A name and parameters. Once valid, `query` is what the proxy would be sent."""

    name = VerbatimTextField(
        longest=lambda: settings.MAX_CELL,
        label=gettext_lazy("DOI or link"),
        error_messages={"required": _NO_NAME},
        widget=forms.TextInput(attrs=VERBATIM),
    )
    type = BoundedTextField(
        longest=500,
        label=gettext_lazy("Only values of type"),
        help_text=gettext_lazy("type=… Separate several with spaces, for example URL HS_ADMIN."),
        widget=RepeatedInput,
    )
    index = BoundedTextField(
        longest=200,
        label=gettext_lazy("Only values at index"),
        help_text=gettext_lazy("index=… Separate several with spaces, for example 1 100."),
        widget=RepeatedInput,
    )
    locatt = BoundedTextField(
        longest=200,
        label=gettext_lazy("Location with the attribute"),
        help_text=gettext_lazy("locatt=… An attribute and its value, for example id:1 or country:gb."),
        validators=[RegexValidator(r"^[^:]+:", _PAIR)],
    )
    country = BoundedTextField(
        longest=20,
        label=gettext_lazy("Reader’s country"),
        help_text=gettext_lazy(
            "Two letters, for example gb. Not part of the link: doi.org uses the reader’s IP address."
        ),
        validators=[RegexValidator(r"^[A-Za-z]{2}\Z", _COUNTRY)],
    )
    urlappend = BoundedTextField(
        longest=1000,
        label=gettext_lazy("Append to the web address"),
        help_text=gettext_lazy("urlappend=… Include the ? or &, for example ?page=2."),
    )
    noredirect = _flag(gettext_lazy("Show the values instead of redirecting (noredirect)"))
    ignore_aliases = _flag(gettext_lazy("Don’t follow aliases (ignore_aliases)"))
    auth = _flag(gettext_lazy("Skip all caches (auth)"))
    cert = _flag(gettext_lazy("Accept only an authenticated answer (cert)"))
    nols = _flag(gettext_lazy("Don’t use a local service (nols)"))
    action = forms.BooleanField(
        label=gettext_lazy("List all web addresses (action=showurls)"),
        required=False,
        widget=ShowurlsInput(attrs={"value": SHOW_URLS}),
    )

    def clean_name(self) -> str:
        """Return the name in the text. A lookup shows what else is wrong with the text."""
        text: str = self.cleaned_data["name"]
        if not text.strip():
            raise forms.ValidationError(_NO_NAME, code="required")
        reading = inspect_input(text)
        name = get_name_to_ask(reading)
        if name is None:
            why = translate_message(next((problem.message for problem in reading.problems), ""))
            message = _("This text doesn’t contain a DOI.")
            raise forms.ValidationError(f"{message} {why}".strip())
        return name

    def clean_type(self) -> list[str]:
        return self._split_values("type")

    def clean_index(self) -> list[str]:
        indexes = self._split_values("index")
        if not all(re.fullmatch(r"[0-9]{1,10}", index) for index in indexes):
            raise forms.ValidationError(_("Enter each index as a whole number, such as 1 or 100."))
        return indexes

    def _split_values(self, name: str) -> list[str]:
        values: list[str] = self.cleaned_data[name].split()
        if len(values) > MOST_VALUES_IN_REQUEST:
            message = _("You entered %(count)d values. Enter %(most)d or fewer.")
            raise forms.ValidationError(message % {"count": len(values), "most": MOST_VALUES_IN_REQUEST})
        return values

    def clean_country(self) -> str:
        return str(self.cleaned_data["country"]).lower()

    @property
    def query(self) -> str:
        """The query string for the DOI proxy, without its question mark; "" for the plain link."""
        data = self.cleaned_data
        pairs = [(name, value) for name in ("type", "index") for value in data[name]]
        pairs += [(name, data[name]) for name in ("locatt", "urlappend") if data[name]]
        pairs += [(name, value) for name, value in (("action", SHOW_URLS), ("nols", "y")) if data[name]]
        flags = [name for name in ("noredirect", "ignore_aliases", "auth", "cert") if data[name]]
        return "&".join([*(f"{name}={quote(value, safe=':/')}" for name, value in pairs), *flags])

    @property
    def tried(self) -> bool:
        """Whether there are any parameters."""
        return bool(self.query or self.cleaned_data["country"])
