"""What `manage.py doctor` finds."""

from dataclasses import dataclass
from enum import Enum
from functools import partial


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    ADVICE = "advice"
    FAULT = "FAULT"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """A sentence, and what to do ("" if nothing). `part`: of the installation; `diagnose` fills it in."""

    level: Level
    says: str
    do: str = ""
    part: str = ""


ok, advice, fault = (partial(DoctorFinding, level) for level in Level)
