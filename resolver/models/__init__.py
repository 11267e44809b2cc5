"""The stored data: lookups, drafts, jobs with their chunks and rows, comparisons, and cached answers of the proxy."""

from resolver.models.comparisons import Comparison, Difference
from resolver.models.drafts import Draft
from resolver.models.in_flight_requests import InFlightRequest
from resolver.models.jobs import ENDED, Chunk, Job, Row, State, no_precheck
from resolver.models.lookups import Lookup
from resolver.models.stored_answers import StoredAnswer
from resolver.models.wakeups import Wakeup

__all__ = [
    "ENDED",
    "Chunk",
    "Comparison",
    "Difference",
    "Draft",
    "InFlightRequest",
    "Job",
    "Lookup",
    "Row",
    "State",
    "StoredAnswer",
    "Wakeup",
    "no_precheck",
]
