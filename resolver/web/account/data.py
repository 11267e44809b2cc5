"""A person's own data: all of it as a file, and its end with the account."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from resolver.services.account_data.archive import build_account_download
from resolver.services.account_data.removal import LastAdministrator, delete_account
from resolver.web.account.forms import AccountDeletionForm
from resolver.web.account.page import get_account


@never_cache
@require_safe
@login_required
def download(request: HttpRequest) -> HttpResponseBase:
    """Everything that is stored for the account, as a ZIP archive."""
    return build_account_download(get_account(request))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def delete(request: HttpRequest) -> HttpResponse:
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
