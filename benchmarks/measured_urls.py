"""All addresses of the portal, and two views that do nothing beside them: Django's and REST framework's."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"{}", content_type="application/json")


class EmptyRest(APIView):
    """What every view of the API costs: the login, the permissions, the JSON."""

    def get(self, request: Request) -> Response:
        return Response({})


urlpatterns = [
    path("measured/empty", empty),
    path("measured/empty-rest", EmptyRest.as_view()),
    path("", include("doiportal.urls")),
]
