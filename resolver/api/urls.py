"""Every address of the REST API, below /api/v1/."""

from django.urls import path, re_path

from resolver.api.agencies import Agencies
from resolver.api.downloads import ResultsFile
from resolver.api.errors import NotFoundView
from resolver.api.inspections import Inspections
from resolver.api.jobs import Cancellation, Jobs, OneJob, Retry, Rows
from resolver.api.lookups import Lookups, OneLookup
from resolver.sheets.output.formats import CSV, JSON_LINES, XLSX

app_name = "api"

urlpatterns = [
    path("agencies", Agencies.as_view(), name="agencies"),
    path("inspections", Inspections.as_view(), name="inspections"),
    path("lookups", Lookups.as_view(), name="lookups"),
    path("lookups/<uuid:pk>", OneLookup.as_view(), name="lookup"),
    path("jobs", Jobs.as_view(), name="jobs"),
    path("jobs/<uuid:pk>", OneJob.as_view(), name="job"),
    path("jobs/<uuid:pk>/cancel", Cancellation.as_view(), name="job-cancel"),
    path("jobs/<uuid:pk>/retry", Retry.as_view(), name="job-retry"),
    path("jobs/<uuid:pk>/rows", Rows.as_view(), name="job-rows"),
    path("jobs/<uuid:pk>/results.csv", ResultsFile.as_view(form=CSV), name="job-csv"),
    path("jobs/<uuid:pk>/results.xlsx", ResultsFile.as_view(form=XLSX), name="job-xlsx"),
    path("jobs/<uuid:pk>/results.jsonl", ResultsFile.as_view(form=JSON_LINES), name="job-jsonl"),
    re_path("", NotFoundView.as_view(), name="nothing"),
]
