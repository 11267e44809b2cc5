"""What the documents say of the code is true, in both directions."""

import ast
import builtins
import inspect
import pkgutil
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from django.urls import URLPattern, resolve

from resolver import services
from resolver.api import urls
from resolver.api.problem_types import ProblemException
from resolver.api.serializers import jobs, lookups
from resolver.domain.report.outcome import Outcome
from resolver.models import State
from tests.conformance import problems, repairs

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FOLDERS = ("benchmarks", "doi_reading", "doiportal", "resolver", "tests")
CODE = sorted(path for folder in ("doi_reading", "doiportal", "resolver") for path in (ROOT / folder).rglob("*.py"))
API = (DOCS / "api.md").read_text(encoding="utf-8")
METHODS = ("get", "post", "put", "patch", "delete")
ID = "00000000-0000-4000-8000-000000000000"


def endpoints() -> set[str]:
    """Method and address of everything the API answers."""
    found = set()
    for pattern in urls.urlpatterns:
        assert isinstance(pattern, URLPattern)
        if pattern.name == "nothing":
            continue
        path = str(pattern.pattern).replace("<uuid:pk>", "{id}").replace("<int:line>", "{line}")
        view = pattern.callback.view_class
        found |= {f"{name.upper()} /api/v1/{path}" for name in METHODS if hasattr(view, name)}
    return found


def test_the_page_for_programmers_names_every_endpoint_and_none_that_is_not_there() -> None:
    named = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /api/v1/[^`]*)`", API))
    assert named == endpoints()


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\$API(/[\w./$-]*)", API))))
def test_the_examples_ask_addresses_that_exist(path: str) -> None:
    assert resolve("/api/v1" + path.replace("$ID", ID)).url_name != "nothing"


def test_each_version_in_the_changelog_begins_with_what_operators_do() -> None:
    versions = re.split(r"(?m)^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))[1:]
    headings = {version.partition("\n")[0]: re.findall(r"(?m)^### (.*)$", version)[:1] for version in versions}
    assert headings == {version: ["For operators: what to do"] for version in headings}
    assert "Unreleased" in headings


def test_what_operators_do_names_only_settings_and_migrations_that_exist() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("### Added")[0]
    named = set(re.findall(r"`([A-Z][A-Z_]{5,})(?:=\w*)?`", text))
    table = set(re.findall(r"`([A-Z][A-Z_]+)`", (DOCS / "for-operators.md").read_text(encoding="utf-8")))
    assert named
    assert named <= table
    migrations = {path.stem for path in (ROOT / "resolver" / "migrations").glob("0*.py")}
    upgrades = (DOCS / "for-operators.md").read_text(encoding="utf-8").partition("## Upgrades")[2].partition("\n## ")[0]
    assert set(re.findall(r"`(\d{4}_\w+)`", upgrades)) <= migrations


def test_the_page_for_programmers_names_every_field() -> None:
    shown = set(re.findall(r"`(\w+)`", API))
    for serializer in (
        lookups.InspectionSerializer,
        lookups.ProblemSerializer,
        lookups.LookupSerializer,
        jobs.JobSerializer,
        jobs.RowSerializer,
    ):
        assert set(serializer().fields) <= shown, serializer


def test_the_page_for_programmers_names_every_kind_of_error_with_its_status() -> None:
    named = dict(re.findall(r"^\| `(/problems/[a-z-]+)` \| (\d+) \|", API, re.MULTILINE))
    kinds = {f"/problems/{kind.slug}": str(kind.status_code) for kind in ProblemException.__subclasses__()}
    assert named == kinds


def test_the_page_for_programmers_names_every_state() -> None:
    assert all(f"`{state}`" in API for state in State.values)


def test_the_page_for_librarians_explains_every_outcome() -> None:
    text = (DOCS / "for-librarians.md").read_text(encoding="utf-8")
    table = text.partition("## What an outcome means")[2]
    assert all(re.search(rf"^\|[^|]*\b{outcome}\b", table, re.MULTILINE) for outcome in Outcome)


def test_the_page_of_problem_codes_is_the_catalogue() -> None:
    assert problems.PAGE.read_text(encoding="utf-8") == problems.page(), "run: python -m tests.conformance.problems"


def test_the_page_of_repairs_is_the_rules_and_the_tables() -> None:
    assert repairs.PAGE.read_text(encoding="utf-8") == repairs.page(), "run: python -m tests.conformance.repairs"


def exceptions_of_the_services() -> set[str]:
    """The public exceptions that a module of the services defines, or imports from a layer below."""
    modules = [import_module(one.name) for one in pkgutil.walk_packages(services.__path__, "resolver.services.")]
    classes = (kind for module in modules for _, kind in inspect.getmembers(module, inspect.isclass))
    return {
        kind.__name__
        for kind in classes
        if issubclass(kind, Exception) and kind.__module__.startswith("resolver.") and kind.__name__[0] != "_"
    }


def test_the_tree_of_exceptions_names_every_one_that_the_services_raise_or_pass_on() -> None:
    tree = re.findall(r"[├└]── (\w+)", services.__doc__ or "")
    assert len(tree) == len(set(tree))
    assert exceptions_of_the_services() - {"WireError"} <= set(tree)  # a stored answer of an earlier version, caught
    assert (
        set(tree) - {"NoDoiColumn", "TimeLimitReached", "TooManyColumns", "DoesNotExist"}
        <= exceptions_of_the_services()
    )


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.name)
def test_the_documents_name_modules_that_exist(page: Path) -> None:
    modules = {
        f"/{path.relative_to(ROOT)}"
        for folder in [*FOLDERS, "docker", "deploy"]
        for path in (ROOT / folder).rglob("*.py")
    }
    named = set(re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8"))) - {
        "doiportal/formats/xx/formats.py",
        "manage.py",
    }
    assert {name for name in named if not any(module.endswith(f"/{name}") for module in modules)} == set()


def test_the_page_for_contributors_names_private_constants_that_exist() -> None:
    named = set(re.findall(r"`(_[A-Z][A-Z_]+)`", (DOCS / "for-contributors.md").read_text(encoding="utf-8")))
    assert named
    assert named <= names_in_the_code()


@pytest.mark.parametrize("page", sorted([ROOT / "README.md", *DOCS.rglob("*.md")]), ids=lambda page: page.name)
def test_links_between_the_documents_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)", page.read_text(encoding="utf-8")):
        file = page.parent / target if target else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = ["#" + re.sub(r"[^\w\s-]", "", heading.lower()).replace(" ", "-") for heading in headings]
            assert anchor in slugs, anchor


