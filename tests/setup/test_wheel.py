"""The wheels, built from this checkout as `make wheel` does, installed into an empty environment, and used there from
another folder. The environment sees the libraries of this one, but nothing of the checkout."""

import csv
import email
import os
import signal
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
import requests
from packaging.requirements import Requirement

from doiportal.version import VERSION
from tests.portal_processes import ROOT
from tests.setup.portal import supervised
from tests.sheets.binary_workbook.made import Sheet, xls

pytestmark = pytest.mark.xdist_group("wheel")  # it is built once
BUILD = [sys.executable, "-m", "build", "--no-isolation", "--outdir"]
# Where each folder of the checkout lies in the wheel.
PLACES = {
    "doiportal": "doiportal",
    "resolver": "resolver",
    "templates": "doiportal/templates",
    "static": "doiportal/static",
    "locale": "doiportal/locale",
    "deploy/systemd": f"doiportal-{VERSION}.data/data/share/doiportal/systemd",
    "deploy/nginx": f"doiportal-{VERSION}.data/data/share/doiportal/nginx",
}
READING = tomllib.loads((ROOT / "doi_reading/pyproject.toml").read_text())["project"]
READING_VERSION = READING["version"]
READ = "import doi_reading; print(doi_reading.read('doi:10.1000/182').doi)"
WORKBOOK = xls(Sheet("List", [["title", "doi"], ["Handbook", "10.1000/182"], ["None", "10.5555/missing-1"]]))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the archives of the sources, and with the wheels that were built from these archives."""
    folder = tmp_path_factory.mktemp("dist")
    for project in (ROOT, ROOT / "doi_reading"):
        subprocess.run([*BUILD, folder, project], capture_output=True, text=True, check=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return built / f"doiportal-{VERSION}-py3-none-any.whl"


@pytest.fixture(scope="module")
def reading_wheel(built: Path) -> Path:
    return built / f"doi_reading-{READING_VERSION}-py3-none-any.whl"


@pytest.fixture(scope="module")
def program(wheel: Path, reading_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command `doiportal` of an environment that holds the wheels."""
    environment = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin/python"
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, wheel, reading_wheel], check=True)
    return environment / "bin/doiportal"


def _files_of_the_checkout() -> dict[str, Path]:
    """The files that a portal needs, by their place in the wheel. Those of `make reading-files` aren't among them."""
    return {
        f"{place}/{path.relative_to(ROOT / folder)}": path
        for folder, place in PLACES.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and ROOT / "static/reading" not in path.parents
    }


