"""Lookups and jobs in Django's admin, for operators."""

from django.contrib import admin

from resolver.models import Job, Lookup


@admin.register(Lookup)
class LookupAdmin(admin.ModelAdmin):
    list_display = ("created_at", "input", "outcome", "ra", "owner")
    list_filter = ("outcome", "sample")


@admin.register(Job)
class JobAdmin(admin.ModelAdmin):
    list_display = ("created_at", "filename", "name", "state", "done", "total", "owner")
    list_filter = ("state", "quick", "sample")
