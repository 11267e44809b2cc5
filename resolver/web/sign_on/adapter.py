"""What django-allauth calls while a person logs in at a provider: it never shows a page of its own."""

from typing import Any, NoReturn

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.http import HttpRequest

from resolver import conf
from resolver.proxy.identity_requests import is_away, open_identity_session
from resolver.web.sign_on.finish_login import finish_login, refuse_failure


class SignOnAdapter(DefaultSocialAccountAdapter):
    """Every login ends here: allauth has checked what the provider says, and does nothing after these two calls."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> NoReturn:
        """Log the person in, or refuse. Always raises ImmediateHttpResponse, with the answer."""
        provider, wanted = sociallogin.provider, sociallogin.state.get("next")
        answer = finish_login(request, provider.name, sociallogin.identity, provider.rights, wanted)
        raise ImmediateHttpResponse(answer)

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, exception: Any = None, extra_context: Any = None
    ) -> NoReturn:
        """Always raises ImmediateHttpResponse, with a page that says what to do."""
        said = exception or request.GET.get("error", "")
        if request.GET.get("error") == "access_denied":
            why = "denied"
        elif "state" not in (extra_context or {}):  # this browser began no such login, or has ended it
            why = "used"
        else:
            why = "away" if is_away(exception) else "unusable"
        raise ImmediateHttpResponse(refuse_failure(request, provider.name, why, said))

    def get_requests_session(self) -> Any:
        """Return the session for all requests to the provider."""
        return open_identity_session(conf.user_agent())

    def list_apps(self, request: HttpRequest, provider: Any = None, client_id: Any = None) -> list[Any]:
        """Return no provider: the database has none, and those of the environment are found by name."""
        return []
