"""A lookup while the portal pauses for long: a problem of its own, with Retry-After."""

from typing import Any

import pytest

from resolver.models import Lookup
from resolver.services.proxy_answers.configured_proxy import proxy_from_settings
from tests.api.conftest import Post, assert_problem

pytestmark = pytest.mark.django_db


def test_a_lookup_during_a_long_pause_is_refused_with_the_time_to_wait(post: Post, settings: Any) -> None:
    settings.REDIS_URL = ""  # a pause in Redis would hold for the tests after it
    proxy_from_settings().budget.pause(40)
    response = post("lookups", {"input": "10.5555/later"})
    problem = assert_problem(response, 503)
    assert problem["type"] == "/problems/proxy-pauses"
    assert "Checks are paused until" in problem["detail"]
    assert 30 <= int(response.headers["Retry-After"]) <= 40
    assert not Lookup.objects.exists()
