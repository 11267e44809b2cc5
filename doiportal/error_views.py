"""Errors outside the views (a wrong Host header, a full disk, no database), for programs in the shape of their API."""

import sys
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import loader
from django.views import defaults
from rest_framework.exceptions import APIException, ParseError, PermissionDenied

from doiportal.program_addresses import (
    find_gateway_match,
    is_api_address,
    is_gateway_json_address,
    is_reconcile_address,
)
from resolver.api import errors
from resolver.api.problem_types import ForeignPage
from resolver.gateway import errors as gateway
from resolver.reconcile import errors as reconcile
from resolver.services.storage import storage_errors


def refuse_program(request: HttpRequest, error: APIException, at_gateway: str = "") -> HttpResponse | None:
    """Return an error in the shape of the API that is at the address; None for a page. `at_gateway`: the sentence of
    the gateway, unless it is that of the others."""
    if is_api_address(request):
        return errors.respond_with_problem(error)
    if is_gateway_json_address(request):
        return gateway.build_json_error(request, error.status_code, at_gateway or str(error.detail))
    return reconcile.refuse(HTTPStatus(error.status_code), str(error.detail)) if is_reconcile_address(request) else None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400."""
    refused = refuse_program(request, ParseError(errors.UNREADABLE), at_gateway="The request cannot be read.")
    return refused or defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler500, called while the error is handled: 507 for a full disk, 503 for an absent database."""
    if is_api_address(request):
        return errors.server_error(request)
    error = sys.exc_info()[1]
    if is_gateway_json_address(request):
        return gateway.server_error(request, error)
    if is_reconcile_address(request):
        return reconcile.server_error(error)
    is_link = find_gateway_match(request.path_info) is not None  # the status is that of its JSON, as at doi.org
    if storage_errors.is_unwritable(error):
        return HttpResponse(loader.render_to_string("507.html"), status=500 if is_link else 507)
    if storage_errors.is_store_away(error):
        wait = {"Retry-After": str(storage_errors.RETRY_SECONDS)}
        return HttpResponse(loader.render_to_string("503.html"), status=500 if is_link else 503, headers=wait)
    return defaults.server_error(request)


def refuse_person(request: HttpRequest, why: str) -> HttpResponse:
    """Refuse a person whom a server in front names. `why`: "group" or "account"."""
    refused = refuse_program(request, PermissionDenied(errors.NO_ACCESS))
    return refused or render(request, "registration/no_access.html", {"why": why}, status=403)


def refuse_foreign_origin(request: HttpRequest) -> HttpResponse:
    """Refuse a request that a page of another website has sent, without a session: it sets no cookie."""
    if is_api_address(request):
        return errors.respond_with_problem(ForeignPage())
    return render(request, "403_foreign.html", status=403)