def test_the_wheel_of_the_library_holds_its_code_alone_and_runs_without_another_package(
    reading_wheel: Path, tmp_path: Path
) -> None:
    with ZipFile(reading_wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
        about = email.message_from_bytes(archive.read(f"doi_reading-{READING_VERSION}.dist-info/METADATA"))
    code = {path for path in (ROOT / "doi_reading").rglob("*.py") if "tests" not in path.parts}
    assert held == {str(path.relative_to(ROOT)) for path in code} | {"doi_reading/py.typed"}
    assert "Requires-Dist" not in about
    begin = [sys.executable, "-I", "-S", "-c"]
    found = f"import sys; sys.path.insert(0, {str(reading_wheel)!r})\n"
    done = subprocess.run([*begin, f"{found}{READ}"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "10.1000/182\n"
    with ZipFile(reading_wheel) as archive:
        scripts = archive.read(f"doi_reading-{READING_VERSION}.dist-info/entry_points.txt").decode()
    module, function = scripts.partition("doi-read = ")[2].strip().split(":")
    run = f"{found}from {module} import {function}\nsys.exit({function}(['-']))"
    done = subprocess.run(
        [*begin, run], cwd=tmp_path, input="https://doi.org/10.1000/4#7", capture_output=True, text=True
    )
    assert (done.returncode, done.stdout[:38]) == (1, "stdin.txt:1:26: error unescaped-hash: ")


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_portal_and_no_other(wheel: Path) -> None:
    expected = _files_of_the_checkout()
    with ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert set(held) == set(expected)
    assert {name for name, content in held.items() if content != expected[name].read_bytes()} == set()
    for name in (
        "doiportal/templates/base.html",
        "doiportal/static/resolver/site.css",
        "doiportal/locale/de/LC_MESSAGES/django.mo",
        "resolver/migrations/0001_squashed_0038_part_of_watch_change.py",
        "resolver/standin/records.json",
        "doiportal/static/resolver/tokens.css",
    ):
        assert name in held


def test_the_archive_of_the_source_has_what_the_wheel_is_built_from_and_no_tests(built: Path) -> None:
    with tarfile.open(built / f"doiportal-{VERSION}.tar.gz") as archive:
        held = {Path(*Path(name).parts[1:]) for name in archive.getnames()}
    assert {path.relative_to(ROOT) for path in _files_of_the_checkout().values()} <= held
    assert not {"tests", "benchmarks", "var", ".venv"} & {path.parts[0] for path in held}


def test_the_wheel_requires_what_requirements_in_names_and_has_the_version_of_the_code(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        about = email.message_from_bytes(archive.read(f"doiportal-{VERSION}.dist-info/METADATA"))
    lines = (ROOT / "requirements.in").read_text().splitlines()
    named = {str(Requirement(line)).lower() for line in lines if line and not line.startswith(("#", "-r"))}
    named |= {"django-storages[s3]; extra == 's3'", f"doi-reading=={READING_VERSION}"}
    assert {line.lower() for line in about.get_all("Requires-Dist", [])} == named
    assert (about["Version"], about["Requires-Python"]) == (VERSION, ">=3.11")


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """The environment of a user whose home is an empty folder."""
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}


@pytest.mark.slow
def test_an_installed_portal_keeps_its_data_where_the_system_has_the_data_of_programs(
    program: Path, tmp_path: Path, elsewhere: dict[str, str]
) -> None:
    show = (
        "from django.conf import settings as s; print(s.BASE_DIR, s.DOIPORTAL_DATA_DIR, s.DATABASES['default']['NAME'])"
    )
    (tmp_path / "doiportal").mkdir()  # a folder that has the name of ours is no code of ours

    def shown(**settings: str) -> list[str]:
        command = [program, "manage", "shell", "--no-imports", "-c", show]
        done = subprocess.run(
            command, cwd=tmp_path, env=elsewhere | settings, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    (packages,) = program.parents[1].glob("lib/python*/site-packages")
    folder = tmp_path / ".local/share/doiportal"
    assert shown(XDG_DATA_HOME="") == [str(packages), str(folder), str(folder / "doiportal.sqlite3")]
    named = shown(DOIPORTAL_DATA_DIR="data", DATABASE_URL="sqlite:///rows.sqlite3")
    assert named == [str(packages), str(tmp_path / "data"), str(tmp_path / "data/rows.sqlite3")]


@pytest.mark.slow
def test_the_installed_command_is_a_whole_portal(program: Path, tmp_path: Path) -> None:
    with supervised(tmp_path, installed=program) as portal:
        assert "SAMPLE DATA" in portal.printed
        assert f"Its data is in {tmp_path / 'var'}\n" in portal.printed

        # Pages in both languages, and a static file with the digest in its name.
        address = f"http://127.0.0.1:{portal.port}"
        page = requests.get(address, headers={"Accept-Language": "de"}, timeout=20)
        assert '<html lang="de"' in page.text
        assert "Beispieldaten" in page.text
        style = page.text.rpartition('<link rel="stylesheet" href="')[2].partition('"')[0]
        answer = requests.get(f"{address}{style}", timeout=20)
        assert answer.content == (ROOT / "static/resolver/site.css").read_bytes()

        # A list through the worker, from a workbook that a process of its own reads.
        headers = {"Authorization": f"Bearer {portal.make_token('ada')}"}
        upload = {"data": WORKBOOK, "headers": {**headers, "Content-Type": "application/vnd.ms-excel"}}
        made = requests.post(f"{address}/api/v1/jobs", timeout=60, **upload)
        assert made.status_code == 202, made.text
        job = requests.get(f"{address}/api/v1/jobs/{made.json()['id']}/wait?seconds=60", headers=headers, timeout=90)
        assert job.json()["state"] == "finished"
        assert job.json()["counts"]["outcome"] == {"resolved": 1, "not-found": 1}

        # The commands, beside the running portal.
        (tmp_path / "list.csv").write_text("title,doi\nHandbook,10.1000/182\nNone,10.5555/missing-1\n")
        proxy = portal.printed.partition("The sample DOI proxy listens at ")[2].split()[0]
        checked = subprocess.run(
            [program, "check", "list.csv", "--output", "out.csv"],
            cwd=tmp_path, env=portal.environment | {"DOI_PROXY_URL": proxy}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert checked.stderr.splitlines()[-1].startswith("2 rows:")
        with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as out:
            assert [row["outcome"] for row in csv.DictReader(out)] == ["resolved", "not-found"]
        assert "no issues" in portal.run_manage("check")

        portal.supervisor.send_signal(signal.SIGINT)
        assert portal.supervisor.wait(30) == 0
        assert portal.left_after(2) == []
