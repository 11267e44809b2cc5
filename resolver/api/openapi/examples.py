"""One example of each object of the API. Their members are the examples of the fields."""

from collections.abc import Mapping
from typing import Any

HASH = "An unencoded # cuts the link short, so it may open the wrong DOI. If the # belongs to the DOI, write %23."
PROBLEM = {
    "code": "unescaped-hash",
    "severity": "error",
    "message": HASH,
    "start": 27,
    "end": 31,
}
CANDIDATE = {"doi": "10.1000/456#789", "reason": "with the # and everything after it as part of the name"}
INSPECTION = {
    "input": "https://doi.org/10.1000/456#789",
    "form": "url",
    "doi": "10.1000/456",
    "valid": True,
    "url": "https://doi.org/10.1000/456",
    "uri": "doi:10.1000/456",
    "urn": "urn:doi:10.1000:456",
    "problems": [PROBLEM],
    "candidates": [CANDIDATE],
}
RECORD = {
    "responseCode": 1,
    "handle": "10.1000/182",
    "values": [
        {
            "index": 1,
            "type": "URL",
            "data": {"format": "string", "value": "http://www.doi.org/hb.html"},
            "ttl": 86400,
            "timestamp": "2004-01-21T14:14:17Z",
        }
    ],
}
LOOKUP = {
    "input": "10.1000/182",
    "form": "name",
    "doi": "10.1000/182",
    "valid": True,
    "url": "https://doi.org/10.1000/182",
    "uri": "doi:10.1000/182",
    "urn": "urn:doi:10.1000:182",
    "problems": [],
    "candidates": [],
    "id": "1b70c640-d26d-4de1-8a5c-f14836c6c08c",
    "created_at": "2026-11-23T05:21:48.813016Z",
    "outcome": "resolved",
    "ra": "Public",
    "ra_status": None,
    "prefix_ra": None,
    "urls": ["http://www.doi.org/hb.html"],
    "record": RECORD,
    "alias_of": None,
    "suggestion": None,
    "others": [],
    "proxy": "https://doi.org",
    "answered_at": "2026-11-23T05:21:48Z",
    "cached": False,
    "page": "http://127.0.0.1:8000/lookups/1b70c640-d26d-4de1-8a5c-f14836c6c08c",
    "sample": False,
}
METADATA = {
    "doi": "10.1093/nar/gkaa1100",
    "given": True,
    "reason": None,
    "message": None,
    "title": "A title",
    "first_author": "Lovelace, Ada",
    "is_editor": False,
    "authors": 3,
    "year": 2021,
    "container": "Nucleic Acids Research",
    "publisher": "Oxford University Press",
    "type": "journal-article",
    "names_doi": "10.1093/nar/gkaa1100",
    "agency": "Crossref",
    "source": "api.crossref.org",
    "received_at": "2026-11-23T05:21:48Z",
    "cached": False,
    "sample": False,
}
JOB = {
    "id": "b23353fb-1838-4e19-8511-87843a304b98",
    "filename": "list.csv",
    "name": "Spring",
    "note": "for Ada",
    "kind": "table",
    "column": "DOI",
    "state": "finished",
    "total": 3,
    "done": 3,
    "counts": {
        "outcome": {"resolved": 1, "not-found": 1, "invalid": 1},
        "problem": {"unescaped-hash": 1, "no-doi": 1},
        "ra": {"Public": 1},
    },
    "duplicates": 0,
    "incomplete": 0,
    "survey": None,
    "created_at": "2026-11-23T05:21:48.882745Z",
    "started_at": "2026-11-23T05:21:48.935150Z",
    "finished_at": "2026-11-23T05:21:49.019768Z",
    "error": None,
    "page": "http://127.0.0.1:8000/jobs/b23353fb-1838-4e19-8511-87843a304b98",
    "quick": False,
    "sample": False,
}
ROW = {
    "line": 2,
    "row": 3,
    "part": 0,
    "record": None,
    "field": None,
    "writable": None,
    "reason": None,
    "input": "https://doi.org/10.1000/456#789",
    "doi": "10.1000/456",
    "url": "https://doi.org/10.1000/456",
    "outcome": "not-found",
    "ra": None,
    "urls": [],
    "problems": ["unescaped-hash"],
    "messages": HASH,
    "suggestion": None,
    "doubtful": False,
    "corrected_doi": None,
    "correction": "not-registered",
    "decision": None,
    "decided_by": None,
    "decided_at": None,
    "alias_of": None,
    "prefix_ra": "Public",
    "ra_status": "DOI does not exist",
    "others": [],
    "same_as": None,
    "checked_at": "2026-11-23T05:21:48Z",
    "answered_at": "2026-11-23T05:21:48Z",
    "cached": True,
    "proxy": "https://doi.org",
}
AGENCY = {
    "name": "Crossref",
    "title": "Crossref",
    "home": "https://www.crossref.org/",
    "report": "https://support.crossref.org/hc/en-us/requests/new",
    "examples": ["10.1038", "10.1109", "10.1371"],
    "name_seen": True,
}


def _page(item: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"next": None, "previous": None, "results": [item]}


