"""The mails of the portal: what changed in watched lists, and the link that confirms an address.

Both parts of a mail, plain text and HTML, are made of the same sentences. Whatever people wrote is in one line and has
no character that can't be seen, so it adds no header and no line.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from resolver.models import MailAddress, WatchRun
from resolver.services.watches.mail_addresses import LINK_VALID
from resolver.services.watches.mails import Mail
from resolver.web.watches.reported_rows import ReportedPart, name_changes, name_more, name_watch, read_reported_parts
from resolver.web.wording.text_filters import plain_text


def write_changes(runs: Sequence[WatchRun], address: MailAddress) -> Mail:
    """Return the mail about these runs, in the language of the address. What broke comes first."""
    with translation.override(address.language):
        parts, more = read_reported_parts(runs)
        watches = {run.watch_id: run.watch for run in runs}
        why = _("You get this email because you watch lists at %(portal)s and confirmed this address.")
        letter: dict[str, Any] = {
            "subject": name_changes(runs),
            "sections": [(_name_part(part, len(watches) > 1), part.rows) for part in parts],
            "more": name_more(more),
            "pages": [
                (name_watch(watch), address.portal + reverse("watch", args=[pk])) for pk, watch in watches.items()
            ],
            "why": why % {"portal": address.portal + reverse("home")},
            "stop": address.portal + reverse("mail-stop", args=[address.stop_token]),
            "language": address.language,
        }
        html = render_to_string("watches/mail/changes.html", {"letter": letter})
        return Mail(letter["subject"], _write_text(letter), html, letter["stop"])


def write_confirmation(address: MailAddress, token: str) -> Mail:
    """Return the mail with the link that confirms the address."""
    with translation.override(address.language):
        link = address.portal + reverse("mail-confirm", args=[address.account_id, token])
        days = LINK_VALID.days
        subject = _("Confirm your email address for %(product)s") % {"product": "doiportal"}
        sentences = [
            _("This address was entered in the account “%(account)s” at %(portal)s.")
            % {"account": plain_text(address.account.get_username(), 150), "portal": address.portal + reverse("home")},
            _("If it was you, open this link and press the button there. Then we can tell you what changes."),
            ngettext(
                "The link works for %(days)s day. If it wasn’t you, do nothing: you won’t get any more emails.",
                "The link works for %(days)s days. If it wasn’t you, do nothing: you won’t get any more emails.",
                days,
            )
            % {"days": days},
        ]
        text = "\n\n".join([*sentences[:2], link, *sentences[2:]]) + "\n"
        context = {"subject": subject, "sentences": sentences, "link": link, "language": address.language}
        return Mail(subject, text, render_to_string("watches/mail/confirmation.html", context))


def _name_part(part: ReportedPart, several: bool) -> str:
    heading = _("Works again") if part.works else _("Broken")
    return f"{heading}: {name_watch(part.watch)}" if several else heading


def _write_text(letter: Mapping[str, Any]) -> str:
    """Return the plain text. Its empty lines count, which the templates of pages don't keep."""
    blocks = [letter["subject"] + "."]
    for heading, rows in letter["sections"]:
        blocks.append(f"{heading}\n{'-' * len(heading)}")
        blocks += ["\n  ".join(filter(None, (f"{row.row}: {row.name}", row.happened, row.advice))) for row in rows]
    if letter["more"]:
        blocks.append(letter["more"])
    blocks.append(_("All changes, and what you can do with the watch:"))
    blocks += [f"{name}\n{address}" for name, address in letter["pages"]]
    blocks += ["-- ", letter["why"], _("Stop all emails:") + "\n" + letter["stop"]]
    return "\n\n".join(blocks) + "\n"
