"""Which language a page speaks: the one that its reader chose, else the first that the browser asks for and we have."""

import re

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

# Files of results have no text that is translated. Programs read these, and a program's answer must not hang on the
# language of whoever started it.
_FOR_PROGRAMS = re.compile("/(?:api|doiRA|ra)/")
ENGLISH = "en"


class PageLanguage(LocaleMiddleware):
    """Django's own, for pages alone: what programs read stays English, and says of no header that it hangs on it."""

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


# A form in the footer of every page: with a token each page would set a cookie, and what a stranger could bring about
# is that a page speaks another of our languages. `set_language` goes to no address outside of the portal.
choose = login_not_required(csrf_exempt(require_POST(set_language)))
