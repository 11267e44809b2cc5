"""What is stored: lookups, jobs with their chunks and rows, comparisons, and the proxy's answers."""

from resolver.models.answers import StoredAnswer
from resolver.models.comparisons import Comparison, Difference
from resolver.models.jobs import ENDED, Chunk, Job, Row, State, no_survey
from resolver.models.lookups import Lookup
from resolver.models.questions import Question
from resolver.models.turns import Turn

__all__ = [
    "ENDED",
    "Chunk",
    "Comparison",
    "Difference",
    "Job",
    "Lookup",
    "Question",
    "Row",
    "State",
    "StoredAnswer",
    "Turn",
    "no_survey",
]
