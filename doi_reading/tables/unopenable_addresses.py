"""Hosts and paths of addresses that open no document for readers outside: private names, test systems, log-in pages,
unfilled templates, as data."""

import re

from doi_reading.tables import split_rows

_PRIVATE_ENDINGS = """
localhost    RFC 6761, 6.3
localdomain  the default of many servers: localhost.localdomain
local        RFC 6762: names that only the own network knows
internal     ICANN's resolution of 2024-07-29: kept for private networks
home.arpa    RFC 8375: the network at home
test         RFC 6761, 6.2: never in the public DNS
invalid      RFC 6761, 6.4: never in the public DNS
intranet     RFC 6762, appendix G: in use in private networks
private      RFC 6762, appendix G
corp         RFC 6762, appendix G
home         RFC 6762, appendix G
lan          RFC 6762, appendix G
"""

_TEST_SYSTEMS = """
sandbox.zenodo.org    Zenodo's sandbox, in the documentation of its API
test.datacite.org     DataCite's system for tests, in the code of datacite/lupo: handle.test.datacite.org
stage.datacite.org    its stage: handle.stage.datacite.org in issue 1344 of datacite/datacite
test.crossref.org     Crossref's system for tests, in its documentation of deposits
demo.dataverse.org    the README of IQSS/dataverse: for testing and evaluation
demo.dspace.org       the demonstration of DSpace, in its documentation
sandbox.dspace.org    the default server of an unconfigured DSpace: host in config.yml
sandbox.islandora.ca  the wiki of Islandora/documentation
staging.osf.io        the settings of OSF's own tests
figsh.com             figshare's stage: api.figsh.com
sandbox.orcid.org     ORCID's sandbox, in the documentation of its API
"""

_LOGIN_PAGES = """
/login              Django, Laravel, DSpace, OJS (index.php/journal/login)
/log-in             in use
/logon              in use
/login_form         Plone
/login/index        Moodle: /login/index.php
/loginpage          in use
/ldap-login         DSpace
/password-login     DSpace
/shibboleth-login   DSpace
/shibboleth.sso/login  Shibboleth's service provider
/wp-login           WordPress: /wp-login.php
/signin             OJS (/login/signIn), in use
/sign-in            in use
/sign_in            Devise: /users/sign_in
/idp/profile/saml2/redirect/sso  Shibboleth's identity provider
/idp/profile/cas/login           the same
/core/loginuserpass  SimpleSAMLphp: /module.php/core/loginuserpass.php
/adfs/ls            Active Directory Federation Services
"""

_LOGIN_HOSTS = """
accounts.google.com        the issuer in Google's documentation of OpenID Connect
login.microsoftonline.com  the default of Microsoft Entra, in the documentation of TokenCredentialOptions.AuthorityHost
"""


PRIVATE_ENDINGS = tuple(f".{ending}" for ending, _source in split_rows(_PRIVATE_ENDINGS))
"""Of hosts that only a private network knows, or no network at all."""
TEST_SYSTEMS = tuple(f".{host}" for host, _source in split_rows(_TEST_SYSTEMS))
"""Hosts, and the ends of hosts, of systems for tests. Add one only with a source."""
LOGIN_PAGES = tuple(path for path, _source in split_rows(_LOGIN_PAGES))
"""The ends of the paths of log-in pages, without the ending of a file."""
LOGIN_HOSTS = frozenset(host for host, _source in split_rows(_LOGIN_HOSTS))
"""Hosts on which all pages are for signing in. Add one only with a source."""

TEST_LABEL = re.compile(
    r"(?:(?:[a-z0-9]{1,30}-){0,3}(?:staging|sandbox|preprod)[0-9]{0,2}(?:-[a-z0-9]{1,30}){0,3}|test[0-9]{0,2})"
    r"(?=\.[^.]{1,63}\.)"
)
"""The first part of the host of a system for tests, as in staging.osf.io, test.crossref.org, sandbox.zenodo.org,
pdc-discovery-staging.princeton.edu. Not `demo` and `dev`: demo.istat.it and dev.biologists.org have documents."""

_NOUN = r"(?:url|uri|link|doi|ids?|uuid|slug|handle|pid|identifier|article[ _-]?id|web ?address|landing ?page)"
TEMPLATE = re.compile(
    r"\{\{?(?![0-9a-f-]{32,38}\})\s{0,3}(?:[a-z_$][\w .|-]{0,40}|[0-9]?)\s{0,3}\}"  # {id}, {{ doi }}, ${url}, {0}
    r"|<[%?]|[%?]>|\$\([a-z_]\w{0,40}\)|\[object\b"  # <%= id %>, <?php, $(id), [object Object]
    r"|<\s{0,3}[a-z_][a-z_ -]{1,40}>"  # <id>; digits and colons stand in the names of old articles (SICI)
    rf"|(?<=[/=])[\[$]{_NOUN}(?:[\]$/?&#]|\Z)|\[(?:insert|your)\b"  # [url], $id$
    r"|(?<![0-9])%(?![0-9a-f]{2}|u[0-9a-f]{4})[a-z](?![a-z0-9])"  # %x, %j.v%vi%i: formats of OJS and of printf
)
"""A part of an address, in lower case, that a program or a person should have filled in."""
TEMPLATE_SIGNS = frozenset("{<>[$%")
"""Every template has one of these."""

EMPTY_PART = re.compile(rf"/(?:undefined|null|nan|tbd|tba|placeholder|x{{4,12}}|:{_NOUN})(?=[/?#]|\Z)")
"""Parts of a path, in lower case, that programs write for a missing value, or should have filled in."""
INVENTED_HOST = re.compile(
    r"(?:www\.)?your-?(?:domain|site|journal|server|host|repository|institution|website|organi[sz]ation)\."
)
"""The host of an instruction, such as yourdomain.com."""
