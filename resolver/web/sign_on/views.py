"""The two addresses of a login by OpenID Connect: its start, and where the provider sends the browser back to."""

from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from resolver import conf
from resolver.proxy.identity_requests import IdentityRequestError
from resolver.web.sign_on.login import own_address
from resolver.web.sign_on.openid_connect import PortalOidcAdapter, build_provider
from resolver.web.sign_on.refusals import refuse_failure


@login_not_required
@never_cache
@require_POST
def start_oidc(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider, by a page: after a form, browsers follow a redirect only to where the policy of
    the page lets forms go, and the provider may redirect further."""
    _check_is_set()
    provider = build_provider(request)
    try:
        answer = provider.redirect(
            request, process="login", next_url=own_address(request, request.POST.get("next")) or None
        )
    except (IdentityRequestError, ProviderException) as error:
        return refuse_failure(request, provider.name, error)
    if not isinstance(answer, HttpResponseRedirect):
        return answer
    return render(request, "registration/to_provider.html", {"address": answer.url, "name": provider.name})


@login_not_required
@never_cache
@require_GET
def finish_oidc(request: HttpRequest) -> HttpResponse:
    """Where the provider sends the browser back to, with a code or an error."""
    _check_is_set()
    adapter = PortalOidcAdapter(request)
    try:
        return OAuth2CallbackView.adapter_view(adapter)(request)
    except (IdentityRequestError, ProviderException) as error:  # of what the provider says of itself
        return refuse_failure(request, conf.oidc_name(), error)


def _check_is_set() -> None:
    if not conf.oidc_server_url():
        raise Http404
