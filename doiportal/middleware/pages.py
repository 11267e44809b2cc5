"""Middlewares for pages: their language, and HTTP 405, 411 and 413 where no view can answer."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import render
from django.template import loader
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from doiportal.error_views import refuse_program
from doiportal.program_addresses import is_api_address, is_gateway_json_address, is_in_english, is_reconcile_address
from resolver.api.problem_types import LengthRequired
from resolver.gateway import errors as gateway
from resolver.reconcile import errors as reconcile
from resolver.services.uploads.stored_uploads import UploadTooLarge, is_body_too_long


class MethodNotAllowedMiddleware(MiddlewareMixin):
    """HTTP 405 as a page: Django's own answer, after a login or a reload, is an empty window."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response


class BodyLengthMiddleware(MiddlewareMixin):
    """HTTP 411 and 413, by the announced length: the web server receives no such body, and a view would find none. The
    API answers 413 itself."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        # Also with a length: the web server hands on no body that has an encoding.
        if request.META.get("HTTP_TRANSFER_ENCODING") and request.method not in ("GET", "HEAD", "OPTIONS"):
            text = HttpResponse(LengthRequired.default_detail, "text/plain", HTTPStatus.LENGTH_REQUIRED)
            return refuse_program(request, LengthRequired()) or text
        if is_api_address(request) or not is_body_too_long(request.META.get("CONTENT_LENGTH") or ""):
            return None
        if is_reconcile_address(request):
            longest = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            wrong = f"The body is larger than the limit of {longest:,} bytes."
            return reconcile.refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, wrong)
        if is_gateway_json_address(request):
            return gateway.build_json_error(request, 413, "The body is too large. This address takes none.")
        sentence = str(UploadTooLarge(settings.MAX_UPLOAD_BYTES))
        return HttpResponse(loader.render_to_string("413.html", {"sentence": sentence}), status=413)


class PageLanguage(LocaleMiddleware):
    """Django's middleware for pages only: answers to programs are English and don't vary by header."""

    def process_request(self, request: HttpRequest) -> None:
        if is_in_english(request):
            translation.activate("en")
        else:
            super().process_request(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        is_redirect = 300 <= response.status_code < 400
        if is_redirect or not is_page or is_in_english(request):
            return response
        return super().process_response(request, response)
