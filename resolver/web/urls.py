"""Every page on one screen."""

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe
from django.views.generic import RedirectView
from django.views.i18n import set_language

from resolver.sheets.output.export_formats import CSV, JSON_LINES, XLSX
from resolver.web import home
from resolver.web.account import page as account_page
from resolver.web.account import webhooks as account_webhooks
from resolver.web.comparisons import views as comparison_views
from resolver.web.help import encode, recipes
from resolver.web.help import views as help_views
from resolver.web.hosts import views as host_views
from resolver.web.jobs import actions, address_updates, downloads, draft, files, follow_up, rows
from resolver.web.jobs import views as job_views
from resolver.web.lookups import history, metadata, work_search
from resolver.web.lookups import views as lookup_views
from resolver.web.reading import page as reading_page
from resolver.web.records import views as record_views
from resolver.web.reports import printable_report
from resolver.web.reviews import actions as review_actions
from resolver.web.reviews import page as review_page
from resolver.web.reviews import row_page
from resolver.web.sign_on import oidc_views, saml_views
from resolver.web.site import login, monitoring, statements
from resolver.web.watches import actions as watch_actions
from resolver.web.watches import feed as watch_feed
from resolver.web.watches import mail_address
from resolver.web.watches import views as watch_views

# Older results contain this address of the help; a browser keeps its `#code`.
former_help = require_safe(RedirectView.as_view(pattern_name="help", permanent=True))
# The form is in the footer of every page, and a token would make each page set a cookie. A forged request can only
# change the language. `set_language` redirects to no other site.
choose_language = login_not_required(csrf_exempt(require_POST(set_language)))

