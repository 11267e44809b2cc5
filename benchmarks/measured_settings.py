"""The settings of the portal under measurement: its own, but for views that do nothing beside all others."""

from doiportal.settings import *  # noqa: F403 - everything as it is

ROOT_URLCONF = "benchmarks.measured_urls"
