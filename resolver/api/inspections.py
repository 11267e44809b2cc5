"""POST inspections: texts read by the standards, without any network."""

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from resolver.api.request_serializers import InspectionsRequest, refuse_unknown
from resolver.api.serializers import InspectionSerializer
from resolver.services.readings import inspect


class Inspections(APIView):
    """Read up to 1,000 texts and say what is wrong with each; nothing is asked and nothing is stored."""

    def post(self, request: Request) -> Response:
        """The answers are in the order of the inputs."""
        refuse_unknown(request)
        body = InspectionsRequest(data=request.data)
        body.is_valid(raise_exception=True)
        readings = [inspect(text) for text in body.validated_data["inputs"]]
        return Response({"results": InspectionSerializer(readings, many=True).data})