WEBHOOK: Mapping[str, Any] = {
    "id": "6f1c7e0a-58d2-4b43-9c5d-0f7f2f7b1a66",
    "name": "Nightly check",
    "url": "https://library.example.org/doi-events",
    "events": ["job.finished", "job.failed"],
    "created_at": "2026-11-23T05:21:48.813016Z",
    "disabled_at": None,
}
DELIVERY: Mapping[str, Any] = {
    "id": "msg_0b8f3c1d2e4f5a6b7c8d9e0f1a2b3c4d",
    "event": "job.finished",
    "created_at": "2026-11-23T05:24:02.113016Z",
    "attempts": 1,
    "next_at": "2026-11-23T05:25:04.000000Z",
    "delivered_at": None,
    "status": 503,
    "error": "the receiver answered with HTTP 503",
}
HOST_CHECK: Mapping[str, Any] = {
    "state": "finished",
    "started_at": "2026-11-23T05:30:02.113016Z",
    "finished_at": "2026-11-23T05:30:09.481217Z",
    "hosts": 1,
    "checked": 1,
    "rows": 34,
    "left_out": 0,
}
CHECKED_HOST: Mapping[str, Any] = {
    "host": "journal.example.org",
    "scheme": "https",
    "port": 443,
    "rows": 34,
    "verdict": "certificate-untrusted",
    "detail": "The server signed its certificate itself.",
    "checked_at": "2026-11-23T05:30:04.000000Z",
}

EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "Agency": AGENCY,
    "AgencyPage": _page(AGENCY),
    "Candidate": CANDIDATE,
    "ChangedRows": {"changed": 34},
    "CheckedHost": CHECKED_HOST,
    "CheckedHostPage": {"next": None, "previous": None, "check": HOST_CHECK, "results": [CHECKED_HOST]},
    "HostCheck": HOST_CHECK,
    "DescriptionRequest": {"name": "Spring", "note": "for Ada"},
    "Index": {
        "agencies": "http://127.0.0.1:8000/api/v1/agencies",
        "inspections": "http://127.0.0.1:8000/api/v1/inspections",
        "jobs": "http://127.0.0.1:8000/api/v1/jobs",
        "lookups": "http://127.0.0.1:8000/api/v1/lookups",
        "webhooks": "http://127.0.0.1:8000/api/v1/webhooks",
        "schema": "http://127.0.0.1:8000/api/v1/schema",
        "docs": "http://127.0.0.1:8000/api/v1/docs",
    },
    "Delivery": DELIVERY,
    "DeliveryPage": _page(DELIVERY),
    "Inspection": INSPECTION,
    "Inspections": {"results": [INSPECTION]},
    "InspectionsRequest": {"inputs": ["https://doi.org/10.1000/456#789", "doi:10.1000/182"]},
    "Job": JOB,
    "JobPage": _page(JOB),
    "JobRequest": {
        "file": "Title,DOI\nHandbook,10.1000/182\n",
        "column": "DOI",
        "quick": False,
        "name": "Spring",
        "note": "for Ada",
        "sheet": "Sheet1",
        "encoding": "utf-8",
        "delimiter": "comma",
        "header_row": "1",
        "split": False,
        "checked_within": 3600,
        "webhook": "6f1c7e0a-58d2-4b43-9c5d-0f7f2f7b1a66",
    },
    "Lookup": LOOKUP,
    "LookupPage": _page(LOOKUP),
    "LookupRequest": {"input": "10.1000/182", "checked_within": 3600},
    "LookupResult": {"input": "10.1000/182", "status": 201, "lookup": LOOKUP},
    "LookupResults": {"results": [{"input": "10.1000/182", "status": 201, "lookup": LOOKUP}]},
    "Metadata": METADATA,
    "Problem": PROBLEM,
    "Row": ROW,
    "RowDecisionRequest": {"decision": "edited", "doi": "10.1000/182", "decided_at": None},
    "RowDecisionsRequest": {
        "decision": "accepted",
        "expected": 34,
        "q": "spring",
        "outcome": "not-found",
        "problem": "inner-space",
        "ra": "Crossref",
        "group": "needs-work",
        "correction": "suggested",
        "duplicates": False,
    },
    "RowPage": _page(ROW),
    "Suggestion": {**CANDIDATE, "doubtful": False},
    "TriedCandidate": {**CANDIDATE, "exists": True},
    "NewWebhook": {**WEBHOOK, "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"},
    "Webhook": WEBHOOK,
    "WebhookPage": _page(WEBHOOK),
    "WebhookRequest": {
        "url": "https://library.example.org/doi-events",
        "events": ["job.finished", "job.failed"],
        "name": "Nightly check",
    },
}

OTHER_MEMBERS: Mapping[str, Mapping[str, Any]] = {
    "LookupRequest": {"inputs": ["https://doi.org/10.1000/456#789", "doi:10.1000/182"]},
    "LookupResult": {
        "problem": {
            "type": "/problems/proxy-pauses",
            "title": "Requests to the DOI proxy are paused",
            "status": 503,
            "detail": "The DOI proxy is slow, and many requests are waiting. Checks are paused until 09:30:00 UTC. "
            "Try again then. Nothing was stored in your history.",
        }
    },
}
"""Examples of members that the example of their object does not have."""
