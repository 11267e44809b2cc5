"""The email address of an account: entered, confirmed by a link, removed, and its mails stopped by another link."""

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required, login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from resolver import conf
from resolver.services.storage.clock import read_clock
from resolver.services.watches import mail_addresses
from resolver.services.watches.mails import MailNotSent, send_mail
from resolver.web.account.forms import MailAddressForm
from resolver.web.account.page import get_account, render_account
from resolver.web.watches.mail import write_confirmation


@never_cache
@require_POST
@login_required
def change_mail_address(request: HttpRequest) -> HttpResponse:
    """Store an address, and send the link that confirms it."""
    if not conf.sends_mail():
        raise Http404
    form = MailAddressForm(request.POST)
    if form.is_valid():
        try:
            stored, token = mail_addresses.set_address(
                get_account(request),
                form.cleaned_data["address"],
                portal=request.build_absolute_uri("/"),
                language=get_language() or "en",
                now=read_clock(),
            )
            send_mail(write_confirmation(stored, token), stored.pending_address)
        except mail_addresses.LinkSentRecently:
            form.add_error("address", _("We sent a link a moment ago. Wait a minute before you ask for another one."))
        except mail_addresses.TooManyLinks:
            sentence = _("We sent %(most)s links within a day, the most possible. Try again tomorrow.")
            form.add_error("address", sentence % {"most": mail_addresses.MOST_LINKS})
        except MailNotSent:
            sentence = _("The mail server didn’t accept the email. Check the address, and try again in a minute.")
            form.add_error("address", sentence)
        else:
            messages.success(request, _("We sent you a link. Open it to confirm the address."))
            return redirect("account")
    return render_account(request, mail_form=form, status=422)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def remove_mail_address(request: HttpRequest) -> HttpResponse:
    """Ask for confirmation, then delete the address."""
    if request.method != "POST":
        return render(request, "account/confirm_mail_removal.html", {})
    mail_addresses.delete_address(get_account(request))
    messages.success(request, _("Your email address is removed. You won’t get any more emails."))
    return redirect("account")


@login_not_required  # the link may be opened where its reader isn't logged in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_mail_address(request: HttpRequest, account: int, token: str) -> HttpResponse:
    """Show a button, which confirms the address: programs that look at the links of mails only open them."""
    if account >= 2**31:  # more than the database can compare
        raise Http404
    if request.method != "POST":
        return render(request, "watches/mail_confirm.html", {})
    done = mail_addresses.confirm_address(account, token, read_clock()) is not None
    return render(request, "watches/mail_confirm.html", {"done": done, "failed": not done}, status=200 if done else 422)


@login_not_required
@csrf_exempt  # the token in the address is the permission; a mail program sends no other (RFC 8058)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show a button that stops all mails. The answer is the same for every token, so it doesn't show which exist."""
    if request.method == "POST":
        found = mail_addresses.find_by_stop_token(token)
        if found is not None:
            mail_addresses.stop_mails(found, read_clock())
    return render(request, "watches/mail_stop.html", {"done": request.method == "POST"})
