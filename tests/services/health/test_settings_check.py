"""What the doctor finds in addresses and files that settings name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from resolver.services.health.findings import DoctorFinding, Level
from resolver.services.health.settings_check import SETTINGS_LOOKS


def find_faults() -> Sequence[DoctorFinding]:
    return [found for look in SETTINGS_LOOKS for found in look() if found.level is Level.FAULT]


@pytest.fixture(autouse=True)
def _public_portal(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.PORT, settings.CSRF_TRUSTED_ORIGINS = 8123, ["https://dois.library.example", "https://*.library.example"]
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8123",
        "http://localhost:8123/",
        "http://[::1]:8123",
        "https://dois.library.example",
        "https://me:secret@DOIS.library.example:443/",
    ],
)
def test_a_portal_that_would_send_requests_to_itself_is_a_fault(settings: Any, address: str) -> None:
    settings.DOI_PROXY_URL = address
    (found,) = find_faults()
    assert "DOI_PROXY_URL is the address of the portal itself" in found.says
    assert "secret" not in found.says


@pytest.mark.parametrize(
    ("address", "faults"),
    [
        ("https://dois.library.example/doi/", 1),
        ("https://dois.library.example", 0),
        ("http://127.0.0.1:8123/doi", 1),
        ("http://127.0.0.1:8123", 1),
        ("http://127.0.0.1:8123/mirror", 0),
    ],
)
def test_the_public_address_of_the_portal_has_its_path(settings: Any, address: str, faults: int) -> None:
    settings.URL_PREFIX, settings.DOI_PROXY_URL = "/doi", address
    assert len(find_faults()) == faults


@pytest.mark.parametrize(
    "address",
    [
        "https://doi.org",
        "http://127.0.0.1:8124",
        "https://proxy.library.example",
        "http://dois.library.example:8080",
        "https://dois.library.example/mirror",
    ],
)
def test_a_proxy_at_another_address_than_the_portal_is_no_fault(settings: Any, address: str) -> None:
    settings.DOI_PROXY_URL = address
    assert find_faults() == []


@pytest.mark.parametrize("name", ["REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"])
def test_a_file_of_certificates_that_is_not_there_is_named_with_its_setting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "authority.pem"
    monkeypatch.setenv(name, str(path))
    (found,) = find_faults()
    assert found.says.startswith(f"{name} names {path}, which can't be read")
    path.write_text("")
    assert find_faults() == []
