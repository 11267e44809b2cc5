"""What `manage.py doctor` finds."""

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    ADVICE = "advice"
    FAULT = "FAULT"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """What was found about one part: a sentence, and what to do ("" if nothing)."""

    part: str
    level: Level
    says: str
    do: str = ""
