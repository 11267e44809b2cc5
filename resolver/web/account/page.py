"""The account page: API tokens, all data as a file, and the end of the account."""

from typing import cast

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from resolver import conf
from resolver.models import TokenScope
from resolver.services.account_data.archive import build_account_download
from resolver.services.account_data.removal import LastAdministrator, delete_account
from resolver.services.accounts.owners import get_user_owner
from resolver.services.accounts.quotas import list_quotas
from resolver.services.http.first_commands import describe_access
from resolver.services.logins import api_tokens
from resolver.services.storage.clock import read_clock
from resolver.services.watches.mail_addresses import find_address
from resolver.web.account.forms import SCOPES, AccountDeletionForm, MailAddressForm, TokenForm


@never_cache
@require_safe
@login_required
def show_account(request: HttpRequest) -> HttpResponse:
    """The account's tokens, and the form for a new one."""
    return render_account(request)


@never_cache
@require_POST
@login_required
def create_token(request: HttpRequest) -> HttpResponse:
    """Create a token, and show its key on this page only: it isn't stored, so a redirect couldn't show it. A form that
    is sent twice is refused the second time, because its name is taken."""
    form = TokenForm(request.POST)
    key, scope = "", None
    if form.is_valid():
        name, scope, days = (form.cleaned_data[field] for field in ("name", "scope", "days"))
        try:
            _token, key = api_tokens.create_token(get_account(request), name, scope, now=read_clock(), days=days)
        except api_tokens.TokenNameTaken:
            form.add_error("name", _("You have a token with this name. Use another name, or revoke that token."))
        except api_tokens.TooManyTokens:
            most = api_tokens.MOST_TOKENS
            form.add_error(None, _("You have {most} tokens, the most possible. Revoke one first.").format(most=most))
        else:
            form = TokenForm()
    return render_account(request, form, key=key, scope=scope, status=422 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask, then revoke."""
    token = api_tokens.list_tokens(get_account(request)).filter(pk=pk).first()
    if token is None:
        raise Http404
    if request.method != "POST":
        return render(request, "account/confirm_revoke.html", {"token": token})
    api_tokens.revoke_token(token)
    messages.success(request, _("The token “{name}” was revoked. Its key no longer works.").format(name=token.name))
    return redirect("account")


def render_account(
    request: HttpRequest,
    form: TokenForm | None = None,
    *,
    key: str = "",
    scope: TokenScope | None = None,
    mail_form: MailAddressForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Return the page, with these forms if they were sent, and with a new token's key and scope."""
    now, owner = read_clock(), get_user_owner(request.user)
    tokens = [
        (token, SCOPES[TokenScope(token.scope)], token.ends_at is not None and token.ends_at <= now)
        for token in api_tokens.list_tokens(get_account(request))
    ]
    context = {"form": form or TokenForm(), "key": key, "tokens": tokens, "quotas": list_quotas(owner, now)}
    context |= {**describe_access(request), "reads": scope == TokenScope.READ}
    if conf.sends_mail():
        stored = find_address(owner)
        initial = {"address": stored.pending_address or stored.address if stored else ""}
        context |= {"mail_address": stored, "mail_form": mail_form or MailAddressForm(initial=initial)}
    return render(request, "account/page.html", context, status=status)


def get_account(request: HttpRequest) -> User:
    """Return the account of a person who is logged in."""
    return cast(User, request.user)


@never_cache
@require_safe
@login_required
def download_account_data(request: HttpRequest) -> HttpResponseBase:
    """Everything that is stored for the account, as a ZIP archive."""
    return build_account_download(get_account(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def close_account(request: HttpRequest) -> HttpResponse:
    """Ask for the password or the name, then delete the account with all its data."""
    form = AccountDeletionForm(request.POST if request.method == "POST" else None, request=request)
    if form.is_valid():
        try:
            delete_account(get_account(request))
        except LastAdministrator:
            form.add_error(None, _("This is the only account that can administer the portal. Make another one first."))
        else:
            logout(request)
            messages.success(request, _("Your account and everything that was stored for it are deleted."))
            return redirect("home")
    return render(request, "account/confirm_delete.html", {"form": form}, status=422 if form.errors else 200)
