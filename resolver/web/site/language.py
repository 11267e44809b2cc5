"""The language of a page: the one its reader chose, else the first that the browser asks for and we have."""

import re

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

# Programs read these: an answer must not depend on the language of the person who started the program. People read the
# preview of a reconciled DOI.
_FOR_PROGRAMS = re.compile("/(?:(?:api|doiRA|ra)/|reconcile(?:\\Z|/(?!preview)))")
ENGLISH = "en"


class PageLanguage(LocaleMiddleware):
    """Django's middleware for pages only: answers to programs are English and don't vary by header."""

    def process_request(self, request: HttpRequest) -> None:
        if _FOR_PROGRAMS.match(request.path_info):
            translation.activate(ENGLISH)
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        is_redirect = 300 <= response.status_code < 400
        if is_redirect or not is_page or _FOR_PROGRAMS.match(request.path_info):
            return response
        return super().process_response(request, response)


# The form is in the footer of every page, and a token would make each page set a cookie. A forged request can only
# change the language. `set_language` redirects to no other site.
choose = login_not_required(csrf_exempt(require_POST(set_language)))
