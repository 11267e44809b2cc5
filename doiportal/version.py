"""The version of the portal; pyproject.toml reads it here."""

VERSION = "0.2.0"
