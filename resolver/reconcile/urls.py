"""The addresses of the reconciliation service, each also with a token at its end."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.urls import URLPattern, path

from resolver.reconcile import views


def _build_paths(route: str, view: Callable[..., HttpResponse], name: str, **options: Any) -> list[URLPattern]:
    return [
        path(route, view, options, name=f"reconcile-{name}"),
        path(f"{route}/<str:token>", view, options, name=f"reconcile-{name}-token"),
    ]


# The last one comes last: its token could be the name of another.
urlpatterns = [
    *_build_paths("reconcile/quick", views.service, "quick", quick=True),
    *_build_paths("reconcile/search", views.service, "search", searches=True),
    *_build_paths("reconcile/preview", views.show_preview, "preview"),
    *_build_paths("reconcile/entities", views.suggest_entities, "entities"),
    *_build_paths("reconcile/properties", views.suggest_properties, "properties"),
    *_build_paths("reconcile/proposals", views.propose_properties, "proposals"),
    *_build_paths("reconcile", views.service, "service"),
]
