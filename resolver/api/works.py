"""Comparisons of rows with the works that their DOIs stand for."""

from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from resolver.api.openapi.operations import operation
from resolver.api.problem_types import InvalidInput, TooManyRequestedDois
from resolver.api.protocol.doi_limit import CountedView
from resolver.api.serializers.works import WorkComparisonsSerializer, WorksRequestSerializer
from resolver.domain.work.comparison import compare_works
from resolver.domain.work.evidence import COULD_NOT_ASK, WorkComparison
from resolver.domain.work.metadata import read_csl_item
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.proxy_answers.configured_services import services_from_settings
from resolver.services.storage.clock import read_clock
from resolver.services.works.comparisons import compare_rows


class WorkComparisons(CountedView):
    """Compare up to 50 rows with the works that their DOIs stand for. Nothing is stored in the history."""

    changes_nothing = True

    @operation(
        "compareWorks",
        "Works",
        "Compare rows with the works of their DOIs",
        description="Say for each row whether its DOI stands for the work that the row describes. Of an item with "
        "`doi` only the DOI is sent, to its agency. For an item with `record` nothing is requested or counted.",
        body=WorksRequestSerializer,
        changes=True,
        answer=WorkComparisonsSerializer,
        says="A comparison for each item, in your order.",
        errors=[TooManyRequestedDois],
    )
    def post(self, request: Request) -> Response:
        """Return the comparisons in the order of the items."""
        items = WorksRequestSerializer.parse(request.data)["items"]
        asked = [(item["row"], item["doi"]) for item in items if "doi" in item]
        if asked and not settings.METADATA:
            raise InvalidInput(errors={"items": ["This portal requests no metadata. Send record in place of doi."]})
        if asked:
            self.count(request, len(asked), field="items")
        now = read_clock()
        found = iter(compare_rows(asked, proxy=proxy_from_settings(), services=services_from_settings(), now=now))
        compared = [
            next(found) if "doi" in item else compare_works(item["row"], read_csl_item(item["record"], ""))
            for item in items
        ]
        return Response({"results": [_represent(one) for one in compared]})


def _represent(compared: Any) -> dict[str, Any]:
    if not isinstance(compared, WorkComparison):
        return {"verdict": COULD_NOT_ASK, "reasons": [], "fields": []}
    return {
        "verdict": compared.verdict,
        "reasons": [reason.code for reason in compared.reasons],
        "fields": [field._asdict() for field in compared.fields],
    }