urlpatterns = [
    path("", home.show_home, name="home"),
    path("lookups", home.look_up_or_draft, name="lookups"),
    path("lookups/<uuid:pk>", lookup_views.show_lookup, name="lookup"),
    path("lookups/<uuid:pk>/again", lookup_views.look_up_again, name="lookup-again"),
    path("lookups/<uuid:pk>/search", work_search.search_for_doi, name="lookup-search"),
    path("lookups/<uuid:pk>/delete", history.delete_one, name="lookup-delete"),
    path("history", history.show_history, name="history"),
    path("history/delete", history.delete_all, name="history-delete"),
    path("history.csv", history.download_history, {"form": CSV}, name="history-csv"),
    path("history.jsonl", history.download_history, {"form": JSON_LINES}, name="history-jsonl"),
    path("records", record_views.show_record, name="records"),
    path("metadata", metadata.show_metadata, name="metadata"),
    path("jobs", job_views.show_jobs, name="jobs"),
    path("jobs/new", home.upload_list, name="job-new"),
    path("drafts/<uuid:pk>", draft.show_draft, name="draft"),
    path("drafts/<uuid:pk>/one", draft.look_up_as_one, name="draft-one"),
    path("drafts/<uuid:pk>/delete", draft.delete_draft, name="draft-delete"),
    path("jobs/<uuid:pk>", job_views.show_job, name="job"),
    path("jobs/<uuid:pk>/progress", job_views.show_progress, name="job-progress"),
    path("jobs/<uuid:pk>/describe", actions.edit_description, name="job-describe"),
    path("jobs/<uuid:pk>/cancel", actions.cancel_check, name="job-cancel"),
    path("jobs/<uuid:pk>/retry", actions.retry_rows, name="job-retry"),
    path("jobs/<uuid:pk>/delete", actions.delete_list, name="job-delete"),
    path("jobs/<uuid:pk>/again", comparison_views.start_rerun, name="job-again"),
    path("jobs/<uuid:pk>/compare", comparison_views.redirect_to_comparison, name="job-compare-choose"),
    path("jobs/<uuid:pk>/compare/<uuid:other>", comparison_views.show_comparison, name="job-compare"),
    path("jobs/<uuid:pk>/compare/<uuid:other>/changes.csv", comparison_views.download_csv, name="job-compare-csv"),
    path("jobs/<uuid:pk>/share", actions.share_list, name="job-share"),
    path("jobs/<uuid:pk>/share/stop", actions.end_sharing, name="job-share-stop"),
    path("shared/<str:token>", actions.open_share_link, name="shared"),
    path("jobs/<uuid:pk>/rows", rows.show_rows, name="job-rows"),
    path("jobs/<uuid:pk>/columns", rows.choose_columns, name="job-columns"),
    path("jobs/<uuid:pk>/rows/<int:line>", row_page.show_row, name="job-row"),
    path("jobs/<uuid:pk>/review", review_page.show_review, name="job-review"),
    path("jobs/<uuid:pk>/review/all", review_actions.decide_all, name="job-review-all"),
    path("jobs/<uuid:pk>/review/undo", review_actions.undo, name="job-review-undo"),
    path("jobs/<uuid:pk>/review/<int:line>", review_actions.decide, name="job-review-row"),
    path("jobs/<uuid:pk>/files", files.show_files, name="job-files"),
    path("jobs/<uuid:pk>/follow", follow_up.show_follow_up, name="job-follow"),
    path("jobs/<uuid:pk>/results.csv", downloads.download_results, {"form": CSV}, name="job-csv"),
    path("jobs/<uuid:pk>/results.xlsx", downloads.download_results, {"form": XLSX}, name="job-xlsx"),
    path("jobs/<uuid:pk>/results.jsonl", downloads.download_results, {"form": JSON_LINES}, name="job-jsonl"),
    path("jobs/<uuid:pk>/hosts", host_views.show_hosts, name="job-hosts"),
    path("jobs/<uuid:pk>/hosts/check", host_views.start_check, name="job-hosts-check"),
    path("jobs/<uuid:pk>/hosts/checked.csv", host_views.download_checked_hosts, name="job-hosts-csv"),
    path("jobs/<uuid:pk>/hosts.csv", downloads.download_hosts, name="job-hosts-file"),
    path("jobs/<uuid:pk>/addresses", address_updates.show_address_updates, name="job-addresses"),
    path("jobs/<uuid:pk>/addresses/agency", address_updates.show_agency_text, name="job-agency-text"),
    path("jobs/<uuid:pk>/addresses/agency.txt", address_updates.download_agency_text, name="job-agency-text-file"),
    path("jobs/<uuid:pk>/address-updates.csv", address_updates.download_updates, name="job-address-updates"),
    path("jobs/<uuid:pk>/report", printable_report.show_report, name="job-report"),
    path("jobs/<uuid:pk>/results.original", downloads.download_original, name="job-original"),
    path("jobs/<uuid:pk>/by-hand.csv", downloads.download_left_out, name="job-by-hand"),
    path("jobs/<uuid:pk>/watch", watch_actions.watch_list, name="job-watch"),
    path("watches", watch_views.show_watches, name="watches"),
    path("watches/<uuid:pk>", watch_views.show_watch, name="watch"),
    path("watches/<uuid:pk>/edit", watch_actions.edit_watch, name="watch-edit"),
    path("watches/<uuid:pk>/run", watch_actions.run_now, name="watch-run"),
    path("watches/<uuid:pk>/pause", watch_actions.pause_or_resume, {"paused": True}, name="watch-pause"),
    path("watches/<uuid:pk>/resume", watch_actions.pause_or_resume, {"paused": False}, name="watch-resume"),
    path("watches/<uuid:pk>/end", watch_actions.end_watch, name="watch-end"),
    path("watches/<uuid:pk>/changes", watch_views.show_changes, name="watch-changes"),
    path("watches/<uuid:pk>/rows", watch_views.show_watched_rows, name="watch-rows"),
    path("watches/<uuid:pk>/rows/<int:line>/accept", watch_actions.accept_row, name="watch-row-accept"),
    path("watches/<uuid:pk>/rows/<int:line>/withdraw", watch_actions.withdraw_acceptance, name="watch-row-withdraw"),
    path("watches/<str:token>/feed", watch_feed.show_feed, name="watch-feed"),
    path("mail/confirm/<int:account>/<str:token>", mail_address.confirm_mail_address, name="mail-confirm"),
    path("mail/stop/<str:token>", mail_address.stop_mails_by_link, name="mail-stop"),
    path("language", choose_language, name="language"),
    path("healthz", monitoring.show_alive, name="healthz"),
    path("readyz", monitoring.show_readiness, name="readyz"),
    path("metrics", monitoring.show_metrics, name="metrics"),
    path("read", reading_page.show_reading_page, name="read"),
    path("read/doi_reading.zip", reading_page.send_library, name="read-library"),
    path("encode", encode.show_encoding, name="encode"),
    path("help", help_views.show_help, name="help"),
    path("help/outcomes/<slug:code>", help_views.show_outcome, name="help-outcome"),
    path("help/problems/<slug:code>", help_views.show_problem, name="help-problem"),
    path("help/recipes", recipes.show_recipes, name="help-recipes"),
    path("help/openrefine", help_views.show_openrefine, name="help-openrefine"),
    path("agencies", help_views.show_agencies, name="agencies"),
    path("about-verdicts", former_help, name="about-verdicts"),
    path("accessibility", statements.show_accessibility, name="accessibility"),
    path("privacy", statements.show_privacy, name="privacy"),
    path("account", account_page.show_account, name="account"),
    path("account/tokens", account_page.create_token, name="account-tokens"),
    path("account/tokens/<int:pk>/revoke", account_page.revoke_token, name="account-token-revoke"),
    path("account/mail", mail_address.change_mail_address, name="account-mail"),
    path("account/mail/remove", mail_address.remove_mail_address, name="account-mail-remove"),
    path("webhooks", account_webhooks.show_webhooks, name="webhooks"),
    path("webhooks/<uuid:pk>", account_webhooks.show_webhook, name="webhook"),
    path("webhooks/<uuid:pk>/test", account_webhooks.send_test, name="webhook-test"),
    path("webhooks/<uuid:pk>/delete", account_webhooks.remove_webhook, name="webhook-delete"),
    path("account/data.zip", account_page.download_account_data, name="account-data"),
    path("account/delete", account_page.close_account, name="account-delete"),
    path("accounts/login/", login.Login.as_view(), name="login"),
    path("accounts/oidc/login", oidc_views.start_oidc_login, name="oidc-login"),
    path("accounts/oidc/callback", oidc_views.finish_oidc_login, name="oidc-callback"),
    path("accounts/saml/login", saml_views.start_saml_login, name="saml-login"),
    path("accounts/saml/acs", saml_views.receive_saml_answer, name="saml-receive"),
    path("accounts/saml/finish", saml_views.finish_saml_login, name="saml-finish"),
    path("accounts/saml/metadata", saml_views.show_saml_metadata, name="saml-metadata"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("accounts/password/", login.ChangePassword.as_view(), name="password"),
]
