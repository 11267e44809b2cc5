"""The small page about one DOI that clients show in a frame: no script, and framed by any site."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.clickjacking import xframe_options_exempt

from resolver import conf
from resolver.domain.report.outcome import COULD_NOT_ASK
from resolver.domain.report.report import is_safe_link
from resolver.reconcile.client import ReconcileClient
from resolver.reconcile.decorators import reconcile_view
from resolver.reconcile.errors import ReconcileError
from resolver.reconcile.views import RETRY_AFTER_SECONDS, get_page, get_text_of
from resolver.services.lookups.check_batch import check_batch
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.waiting_places import LONGEST_LOOKUP
from resolver.services.storage.clock import read_clock

# Only for this address: no other page of the portal may be framed by another site. Nothing on it changes anything when
# it is clicked, and a link opens a window of its own.
POLICY = "; ".join(
    f"{directive} {' '.join(sources)}"
    for directive, sources in {
        **settings.SECURE_CSP,
        "script-src": ["'none'"],
        "connect-src": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["*"],
    }.items()
)


@xframe_options_exempt
@reconcile_view()
def show_preview(request: HttpRequest, *, client: ReconcileClient) -> HttpResponse:
    """Answer with what is known about the DOI `id`. Nothing is stored in a history."""
    name = request.GET.get("id", "")
    if not name or len(name) > conf.max_cell():
        raise ReconcileError(HTTPStatus.BAD_REQUEST, "The parameter id must be a DOI.")
    client.count(1)
    (checked,) = check_batch(
        [get_text_of(name)],
        proxy=proxy_from_settings(),
        now=read_clock(),
        agencies=True,
        guesses=False,
        longest=LONGEST_LOOKUP,
    )
    report = checked.report
    unknown = report.outcome in COULD_NOT_ASK
    context = {
        "name": name,
        "report": report,
        "outcome": str(report.outcome),
        "urls": [(url, is_safe_link(url)) for url in report.urls[:3]],
        "page": get_page(request, name),
        "sample_data": conf.sample_data(),
    }
    status = HTTPStatus.SERVICE_UNAVAILABLE if unknown else HTTPStatus.OK
    response = HttpResponse(render_to_string("reconcile/preview.html", context), status=status)
    response["Content-Security-Policy"] = POLICY
    if unknown:
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response
