"""Lookups, jobs and API tokens in Django's admin, for operators."""

from django.contrib import admin
from django.http import HttpRequest

from resolver.models import ApiToken, Job, Lookup


@admin.register(Lookup)
class LookupAdmin(admin.ModelAdmin):
    list_display = ("created_at", "input", "outcome", "ra", "owner")
    list_filter = ("outcome", "sample")


@admin.register(Job)
class JobAdmin(admin.ModelAdmin):
    list_display = ("created_at", "filename", "name", "state", "done", "total", "owner")
    list_filter = ("state", "quick", "sample")


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    """Tokens are made on the account page or by `createtoken`: here nobody could see the key."""

    list_display = ("account", "name", "scope", "created_at", "ends_at", "last_used_at")
    list_filter = ("scope",)
    exclude = ("digest",)
    readonly_fields = ("account", "created_at", "last_used_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
