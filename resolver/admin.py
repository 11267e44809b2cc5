"""Lookups, jobs, API tokens and the daily quotas of accounts in Django's admin, for operators."""

from datetime import datetime
from typing import Any
from uuid import UUID

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from resolver import tasks
from resolver.models import AccountQuota, ApiToken, Job, Lookup
from resolver.services.accounts.owners import find_account_id
from resolver.services.jobs import lifecycle
from resolver.services.maintenance.operation import describe_operation
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from resolver.services.storage.clock import read_clock
from resolver.services.turns import scheduler

# Providers are set in the environment, and no e-mail address or token of theirs is stored.
admin.site.unregister([EmailAddress, SocialAccount, SocialApp, SocialToken])


@admin.register(SocialAccount)
class IdentityAdmin(admin.ModelAdmin):
    """The identities at a provider to which accounts are bound. A superuser may bind an account without a password to
    one, and so can become any of these accounts."""

    list_display = ("user", "provider", "uid", "date_joined", "last_login_of_account")
    fields = ("user", "provider", "uid")
    raw_id_fields = ("user",)
    list_select_related = ("user",)

    @admin.display(description=gettext_lazy("last login"), ordering="user__last_login")
    def last_login_of_account(self, identity: SocialAccount) -> datetime | None:
        last: datetime | None = identity.user.last_login
        return last

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: SocialAccount | None = None) -> bool:
        return bool(request.user.is_superuser)


class ObjectsWithOwners(ChangeList):
    """A page of objects, each with the name of its account as `owner_name`, or with the owner if that is none."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        names = User.objects.in_bulk({find_account_id(each.owner) for each in self.result_list} - {None})
        for each in self.result_list:
            account = names.get(find_account_id(each.owner))
            each.owner_name = account.get_username() if account else each.owner


class ObjectsOfUsers(admin.ModelAdmin):
    """What users made, by a lookup or an upload: an object made here would have no answers, or no file. Notes what
    operators do by the id of the object. Its text, which a user typed, would outlive it in that log."""

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return ObjectsWithOwners

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Call the page by what it lists: these objects are looked at and deleted, and not changed."""
        title = capfirst(str(self.opts.verbose_name_plural))
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    @admin.display(description=gettext_lazy("owner"), ordering="owner")
    def owner_name(self, owned: Any) -> str:
        return str(owned.owner_name)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> LogEntry:
        return _without_text(super().log_change(request, obj, message))

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        return [_without_text(entry) for entry in super().log_deletions(request, queryset)]


def _without_text(entry: LogEntry) -> LogEntry:
    entry.object_repr = entry.object_id or ""
    entry.save(update_fields=["object_repr"])
    return entry


@admin.register(Lookup)
class LookupAdmin(ObjectsOfUsers):
    list_display = ("created_at", "input", "outcome", "ra", "owner_name")
    list_filter = ("outcome", "sample")


