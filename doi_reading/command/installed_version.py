"""The version of the installed package."""

from importlib.metadata import PackageNotFoundError, version


def find_version() -> str:
    """Return the version, "" in a checkout that isn't installed."""
    try:
        return version("doi-reading")
    except PackageNotFoundError:
        return ""
