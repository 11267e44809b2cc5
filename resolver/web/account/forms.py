"""The forms of the account pages: a token, a webhook, the email address, and the end of the account."""

from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from resolver.models import TokenScope, WebhookEvent
from resolver.services.logins.api_tokens import LONGEST_NAME
from resolver.services.webhooks.registration import EVENTS
from resolver.web.site.login import NO_CURRENT_PASSWORD, NO_USERNAME, check_current_password

SCOPES = {TokenScope.READ: _("Read"), TokenScope.WRITE: _("Read and write")}
LIVES = {30: _("30 days"), 90: _("90 days"), 365: _("1 year"), None: _("Never")}

EVENT_LABELS = {
    WebhookEvent.FINISHED: _("list finished"),
    WebhookEvent.FAILED: _("list failed"),
    WebhookEvent.CANCELLED: _("check stopped"),
    WebhookEvent.CHANGED: _("watched list changed"),
    WebhookEvent.TEST: _("test"),
}


class TokenForm(forms.Form):
    """What a token is for, what it may do, and how long it lasts."""

    name = forms.CharField(
        label=_("Name"),
        help_text=_("What the token is for, such as “nightly check”."),
        max_length=LONGEST_NAME,
        error_messages={"required": _("Enter what the token is for, so that you recognize it later.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scope = forms.TypedChoiceField(
        label=_("Permission"),
        choices=list(SCOPES.items()),
        coerce=TokenScope,
        help_text=_("Choose “Read and write” for programs that upload lists or look up DOIs."),
    )
    days = forms.TypedChoiceField(
        label=_("Expires after"),
        choices=[("" if days is None else days, label) for days, label in LIVES.items()],
        coerce=int,
        empty_value=None,
        initial=365,
        required=False,
    )


class WebhookForm(forms.Form):
    """Which events are sent to which program."""

    url = forms.CharField(
        label=_("Web address"),
        help_text=_("It begins with https:// and can be reached from the Internet."),
        max_length=2000,
        error_messages={"required": _("Enter the address to which events are sent.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url", "spellcheck": "false"}),
    )
    name = forms.CharField(
        label=_("Name"),
        help_text=_("Optional. Only you can see it."),
        max_length=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    events = forms.MultipleChoiceField(
        label=_("Events"),
        choices=[(str(event), EVENT_LABELS[event]) for event in EVENTS],
        initial=[str(event) for event in EVENTS],
        error_messages={"required": _("Select at least one event.")},
        widget=forms.CheckboxSelectMultiple,
    )


class MailAddressForm(forms.Form):
    """The address to which watches send mails."""

    address = forms.EmailField(
        label=_("Email address"),
        help_text=_("We’ll send a link to it. Open the link to confirm the address."),
        max_length=254,
        error_messages={
            "required": _("Enter your email address."),
            "invalid": _("This isn’t an email address. Enter one like name@example.org."),
        },
        widget=forms.TextInput(attrs={"autocomplete": "email", "inputmode": "email", "spellcheck": "false"}),
    )


class AccountDeletionForm(forms.Form):
    """The current password, so that someone who finds a browser logged in can't delete the account; or the username, of
    an account without a password, so that it isn't deleted by accident."""

    password = forms.CharField(
        label=_("Current password"),
        strip=False,
        error_messages={"required": NO_CURRENT_PASSWORD},
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    username = forms.CharField(
        label=_("Your username"),
        error_messages={"required": NO_USERNAME},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, **options: Any) -> None:
        """Raises TooManyGuesses and TooManyHashes if it is bound."""
        self._request = request
        super().__init__(*args, **options)
        self._account = cast(User, request.user)
        del self.fields["username" if self._account.has_usable_password() else "password"]

    def clean_password(self) -> str:
        return check_current_password(self._request, self._account, self.cleaned_data["password"])

    def clean_username(self) -> str:
        if self.cleaned_data["username"] != self._account.get_username():
            raise forms.ValidationError(_("This isn’t your username. It is at the top of the page."))
        return str(self.cleaned_data["username"])
