"""Errors outside the views (a wrong Host header, a full disk, no database), for programs in the shape of their API."""

import sys

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.template import loader
from django.views import defaults

from doiportal.security_headers import GetResponse
from resolver import conf
from resolver.api import errors
from resolver.gateway import errors as gateway
from resolver.services import storage_errors
from resolver.services.jobs.uploads import UploadTooLarge, is_body_too_long

API = "/api/v1/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    if request.path.startswith(API):
        return errors.bad_request(request)
    if gateway.is_json_address(request):
        return gateway.build_json_error(400, "The request cannot be read.")
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500, called while the error is handled: 507 for a full disk, 503 for an absent database."""
    if request.path.startswith(API):
        return errors.server_error(request)
    error = sys.exc_info()[1]
    if gateway.is_json_address(request):
        return gateway.server_error(error)
    if storage_errors.is_disk_full(error):
        return HttpResponse(loader.render_to_string("507.html"), status=507)
    if storage_errors.is_store_away(error):
        return HttpResponse(loader.render_to_string("503.html"), status=503)
    return defaults.server_error(request)


def refuse_foreign_origin(request: HttpRequest) -> HttpResponse:
    """Refuse a request that a page of another web site has sent, without a session: it sets no cookie."""
    if request.path.startswith(API):
        return errors.refuse_cross_site(request)
    return render(request, "403_foreign.html", status=403)


class MethodNotAllowedMiddleware:
    """HTTP 405 as a page: Django's own answer, after a login or a reload, is an empty window."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if isinstance(response, HttpResponseNotAllowed) and not response.content:
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response


class TooLargeMiddleware:
    """HTTP 413 as a page, by the announced length: the web server receives no such body. The API answers itself."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(API) or not is_body_too_long(request.META.get("CONTENT_LENGTH") or ""):
            return self.get_response(request)
        told = str(UploadTooLarge(conf.max_upload_bytes()))
        return HttpResponse(loader.render_to_string("413.html", {"told": told}), status=413)
