"""What is stored: lookups, drafts, jobs with their chunks and rows, comparisons, and the proxy's answers."""

from resolver.models.answers import StoredAnswer
from resolver.models.comparisons import Comparison, Difference
from resolver.models.drafts import Draft
from resolver.models.jobs import ENDED, Chunk, Job, Row, State, no_survey
from resolver.models.lookups import Lookup
from resolver.models.questions import Question
from resolver.models.turns import Turn

__all__ = [
    "ENDED",
    "Chunk",
    "Comparison",
    "Difference",
    "Draft",
    "Job",
    "Lookup",
    "Question",
    "Row",
    "State",
    "StoredAnswer",
    "Turn",
    "no_survey",
]
