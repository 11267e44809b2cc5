"""Logging in and out, and the door that is shut when the portal is not open to all."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth import views
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from resolver import conf
from resolver.services.owners import owner_of
from resolver.web.watching import out_of_sight


class LoginWhenClosed(LoginRequiredMiddleware):
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
