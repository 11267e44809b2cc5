"""What the portal counts, in the format of Prometheus: requests to the DOI proxy, rows, lookups and answers.

Each process writes its counts into files of its own, in the folder that PROMETHEUS_MULTIPROC_DIR names. The web server
adds up those of all processes. Without the variable a process counts in its memory, where nothing reads it.
"""

import os
import socket
from functools import cache

from prometheus_client import Counter, Histogram, values

_process = ""


def _name_process() -> None:
    """Give the process a name of its own. In containers that share the folder, processes have the same numbers."""
    global _process
    _process = f"{socket.gethostname()}.{os.getpid()}"


_name_process()
os.register_at_fork(after_in_child=_name_process)

if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
    values.ValueClass = values.MultiProcessValue(lambda: _process)  # asked for with every count

REQUEST_SECONDS = cache(
    Histogram(
        "doiportal_proxy_request_seconds",
        "Seconds of a request to the DOI proxy, by how it answered: good, limited (429, 503), refused (403, a page), "
        "silent (no answer in time), failed (nothing usable), other (says nothing about the proxy), none (given up).",
        ["answer"],
        buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20),
    ).labels
)
PERMIT_SECONDS = cache(
    Histogram(
        "doiportal_permit_wait_seconds",
        "Seconds that a request to the DOI proxy waited for its permit, by who waited: person (or program), or list.",
        ["waiting"],
        buckets=(0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60),
    ).labels
)
ROWS = cache(Counter("doiportal_rows", "Rows of lists that were checked, by outcome.", ["outcome"]).labels)
LOOKUPS = cache(Counter("doiportal_lookups", "Lookups of one text, by outcome.", ["outcome"]).labels)
ANSWERS = cache(
    Counter("doiportal_answers", "Answers to requests, by the first digit of their status.", ["status"]).labels
)
