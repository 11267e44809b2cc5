"""The two addresses of a login by OpenID Connect: its start, and where the provider sends the browser back to."""

from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from resolver.proxy.identity_requests import IdentityRequestError, is_away
from resolver.web.sign_on.finish_login import keep_own_address, refuse_failure, send_to_provider
from resolver.web.sign_on.oidc_provider import PortalOidcAdapter, build_provider


@login_not_required
@never_cache
@require_POST
def start_oidc_login(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider."""
    _check_is_set()
    wanted = keep_own_address(request, request.POST.get("next")) or None
    try:
        answer = build_provider(request).redirect(request, process="login", next_url=wanted)
    except (IdentityRequestError, ProviderException) as error:
        return _refuse(request, error)
    is_redirect = isinstance(answer, HttpResponseRedirect)
    return send_to_provider(request, settings.OIDC_NAME, answer.url) if is_redirect else answer


@login_not_required
@never_cache
@require_GET
def finish_oidc_login(request: HttpRequest) -> HttpResponse:
    """Where the provider sends the browser back to, with a code or an error."""
    _check_is_set()
    try:
        answer: HttpResponse = OAuth2CallbackView.adapter_view(PortalOidcAdapter(request))(request)
        return answer
    except (IdentityRequestError, ProviderException) as error:  # of what the provider says of itself
        return _refuse(request, error)


def _refuse(request: HttpRequest, error: Exception) -> HttpResponse:
    return refuse_failure(request, settings.OIDC_NAME, "away" if is_away(error) else "unusable", error)


def _check_is_set() -> None:
    if not settings.OIDC_SERVER_URL:
        raise Http404
