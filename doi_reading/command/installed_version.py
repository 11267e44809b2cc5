"""The version of the package, installed or in a checkout."""

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def find_version() -> str:
    """Return the version."""
    try:
        return version("doi-reading")
    except PackageNotFoundError:
        project = Path(__file__).parents[1] / "pyproject.toml"
        found: str = tomllib.loads(project.read_text("utf-8"))["project"]["version"]
        return found
