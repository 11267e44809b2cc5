"""The web server, with people who log in at a server in front (REMOTE_USER_HEADER)."""

from pathlib import Path

import requests

from tests.setup.portal import serving

ADA = {"X-Remote-User": "ada", "X-Remote-Groups": "library,it"}


def test_a_person_is_whom_the_server_in_front_names_and_nobody_without_it(tmp_path: Path) -> None:
    told = {"REMOTE_USER_HEADER": "X-Remote-User", "REMOTE_GROUPS_HEADER": "X-Remote-Groups", "DOIPORTAL_OPEN": "0"}
    limits = {"REMOTE_USER_GROUPS": "library", "REMOTE_ADMIN_GROUPS": "it", "TRUSTED_PROXIES": "127.0.0.1"}
    with serving(tmp_path, **told, **limits) as portal, requests.Session() as browser:
        root = f"http://127.0.0.1:{portal.port}"
        assert browser.get(f"{root}/", allow_redirects=False, timeout=10).status_code == 302
        assert "ada" in browser.get(f"{root}/account", headers=ADA, timeout=10).text
        assert browser.get(f"{root}/admin/", headers=ADA, timeout=10).status_code == 200
        assert browser.get(f"{root}/", headers=ADA | {"X-Remote-Groups": "others"}, timeout=10).status_code == 403
        assert browser.get(f"{root}/", allow_redirects=False, timeout=10).status_code == 302
