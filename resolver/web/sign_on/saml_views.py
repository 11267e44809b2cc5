"""The addresses of a login by SAML: its start, where the provider has the browser send its answer, the end, and the
metadata of the portal.

The answer comes as a form of another site, without the cookie of the session. So its address (`receive_saml_answer`)
reads no session and shows no page: it checks the answer, keeps it for a moment, and sends the browser with the cookie
to `finish_saml_login`."""

from types import ModuleType

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST, require_safe

from resolver.proxy.identity_requests import IdentityRequestError, is_away
from resolver.services.logins.group_rights import GroupRights
from resolver.web.sign_on.finish_login import (
    STATUS,
    finish_login,
    keep_own_address,
    log_failure,
    refuse_failure,
    send_to_provider,
    show_failure,
)


@login_not_required
@never_cache
@require_POST
def start_saml_login(request: HttpRequest) -> HttpResponse:
    """Send the browser to the provider."""
    saml = _load_saml()
    try:
        address = saml.begin_login(request, keep_own_address(request, request.POST.get("next")))
    except (IdentityRequestError, saml.UnusableAnswer) as error:
        return refuse_failure(request, settings.SAML_NAME, _find_reason(error), error)
    return send_to_provider(request, settings.SAML_NAME, address)


@csrf_exempt  # the signature of the provider replaces the token of a form, and `finish_saml_login` checks the browser
@login_not_required
@never_cache
@require_POST
def receive_saml_answer(request: HttpRequest) -> HttpResponse:
    """Check the answer of the provider, and send the browser to the end of the login."""
    saml = _load_saml()
    try:
        sent = {"answer": saml.keep_answer(saml.read_answer(request))}
    except (IdentityRequestError, saml.UnusableAnswer) as error:
        why = _find_reason(error)
        log_failure(settings.SAML_NAME, why, error)
        sent = {"failed": why}
    return redirect(f"{reverse('saml-finish')}?{urlencode(sent)}")


@login_not_required
@never_cache
@require_GET
def finish_saml_login(request: HttpRequest) -> HttpResponse:
    """Log the person in, if this browser began the login."""
    saml = _load_saml()
    failed = request.GET.get("failed")
    if failed in STATUS:
        return show_failure(request, settings.SAML_NAME, failed)
    answer = saml.take_answer(request.GET.get("answer", ""))
    state = saml.end_login(request, answer.in_response_to) if answer else None
    if answer is None or state is None:
        return refuse_failure(request, settings.SAML_NAME, "used", "this browser waits for no such answer")
    rights = GroupRights(settings.SAML_USER_GROUPS, settings.SAML_ADMIN_GROUPS)
    return finish_login(request, settings.SAML_NAME, answer.identity, rights, state.get("next"))


@login_not_required
@never_cache
@require_safe
def show_saml_metadata(request: HttpRequest) -> HttpResponse:
    """The metadata of the portal, for the provider."""
    saml = _load_saml()
    try:
        content = saml.build_metadata(request)
    except saml.UnusableAnswer as error:  # the files of the portal's keys
        return refuse_failure(request, settings.SAML_NAME, "unusable", error)
    return HttpResponse(content, content_type="application/samlmetadata+xml")


def _find_reason(error: Exception) -> str:
    return "away" if is_away(error) else getattr(error, "why", "unusable")


def _load_saml() -> ModuleType:
    """Import the module only if SAML is set up, because it loads the libraries for XML and signatures. Return it."""
    if not settings.SAML_IDP_METADATA:
        raise Http404
    from resolver.web.sign_on import saml

    return saml
