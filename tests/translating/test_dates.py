"""Dates and numbers are written as the reader's language writes them."""

from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import translation

DAY = datetime(2004, 5, 1, 14, 7, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "1 May 2004 | 14:07 | 1 May 2004, 14:07 | 1 May 2004, 14:07:09 | 1,234,567"),
        ("de", "1. Mai 2004 | 14:07 | 1. Mai 2004, 14:07 | 1. Mai 2004, 14:07:09 | 1.234.567"),
    ],
)
def test_dates_times_and_numbers_follow_the_language(language: str, told: str):
    names = ("DATE_FORMAT", "TIME_FORMAT", "DATETIME_FORMAT", "MOMENT_FORMAT")
    source = " | ".join([*(f'{{{{ day|date:"{name}" }}}}' for name in names), "{{ 1234567|intcomma }}"])
    with translation.override(language):
        assert Template(source).render(Context({"day": DAY})) == told


def test_every_language_has_the_same_formats():
    modules = [import_module(f"{settings.FORMAT_MODULE_PATH}.{code}.formats") for code, _ in settings.LANGUAGES]
    assert len({frozenset(name for name in vars(module) if name.isupper()) for module in modules}) == 1
