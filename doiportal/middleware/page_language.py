"""The language of an answer: for pages the one that the reader chose, else the first that the browser asks for and we
have."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

from doiportal.program_addresses import is_in_english

ENGLISH = "en"


class PageLanguage(LocaleMiddleware):
    """Django's middleware for pages only: answers to programs are English and don't vary by header."""

    def process_request(self, request: HttpRequest) -> None:
        if is_in_english(request):
            translation.activate(ENGLISH)
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        is_redirect = 300 <= response.status_code < 400
        if is_redirect or not is_page or is_in_english(request):
            return response
        return super().process_response(request, response)