@cache
def nodes_of_the_code() -> dict[Path, list[ast.AST]]:
    return {path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in CODE}


def names_in_the_code() -> set[str]:
    """Every name that the code defines, imports or uses, and the built-in ones."""
    names = set(dir(builtins))
    for nodes in nodes_of_the_code().values():
        for node in nodes:
            match node:
                case ast.ClassDef(name=name) | ast.Name(id=name) | ast.Attribute(attr=name):
                    names.add(name)
                case ast.alias(name=name, asname=other):
                    names |= {name.rpartition(".")[2], other or name}
    return names


def classes_in_docstrings() -> dict[str, set[str]]:
    """The files by the names of classes in their docstrings: in backticks, or said to be raised."""
    named: dict[str, set[str]] = {}
    for path, nodes in nodes_of_the_code().items():
        for node in nodes:
            if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            text = ast.get_docstring(node) or ""
            words = re.findall(r"`[^`]*`", text)
            raised = re.findall(r"\b[Rr]aises?\b[^.;:]*", text)
            for name in re.findall(r"\b[A-Z][a-z]+[A-Z][A-Za-z]*\b", " ".join(words + raised)):
                named.setdefault(name, set()).add(str(path.relative_to(ROOT)))
    return named


def test_docstrings_name_classes_that_exist() -> None:
    known, named = names_in_the_code(), classes_in_docstrings()
    assert len(named) > 30
    assert {name: paths for name, paths in named.items() if name not in known} == {}