@admin.register(Job)
class JobAdmin(ObjectsOfUsers):
    """Lists, with a page about the running portal (`operation/`) from which a list is put back, ended or deleted."""

    list_display = ("created_at", "filename", "name", "state", "done", "total", "owner_name")
    list_filter = ("state", "quick", "sample")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        """Return the lists that are not deleted."""
        return super().get_queryset(request).exclude(owner=lifecycle.OUTLIVED)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[Any, int], set[str], list[str]]:
        """Name the lists alone: Django would load each row of theirs to name it."""
        lists = list(objs)
        refused = set() if self.has_delete_permission(request) else {str(self.opts.verbose_name)}
        return [str(job) for job in lists], {self.opts.verbose_name_plural: len(lists)}, refused, []

    def delete_model(self, request: HttpRequest, obj: Job) -> None:
        """Delete the list with its results and its upload."""
        lifecycle.disown_job(obj)
        tasks.start_removals()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        """Delete these lists with their results and their uploads."""
        for job in queryset:
            self.delete_model(request, job)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("operation/", view(self.show_operation), name="operation"),
            path("operation/prune/", view(self.remove_outdated), name="operation_prune"),
            path("operation/<uuid:pk>/requeue/", view(self.put_back_list), name="operation_requeue"),
            path("operation/<uuid:pk>/end/", view(self.end_list), name="operation_end"),
            path("operation/<uuid:pk>/delete/", view(self.delete_list), name="operation_delete"),
            *super().get_urls(),
        ]

    def show_operation(self, request: HttpRequest) -> HttpResponse:
        """Show the operation page: the state of the portal now."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        now = read_clock()
        operation = describe_operation(proxy_from_settings(), now=now)
        return self._render(
            request,
            "operation",
            title=_("Operation"),
            now=now,
            operation=operation,
            states=[(state.label, number) for state, number in operation.states.items()],
            may_change=self.has_change_permission(request),
            may_delete=self.has_delete_permission(request),
        )

    def remove_outdated(self, request: HttpRequest) -> HttpResponse:
        """Start the cleanup now."""
        if not self.has_delete_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if tasks.start_pruning():
            messages.success(request, _("A worker removes what is too old."))
        else:
            messages.error(request, _("No message can be sent to a worker now. Look at the broker."))
        return redirect("admin:operation")

    def put_back_list(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask first, then take the list from its workers, send another message for it, and log who did."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        job = get_object_or_404(self.get_queryset(request), pk=pk)
        if request.method != "POST":
            means = _(
                "The list is taken from the workers that hold it, and waits for a worker again. Results that are "
                "stored stay; rows that are being checked are checked again."
            )
            return self._ask(request, job, _("Put this list back into the queue?"), means, _("Put back into the queue"))
        with transaction.atomic():
            if is_put_back := scheduler.put_back_list(job):
                self.log_change(request, job, "Put back into the queue.")
                tasks.enqueue_job(job)
        if is_put_back:
            messages.success(request, _("List put back into the queue."))
        else:
            messages.warning(request, _("The list had already ended."))
        return redirect("admin:operation")

    def end_list(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask first, then cancel the list and log who did."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        job = get_object_or_404(self.get_queryset(request), pk=pk)
        if request.method != "POST":
            means = _("The check stops. Its owner keeps the results so far, and can retry the rest.")
            return self._ask(request, job, _("End this list?"), means, _("End list"))
        try:
            with transaction.atomic():
                if stopped := lifecycle.cancel_job(job, now=read_clock()):
                    self.log_change(request, job, "Ended.")
        except Job.DoesNotExist:
            raise Http404 from None  # its owner has deleted it meanwhile
        if stopped:
            messages.success(request, _("List ended. Its results so far are kept."))
        else:
            messages.warning(request, _("The list had already ended."))
        return redirect("admin:operation")

    def delete_list(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Ask first, then delete the list with its results and its upload, and log who did."""
        if not self.has_delete_permission(request):
            raise PermissionDenied
        job = get_object_or_404(self.get_queryset(request), pk=pk)
        if request.method != "POST":
            means = _("The list, its results and its file are deleted for its owner too. You can't undo this.")
            return self._ask(request, job, _("Delete this list?"), means, _("Delete list"))
        with transaction.atomic():
            self.log_deletions(request, Job.objects.filter(pk=pk))
            self.delete_model(request, job)
        messages.success(request, _("List and results deleted."))
        return redirect("admin:operation")

    def _ask(self, request: HttpRequest, job: Job, title: str, means: str, button: str) -> HttpResponse:
        return self._render(request, "operation_confirm", title=title, job=job, means=means, button=button)

    def _render(self, request: HttpRequest, name: str, **context: Any) -> HttpResponse:
        whole = {**self.admin_site.each_context(request), "opts": self.opts, **context}
        return render(request, f"admin/resolver/job/{name}.html", whole)


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Tokens are made on the account page or by `createtoken`: here no one could see the key."""

    list_display = ("account", "name", "scope", "created_at", "ends_at", "last_used_at")
    list_filter = ("scope",)
    exclude = ("digest",)
    readonly_fields = ("account", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(AccountQuota)
class AccountQuotaAdmin(admin.ModelAdmin):
    """What one account may use on a day, where it is not what the settings say."""

    list_display = ("account", "lists", "rows", "requests")
    raw_id_fields = ("account",)
    search_fields = ("account__username",)
