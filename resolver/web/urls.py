"""Every page on one screen."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from resolver.web import accounts, files, history, jobs, lookup, portal, records, results, watching

urlpatterns = [
    path("", lookup.home, name="home"),
    path("lookups", lookup.create, name="lookups"),
    path("lookups/<uuid:pk>", lookup.show, name="lookup"),
    path("lookups/<uuid:pk>/again", lookup.again, name="lookup-again"),
    path("lookups/<uuid:pk>/delete", history.delete_one, name="lookup-delete"),
    path("history", history.show, name="history"),
    path("history/delete", history.delete_all, name="history-delete"),
    path("records", records.show, name="records"),
    path("jobs", jobs.index, name="jobs"),
    path("jobs/new", jobs.new, name="job-new"),
    path("jobs/<uuid:pk>", watching.show, name="job"),
    path("jobs/<uuid:pk>/progress", watching.progress, name="job-progress"),
    path("jobs/<uuid:pk>/describe", jobs.describe, name="job-describe"),
    path("jobs/<uuid:pk>/cancel", jobs.cancel, name="job-cancel"),
    path("jobs/<uuid:pk>/retry", jobs.retry, name="job-retry"),
    path("jobs/<uuid:pk>/delete", jobs.delete, name="job-delete"),
    path("jobs/<uuid:pk>/rows", results.rows, name="job-rows"),
    path("jobs/<uuid:pk>/rows/<int:line>", results.row, name="job-row"),
    path("jobs/<uuid:pk>/results.csv", files.csv, name="job-csv"),
    path("jobs/<uuid:pk>/results.xlsx", files.xlsx, name="job-xlsx"),
    path("jobs/<uuid:pk>/results.jsonl", files.jsonl, name="job-jsonl"),
    path("healthz", portal.health, name="health"),
    path("about-verdicts", portal.about_verdicts, name="about-verdicts"),
    path("accounts/login/", accounts.Login.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
]
