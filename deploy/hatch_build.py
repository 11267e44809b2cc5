"""Reads what the wheel requires when it is built: requirements.in, and for its extra `s3` requirements-s3.in. And the
library of the same checkout, in just its version."""

import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies."""
        reading = tomllib.loads(Path(self.root, "doi_reading/pyproject.toml").read_text(encoding="utf-8"))["project"]
        metadata["dependencies"] = [*self._read("requirements.in"), f"{reading['name']}=={reading['version']}"]
        metadata["optional-dependencies"] = {"s3": self._read("requirements-s3.in")}

    def _read(self, name: str) -> list[str]:
        lines = Path(self.root, name).read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line and not line.startswith(("#", "-r"))]
