"""Logging in, changing a password, and the door that is shut when the portal is not open to all."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth import authenticate, views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from resolver import conf
from resolver.services.logins.attempts import TooMany
from resolver.services.logins.known_browsers import remember
from resolver.services.logins.password_hasher import TooManyHashes
from resolver.services.owners import owner_of
from resolver.web.site.form_fields import DescribedForm
from resolver.web.site.polling import out_of_sight


class LoginRequiredUnlessOpen(LoginRequiredMiddleware):
    """With DOIPORTAL_OPEN=0 every page demands a login, but those that say `login_not_required`.

    The REST face answers for itself (401, not a redirect): DRF marks its views so. So do we where an open page asks for
    a part of itself (htmx): it would follow the redirect, and put the whole page of the login into its middle.
    """

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase], view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        if conf.open_to_all():
            return None
        refused = super().process_view(request, view_func, view_args, view_kwargs)
        if refused is not None and "HX-Request" in request.headers:
            return out_of_sight(request)
        return refused


class Login(views.LoginView):
    """What was stored in this browser before the login becomes the user's."""

    redirect_authenticated_user = True
    extra_context = {"here": "login"}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        owner_of(self.request)
        return response


class NewPasswordForm(PasswordChangeForm, DescribedForm):
    """The current password counts as an attempt to log in: who finds a browser logged in may not guess it here."""

    hints = {
        "new_password1": gettext_lazy("Use at least 8 characters. Don't use your username or a common password."),
        "new_password2": "",
    }

    def __init__(self, user: Any, *args: Any, request: HttpRequest, **options: Any) -> None:
        """Raises TooMany and Busy where it is bound."""
        self._request = request
        super().__init__(user, *args, **options)

    def describe(self) -> None:
        """In our words, before the labels are read for the first time."""
        self.fields["old_password"].label = gettext_lazy("Current password")
        self.fields["new_password2"].label = gettext_lazy("New password again")
        super().describe()

    def clean_old_password(self) -> str:
        password = self.cleaned_data["old_password"]
        if authenticate(self._request, username=self.user.get_username(), password=password) is None:
            raise ValidationError(_("This isn't your current password."), code="password_incorrect")
        return str(password)


class ChangePassword(views.PasswordChangeView):
    """Other browsers are logged out by it: a session holds for the password that it began with."""

    form_class = NewPasswordForm
    template_name = "registration/change_password.html"
    success_url = reverse_lazy("home")
    extra_context = {"here": "password"}

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Your password has changed. Other browsers are logged out."))
        return response


class BoundedLogins:
    """Makes a page of a password that was not looked at, whatever form it came from, and remembers the browser in which
    somebody has logged in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if account := getattr(request, "logged_in_as", ""):
            remember(response, account)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """429 or 503, with the time to wait."""
        match error:
            case TooMany():
                context = {"minutes": -(-error.seconds // 60)}
                response = render(request, "registration/too_many_attempts.html", context, status=429)
            case TooManyHashes():
                response = render(request, "registration/busy.html", status=503)
            case _:
                return None
        response["Retry-After"] = str(error.seconds)
        add_never_cache_headers(response)
        return response
