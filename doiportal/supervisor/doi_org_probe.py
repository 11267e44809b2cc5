"""`python -m doiportal.supervisor.doi_org_probe`: exit code 0 if doi.org can be reached. It tries once, through
HTTPS_PROXY and with the CA bundle of requests."""

import signal
import sys

import requests

if __name__ == "__main__":
    signal.alarm(5)  # the system ends this process: a silent name server takes longer than any time-out of a request
    try:
        requests.head("https://doi.org", timeout=3)
    except requests.RequestException:
        sys.exit(1)
