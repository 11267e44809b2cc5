"""Hosts of library proxies and parameters of link resolvers, as data."""

import re

from doi_reading.tables import split_rows

_PROXY_HOSTS = """
proxy         https://link-springer-com.libproxy.lib.example/chapter/10.1007/x       repair.tsv: libproxy.mit.edu
idm.oclc.org  https://link-springer-com.lib.idm.oclc.org/chapter/10.1007/x           repair.tsv: napier.idm.oclc.org
ezp           https://link-springer-com.ezp.lib.example/chapter/10.1007/x            OCLC, EZproxy documentation
webvpn        https://webvpn.lib.example/https/abc/10.1007/x                         wrdvpn, a proxy of Chinese universities
remotexs      https://link-springer-com.lib.remotexs.example/chapter/10.1007/x       RemoteXs
openathens    https://link-springer-com.openathens.example/chapter/10.1007/x         OpenAthens, managed proxy
eresources    https://link-springer-com.eresources.lib.example/chapter/10.1007/x     EZproxy under a name of its own
remoteaccess  https://link-springer-com.remoteaccess.lib.example/chapter/10.1007/x   EZproxy under a name of its own
"""
_LINK_RESOLVER_KEYS = """
rft_id=       https://resolver.lib.example/sfx?rft_id=info:doi/10.1000/182           ANSI/NISO Z39.88 (OpenURL 1.0)
rft.doi=      https://resolver.lib.example/sfx?rft.doi=10.1000/182                   ANSI/NISO Z39.88, in use
rft_doi=      https://resolver.lib.example/sfx?rft_doi=10.1000/182                   variant in use
id=doi:       https://resolver.lib.example/sfx?id=doi:10.1000/182                    OpenURL 0.1
id=doi%3a     https://resolver.lib.example/sfx?id=doi%3A10.1000/182                  OpenURL 0.1, encoded
id=info:      https://resolver.lib.example/sfx?id=info:doi/10.1000/182               OpenURL 0.1 with an info URI
id=info%3a    https://resolver.lib.example/sfx?id=info%3Adoi/10.1000/182             OpenURL 0.1 with an info URI, encoded
"""


PROXY_HOST_MARKS = tuple(mark for mark, _example, _source in split_rows(_PROXY_HOSTS))
"""Words in the host name of a library's proxy."""

LINK_RESOLVER_KEYS = tuple(key for key, _example, _source in split_rows(_LINK_RESOLVER_KEYS))
"""Parameters that pass the name to a link resolver in an OpenURL."""
EXAMPLES = tuple(example for _word, example, _source in split_rows(_PROXY_HOSTS + _LINK_RESOLVER_KEYS.lstrip()))

LOGIN_PATH = re.compile(r"/(?:login|logon|connect|redirect)?/?\Z")
"""Paths at which EZproxy accepts `?url=`; its value extends to the end of the address."""


def is_library_proxy(host: str) -> bool:
    """Return whether the words of a host name suggest a library's proxy."""
    return any(mark in host for mark in PROXY_HOST_MARKS)
