"""The forms of a watch: how often, what is checked, where changes are reported, and why a row is accepted."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from resolver import conf
from resolver.models import Depth, Every, Job
from resolver.services.accounts.owners import get_user_owner
from resolver.services.jobs.lifecycle import NAME_LENGTH
from resolver.services.watches.mail_addresses import find_usable_address
from resolver.services.webhooks.registration import list_webhooks
from resolver.web.site.form_fields import BoundedTextField
from resolver.web.wording.text_filters import plain_text

REFUSALS: Mapping[str, Any] = {
    "stopped": _("The check of this list was stopped. Retry its unchecked rows first, and watch it then."),
    "not-compared": _("This list wasn’t compared with title and author, so a watch can’t be either."),
    "no-file": _("The uploaded file of this list is no longer available. Upload it again, and watch that list."),
    "no-mail-address": _("Your account has no confirmed email address. Confirm it first, or choose no emails."),
    "no-webhook": _("This webhook doesn’t exist any more. Choose another one."),
}
"""What a refusal of the services says, except for those with a number."""


class WatchForm(forms.Form):
    """What a person decides about a watch. It offers only the channels that the owner has."""

    name = BoundedTextField(
        longest=NAME_LENGTH,
        label=_("Name"),
        help_text=_(
            "What we call this watch when we report changes. If you leave it empty, we use the name of the list."
        ),
    )
    every = forms.ChoiceField(
        label=_("How often"),
        choices=[
            (Every.DAY, _("Every day")),
            (Every.WEEK, _("Every week")),
            (Every.MONTH, _("Every month")),
            (Every.QUARTER, _("Every three months")),
        ],
        initial=Every.MONTH,
        widget=forms.RadioSelect,
    )
    depth = forms.ChoiceField(
        label=_("What is checked"),
        choices=[
            (Depth.EXISTENCE, _("Whether each DOI is registered. Quick: one request for 50 DOIs.")),
            (Depth.FULL, _("Everything: also missing web addresses and deleted DOIs. One request for each DOI.")),
        ],
        initial=Depth.EXISTENCE,
        widget=forms.RadioSelect,
    )
    compare = forms.BooleanField(
        label=_("Compare title and author, too"),
        required=False,
        help_text=_("We tell you when the record of a DOI describes another work."),
    )
    mail = forms.BooleanField(
        label=_("Email me when something changes"),
        required=False,
        help_text=_("At most one email a day, and none if nothing changed."),
    )
    webhook = forms.ChoiceField(
        label=_("Notify a webhook"), required=False, help_text=_("It receives the event watch.changed.")
    )

    def __init__(self, *args: Any, account: User | None, can_compare: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        if not can_compare:
            del self.fields["compare"]
        usable = account is not None and find_usable_address(get_user_owner(account)) is not None
        # The emails of a watch can be switched off, even while its owner's address isn't confirmed.
        if not usable and not (conf.sends_mail() and self.initial.get("mail")):
            del self.fields["mail"]
        found = [each for each in list_webhooks(account) if each.disabled_at is None] if account else []
        self._webhooks = {str(each.pk): each for each in found}
        if found:
            # Two may have the same name.
            named = [
                (key, plain_text(f"{each.name}: {each.url}" if each.name else each.url, 120))
                for key, each in self._webhooks.items()
            ]
            cast("forms.ChoiceField", self.fields["webhook"]).choices = [("", _("No webhook")), *named]
        else:
            del self.fields["webhook"]

    def get_wanted(self) -> dict[str, Any]:
        """Return the columns of the watch that the valid form decides; a channel that it doesn't offer stays."""
        sent = self.cleaned_data
        columns: dict[str, Any] = {"name": sent["name"], "every": Every(sent["every"]), "depth": Depth(sent["depth"])}
        if "compare" in sent:
            columns["compare"] = sent["compare"]
        if "mail" in sent:
            columns["mail"] = sent["mail"]
        if "webhook" in sent:
            columns["webhook"] = self._webhooks.get(sent["webhook"])
        return columns


def explain_refusal(reason: str, job: Job) -> str:
    """Return the sentence for the reason of a WatchRefused."""
    if reason == "too-many":
        sentence = gettext("You have %(most)s watches, the most possible. End one first.")
        return sentence % {"most": intcomma(settings.MAX_WATCHES)}
    if reason == "too-many-names":
        sentence = gettext(
            "Your watched lists may have %(most)s rows together. With the %(rows)s rows of this list it would be more. "
            "End another watch first."
        )
        return sentence % {"most": intcomma(settings.MAX_WATCHED_NAMES), "rows": intcomma(job.total)}
    return str(REFUSALS[reason])


class AcceptanceForm(forms.Form):
    """Why a broken row is accepted as it is."""

    note = BoundedTextField(
        longest=500,
        label=_("Why (a note for yourself)"),
        help_text=_("For example: withdrawn by its publisher."),
    )
