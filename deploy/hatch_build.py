"""Reads what the wheel requires from requirements.in, when it is built."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class RequirementsHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies."""
        lines = Path(self.root, "requirements.in").read_text(encoding="utf-8").splitlines()
        metadata["dependencies"] = [line for line in lines if line and not line.startswith("#")]
