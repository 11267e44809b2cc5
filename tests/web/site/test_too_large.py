"""A form that announces more than the portal takes: told as a page, before any of it is read."""

from typing import Any

import pytest
from django.test import Client

from tests.web.conftest import text_of


@pytest.mark.django_db
def test_a_form_that_is_too_long_gets_a_page_that_says_how_much_is_taken(settings: Any) -> None:
    settings.MAX_UPLOAD_BYTES, settings.LONGEST_BODY = 2**20, 2**21
    response = Client().generic(
        "POST", "/jobs/new", b"", "multipart/form-data; boundary=x", CONTENT_LENGTH=str(2**21 + 1)
    )
    assert response.status_code == 413
    assert "The file is larger than this portal’s limit of 1 MB. Split it." in text_of(response)
