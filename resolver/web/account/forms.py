"""The form for a new API token."""

from django import forms
from django.utils.translation import gettext_lazy as _

from resolver.models import TokenScope
from resolver.services.logins.api_tokens import LONGEST_NAME

SCOPES = {TokenScope.READ: _("Read"), TokenScope.WRITE: _("Read and write")}
LIVES = {30: _("30 days"), 90: _("90 days"), 365: _("1 year"), None: _("No end")}


def _days(text: str) -> int | None:
    return int(text) if text else None


class TokenForm(forms.Form):
    """What a token is for, what it may do, and how long it lasts."""

    name = forms.CharField(
        label=_("Name"),
        help_text=_("What the token is for, such as “nightly check”."),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.TypedChoiceField(
        label=_("Allowed"),
        choices=list(SCOPES.items()),
        coerce=TokenScope,
        help_text=_("A program that uploads lists or looks DOIs up needs to write."),
    )
    days = forms.TypedChoiceField(
        label=_("Ends after"),
        choices=[("" if days is None else days, label) for days, label in LIVES.items()],
        coerce=_days,
        empty_value=None,
        initial=365,
        required=False,
    )
