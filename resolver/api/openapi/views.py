"""The index of the API, its OpenAPI document, and the page that shows it."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import patch_vary_headers
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from resolver.api.openapi.docs_page import read_docs_page
from resolver.api.openapi.document import FILE, MEDIA_TYPE, read_document
from resolver.api.openapi.operations import PAGE, operation
from resolver.api.protocol.etags import TaggedView
from resolver.services.http.first_commands import describe_access


class IndexSerializer(serializers.Serializer[Any]):
    """The addresses of the API."""

    agencies = serializers.URLField(help_text="The Registration Agencies.")
    inspections = serializers.URLField(help_text="Send texts here to read them without the network.")
    jobs = serializers.URLField(help_text="Your jobs. Send a list here to check it.")
    lookups = serializers.URLField(help_text="Your lookups. Send a text here to look up its DOI.")
    watches = serializers.URLField(help_text="Your watches: lists that are checked again by themselves.")
    webhooks = serializers.URLField(help_text="The webhooks of your account.")
    schema = serializers.URLField(help_text="The OpenAPI document.")
    docs = serializers.URLField(help_text="The web page that shows the OpenAPI document.")


class Index(APIView):
    """Where everything is."""

    @operation(
        "getIndex",
        "API",
        "List the endpoints",
        answer=IndexSerializer,
        says="The address of each collection.",
    )
    def get(self, request: Request) -> Response:
        """Return the addresses, as the caller can reach them."""
        return Response({name: reverse(f"api:{name}", request=request) for name in IndexSerializer().fields})


class Schema(TaggedView):
    """The OpenAPI document."""

    @operation(
        "getSchema",
        "API",
        "Get the OpenAPI document",
        answer={"type": "object", "description": "An OpenAPI 3.1 document."},
        media_type=MEDIA_TYPE,
        says="The description of the API, for programs.",
        tagged=True,
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the file, which a test compares with the views."""
        return HttpResponse(read_document(), content_type=MEDIA_TYPE)


class Docs(APIView):
    """The page that shows the OpenAPI document, for people."""

    @operation(
        "getDocs",
        "API",
        "Get the web page about the API",
        answer={"type": "string"},
        media_type=PAGE,
        says="The page.",
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the page."""
        return _show(request, "api/docs.html")


class DocsOfObjects(APIView):
    """The page that shows the objects of the OpenAPI document, for people."""

    @operation(
        "getDocsOfObjects",
        "API",
        "Get the web page about the objects of the API",
        answer={"type": "string"},
        media_type=PAGE,
        says="The page.",
    )
    def get(self, request: Request) -> HttpResponse:
        """Return the page."""
        return _show(request, "api/objects.html")


def _show(request: Request, template: str) -> HttpResponse:
    """Return the page, without scripts, in the language of its reader: the API itself speaks English."""
    language = translation.get_language_from_request(request)
    with translation.override(language):
        needs_none = settings.DOIPORTAL_OPEN and not request.user.is_authenticated
        context = {
            "page": read_docs_page(FILE),
            "token": "" if needs_none else "YOUR_TOKEN",
            "contact": settings.CONTACT_EMAIL,
            "limit": settings.API_DOIS_PER_MINUTE,
        }
        response = render(request, template, {**context, **describe_access(request)})
    response.headers["Content-Language"] = language
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response
