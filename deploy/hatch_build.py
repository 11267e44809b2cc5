"""Reads what the wheel requires from requirements.in, and its extra `s3` from requirements-s3.in, when it is built."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies."""
        metadata["dependencies"] = self._read("requirements.in")
        metadata["optional-dependencies"] = {"s3": self._read("requirements-s3.in")}

    def _read(self, name: str) -> list[str]:
        lines = Path(self.root, name).read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line and not line.startswith(("#", "-r"))]
