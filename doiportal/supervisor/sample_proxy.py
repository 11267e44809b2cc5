"""The sample proxy, in a thread of the supervisor, which has nothing else to do."""

import os

from django.conf import settings

from resolver.standin.server import SampleProxyServer


def bind_sample_proxy() -> SampleProxyServer:
    """Return the sample proxy, and let the portal use it. Requests wait until it is started."""
    server = SampleProxyServer(keep=False).bind()
    settings.DOI_PROXY_URL, settings.DOIPORTAL_SAMPLE_DATA = server.url, True
    settings.METADATA_SERVICE_URL = settings.METADATA_SERVICE_URL or server.url
    # A company's HTTP proxy can't reach our own machine.
    for name in ("NO_PROXY", "no_proxy"):
        os.environ[name] = ",".join(filter(None, [os.environ.get(name), "127.0.0.1"]))
    return server
