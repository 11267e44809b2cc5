"""Every address of the REST API, below /api/v1/."""

from typing import Any

from django.urls import path, re_path
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from resolver.api.agency_contacts import AgencyContacts
from resolver.api.decisions import OneRow, RowDecisions
from resolver.api.host_checks import HostChecks
from resolver.api.jobs import Cancellation, Jobs, JobWait, OneJob, Retry
from resolver.api.lookups import Inspections, LookupMetadata, Lookups, OneLookup
from resolver.api.openapi.views import Docs, DocsOfObjects, Index, Schema
from resolver.api.results import CsvFile, HostsFile, JsonLinesFile, OriginalFile, Rows, XlsxFile
from resolver.api.watches import OneWatch, WatchChanges, Watches, WatchRunNow
from resolver.api.webhooks import OneWebhook, WebhookDeliveries, Webhooks
from resolver.api.works import WorkComparisons

app_name = "api"


class NotFoundView(APIView):
    """Every other address under /api/v1/. A closed portal answers a stranger with 401 instead."""

    changes_nothing = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise NotFound before DRF looks for the method: 404 for each of them, never 405."""
        self.check_permissions(request)
        if request.path.endswith("/"):
            raise NotFound("There is nothing at this address. Send it without the final slash.")
        raise NotFound


urlpatterns = [
    path("", Index.as_view(), name="index"),
    path("schema", Schema.as_view(), name="schema"),
    path("docs", Docs.as_view(), name="docs"),
    path("docs/objects", DocsOfObjects.as_view(), name="docs-objects"),
    path("agencies", AgencyContacts.as_view(), name="agencies"),
    path("inspections", Inspections.as_view(), name="inspections"),
    path("lookups", Lookups.as_view(), name="lookups"),
    path("lookups/<uuid:pk>", OneLookup.as_view(), name="lookup"),
    path("lookups/<uuid:pk>/metadata", LookupMetadata.as_view(), name="lookup-metadata"),
    path("works/compare", WorkComparisons.as_view(), name="works-compare"),
    path("jobs", Jobs.as_view(), name="jobs"),
    path("jobs/<uuid:pk>", OneJob.as_view(), name="job"),
    path("jobs/<uuid:pk>/wait", JobWait.as_view(), name="job-wait"),
    path("jobs/<uuid:pk>/cancel", Cancellation.as_view(), name="job-cancel"),
    path("jobs/<uuid:pk>/retry", Retry.as_view(), name="job-retry"),
    path("jobs/<uuid:pk>/rows", Rows.as_view(), name="job-rows"),
    path("jobs/<uuid:pk>/rows/<int:line>", OneRow.as_view(), name="job-row"),
    path("jobs/<uuid:pk>/decisions", RowDecisions.as_view(), name="job-decisions"),
    path("jobs/<uuid:pk>/results.csv", CsvFile.as_view(), name="job-csv"),
    path("jobs/<uuid:pk>/results.xlsx", XlsxFile.as_view(), name="job-xlsx"),
    path("jobs/<uuid:pk>/results.jsonl", JsonLinesFile.as_view(), name="job-jsonl"),
    path("jobs/<uuid:pk>/results.original", OriginalFile.as_view(), name="job-original"),
    path("jobs/<uuid:pk>/host-checks", HostChecks.as_view(), name="job-host-checks"),
    path("jobs/<uuid:pk>/hosts.csv", HostsFile.as_view(), name="job-hosts"),
    path("webhooks", Webhooks.as_view(), name="webhooks"),
    path("webhooks/<uuid:pk>", OneWebhook.as_view(), name="webhook"),
    path("webhooks/<uuid:pk>/deliveries", WebhookDeliveries.as_view(), name="webhook-deliveries"),
    path("watches", Watches.as_view(), name="watches"),
    path("watches/<uuid:pk>", OneWatch.as_view(), name="watch"),
    path("watches/<uuid:pk>/run", WatchRunNow.as_view(), name="watch-run"),
    path("watches/<uuid:pk>/changes", WatchChanges.as_view(), name="watch-changes"),
    re_path("", NotFoundView.as_view(), name="nothing"),
]
