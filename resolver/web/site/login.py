"""Login, password change, and the middleware that requires a login."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, views
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.cache import add_never_cache_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from resolver.services.accounts.owners import follow_login, give_session_to
from resolver.services.logins.attempts import TooManyGuesses
from resolver.services.logins.known_browsers import remember_browser
from resolver.services.logins.password_hasher import TooManyHashes
from resolver.web.site.polling import stop_polling

NO_USERNAME = gettext_lazy("Enter your username.")
NO_CURRENT_PASSWORD = gettext_lazy("Enter your current password.")


class LoginRequiredUnlessOpen(LoginRequiredMiddleware):
    """With DOIPORTAL_OPEN=0 every page requires a login, except views marked `login_not_required`. REST answers 401
    instead: DRF marks its views. A page that polls a part of itself (htmx) gets that part, because it would follow a
    redirect and insert the whole login page. For a link whose answer goes into the page, htmx goes to the login
    itself."""

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase], view_args: Any, view_kwargs: Any
    ) -> HttpResponseBase | None:
        if settings.DOIPORTAL_OPEN:
            return None
        refused = super().process_view(request, view_func, view_args, view_kwargs)
        if refused is None or "HX-Request" not in request.headers:
            return refused
        polled = request.resolver_match is not None and request.resolver_match.url_name == "job-progress"
        return stop_polling(request) if polled else HttpResponse(headers={"HX-Redirect": refused["Location"]})


class LoginForm(AuthenticationForm):
    """The login form. A wrong name and a wrong password get the same sentence, which doesn't show which names exist."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": gettext_lazy(
            "Wrong username or password. Check upper and lower case. "
            "If you have forgotten your password, contact the people who run this portal."
        ),
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["username"].error_messages["required"] = NO_USERNAME
        self.fields["password"].error_messages["required"] = gettext_lazy("Enter your password.")

    def get_invalid_login_error(self) -> ValidationError:
        """Add where people with an account at a provider log in: that password doesn't work here."""
        hint = _("If your account belongs to %(provider)s, use its button instead.")
        hints = [hint % {"provider": name} for name in (settings.OIDC_NAME, settings.SAML_NAME) if name]
        return ValidationError(" ".join([str(self.error_messages["invalid_login"]), *hints]), code="invalid_login")


class Login(views.LoginView):
    """The login. Everything stored in this browser before becomes the user's."""

    form_class = LoginForm
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(oidc_name=settings.OIDC_NAME, saml_name=settings.SAML_NAME, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        with give_session_to(self.request, form.get_user()):
            return super().form_valid(form)


def check_current_password(request: HttpRequest, user: Any, password: str) -> str:
    """Return the password if it is the user's. Raises ValidationError, TooManyGuesses and TooManyHashes."""
    if authenticate(request, username=user.get_username(), password=password) is None:
        raise ValidationError(_("This isn’t your current password."), code="password_incorrect")
    return password


class NewPasswordForm(PasswordChangeForm):
    """The form for a new password. A wrong current password counts as a login attempt, so that someone who finds a
    browser logged in can't guess it here."""

    def __init__(self, user: Any, *args: Any, request: HttpRequest, **options: Any) -> None:
        """Raises TooManyGuesses and TooManyHashes if it is bound."""
        self._request = request
        super().__init__(user, *args, **options)
        self.fields["old_password"].label = gettext_lazy("Current password")
        self.fields["new_password2"].label = gettext_lazy("New password again")
        self.fields["new_password2"].help_text = ""
        self.fields["old_password"].error_messages["required"] = NO_CURRENT_PASSWORD
        self.fields["new_password1"].error_messages["required"] = gettext_lazy("Enter a new password.")
        self.fields["new_password2"].error_messages["required"] = gettext_lazy("Enter the new password again.")
        self.fields["new_password1"].help_text = gettext_lazy(
            "Use at least 8 characters. Don’t use your username or a common password."
        )

    def clean_old_password(self) -> str:
        return check_current_password(self._request, self.user, self.cleaned_data["old_password"])


class ChangePassword(views.PasswordChangeView):
    """The password change. It logs out all other browsers: a session is valid for one password."""

    form_class = NewPasswordForm
    template_name = "registration/change_password.html"
    success_url = reverse_lazy("home")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Your password has changed. Other browsers are logged out."))
        return response


class BoundedLogins(MiddlewareMixin):
    """Turn a password that was not checked into a page, from any form, and remember browsers that logged in. What a
    request stores while its browser logs in becomes the user's."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if account := getattr(request, "logged_in_as", ""):
            remember_browser(response, account)
        # Who has stored something has looked for its owner. Another look would make the answer vary by cookie.
        if request.method == "POST" and request.session.accessed:
            follow_login(request)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return 429 or 503 with `Retry-After`."""
        match error:
            case TooManyGuesses():
                context = {"minutes": -(-error.seconds // 60)}
                response = render(request, "registration/too_many_attempts.html", context, status=429)
            case TooManyHashes():
                response = render(request, "registration/busy.html", status=503)
            case _:
                return None
        response["Retry-After"] = str(error.seconds)
        add_never_cache_headers(response)
        return response
