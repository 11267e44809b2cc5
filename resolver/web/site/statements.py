"""The statements of the portal: on privacy, by its settings, and on accessibility."""

import math
from datetime import date, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from resolver import conf
from resolver.domain.agencies.metadata_services import AGENCIES_BY_HOST
from resolver.services.accounts import quotas
from resolver.services.doi_limits import window_counts
from resolver.services.http import idempotent_requests
from resolver.services.jobs import drafts
from resolver.services.logins import attempts, known_browsers
from resolver.services.maintenance import cleanup
from resolver.services.webhooks import deliveries
from resolver.services.works.search import list_search_hosts


@login_not_required  # people read it before they log in
@require_safe
def show_privacy(request: HttpRequest) -> HttpResponse:
    """What is stored, for how long, which cookies there are, who else gets something, and whom to ask."""
    keep = conf.retention_period()
    contact = settings.PRIVACY_CONTACT or settings.CONTACT_EMAIL
    mirror = urlsplit(settings.METADATA_SERVICE_URL).hostname
    return render(
        request,
        "site/privacy.html",
        {
            "keep_days": keep.days if keep else 0,
            "quota_days": quotas.KEPT.days,
            "draft_days": drafts.KEPT_FOR.days,
            "comparison_days": cleanup.COMPARISON_LIFETIME.days,
            "delivery_days": deliveries.KEPT.days,
            "answer_days": idempotent_requests.KEPT.days,
            "record_hours": math.ceil(conf.answer_lifetime() / timedelta(hours=1)),
            "login_days": conf.session_lifetime().days,
            "session_cookie": settings.SESSION_COOKIE_NAME,
            "form_cookie": settings.CSRF_COOKIE_NAME,
            "language_cookie": settings.LANGUAGE_COOKIE_NAME,
            "browser_cookie": settings.KNOWN_BROWSER_COOKIE_NAME,
            "messages_cookie": settings.MESSAGES_COOKIE_NAME,
            "session_days": settings.SESSION_COOKIE_AGE // 86400,
            "form_days": settings.CSRF_COOKIE_AGE // 86400,
            "language_days": settings.LANGUAGE_COOKIE_AGE // 86400,
            "browser_days": known_browsers.COOKIE_SECONDS // 86400,
            "password_minutes": round(attempts.WINDOW_SECONDS / 60),
            "doi_seconds": window_counts.MINUTE,
            "sends_mail": conf.sends_mail(),
            "proxy": urlsplit(settings.DOI_PROXY_URL).hostname,
            "metadata": settings.METADATA,
            "metadata_hosts": sorted(AGENCIES_BY_HOST) + ([mirror] if mirror else []),
            "search_hosts": list_search_hosts(),
            "search_days": conf.metadata_lifetime().days,
            "sentry": urlsplit(settings.SENTRY_DSN).hostname,
            "host_checks": settings.HOST_CHECKS,
            "is_named_elsewhere": bool(settings.REMOTE_USER_HEADER),
            "providers": [name for name in (settings.OIDC_NAME, settings.SAML_NAME) if name],
            "contact": contact,
            "contact_is_page": "://" in contact,
        },
    )


STATED = date(2026, 11, 22)
"""When the statement was last compared with the tests."""


@login_not_required  # a barrier may be in front of the login
@require_safe
def show_accessibility(request: HttpRequest) -> HttpResponse:
    """What was done for accessibility, what was tested, and how to report a barrier."""
    context = {"stated": STATED, "contact": settings.CONTACT_EMAIL}
    return render(request, "site/accessibility.html", context)
