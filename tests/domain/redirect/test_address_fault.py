"""Addresses that open no document for readers outside, and those that only look like it."""

import pytest

from resolver.domain.redirect.destination import find_address_fault, find_resolver_name

PRIVATE = """
http://localhost:4000/handle/123456789/1
http://LOCALHOST/x
http://127.0.0.1/x
http://2130706433/x
http://0x7f.1/x
http://0177.0.0.1/
http://127.1/a
http://１２７.0.0.1/a
http://[::1]/x
http://[::ffff:127.0.0.1]/x
http://[fe80::1]/x
http://[fd00::1]/
http://0.0.0.0/
http://100.64.1.1/x
http://172.16.0.1:8080/x
http://172.31.255.255/
https://192.168.1.5/dspace/handle/1
http://user:secret@10.0.0.5/x
http://169.254.1.1/
http://repo.local/x
http://journal.lan/x
http://srv.corp.internal/x
http://dspace/handle/1
http://router.home.arpa/x
http://foo.localhost./
http://journal.test/1
ftp://localhost/x
"""
UNUSABLE = r"""
http://http://journal.example.org/1
http://https://journal.example.org/1
https://http//journal.example.org/1
https//journal.example.org/1
http:/journal.example.org/1
http:journal.example.org
https;//journal.example.org
http:\\journal.example.org
https://doi.org/
HTTPS://DOI.ORG
http://dx.doi.org/?x
https://doi.org/10.60001/
https://www.doi.org/10.60001
https://hdl.handle.net
https://doi.org/api/handles/
http://a.org/1http://b.org/2
http://a.org/1 http://b.org/2
http://a.org/1;https://b.org/2
http://a.org/1 | http://b.org/2
http://journal.orghttp://journal.org/1
http:///path/x
https://?x=1
http://10.60001/self
http://journal..org/x
http://256.1.1.1/x
http://doi.org10.1000/x
http://journal.org:99999/
http://journal example.org/x
"""
PLACEHOLDER = """
https://journal.example.org/index.php/%x/article/view/{id}
https://j.example.org/article/%7Bid%7D
https://j.example.org/%j.v%vi%i.%p
https://j.example.org/%25x/1
https://j.example.org/[url]
https://j.example.org/?u=[url]
https://j.example.org/${id}
https://j.example.org/<id>
https://j.example.org/%3Cinsert link%3E
https://j.example.org/{{ doi }}
https://j.example.org/article/:id
https://j.example.org/article/undefined
https://j.example.org/article/{0}/pdf
https://j.example.org/<%= id %>
https://{host}/x
https://www.your-domain.com/x
https://sandbox.zenodo.org/record/1
https://handle.test.datacite.org/10.60001/2
https://staging.osf.io/abc
https://api.figsh.com/articles/1
https://test.journal.org/x
https://repo-staging.uni.edu/x
https://demo.dataverse.org/x
https://j.example.org/login
https://j.example.org/login?next=/records/5
https://j.example.org/index.php/j/login?source=%2F
https://j.example.org/wp-login.php?redirect_to=x
https://j.example.org/user/login/
https://j.example.org/users/sign_in
https://j.example.org/Shibboleth.sso/Login?target=x
https://j.example.org/login.aspx;jsessionid=3
https://j.example.org/login/index.php
https://j.example.org/#/login
https://accounts.google.com/ServiceLogin?continue=https://docs.google.com/x
https://accounts.google.com/v3/signin/identifier?continue=x
https://login.microsoftonline.com/common/oauth2/authorize
https://login.microsoftonline.com:443/1f2/saml2?SAMLRequest=x
"""
GOOD = """
https://example.org/x
https://example.com/
https://www.example.net/1
https://target.example/26
https://academic.oup.com/x/article/1?login=false
https://j.example.org/article/login-security
https://j.example.org/login/article/5
https://onlinelibrary.wiley.com/doi/abs/10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2
https://www.doi.org/doi-handbook/
https://www.doi.org/the-identifier/what-is-a-doi/
https://doi.org/10.1000/182
https://hdl.handle.net/10216/144697
https://web.archive.org/web/2015/http://www.x.org/
https://proxy.uni.edu/view?url=https://y.org/1
https://proxy.uni.edu/view?url%3Dhttps://y.org/1
https://x.org/search?q=cache:http://y.org
https://demo.istat.it/x
https://docs.google.com/document/d/1
https://sites.google.com/view/accounts.google.com
https://dev.biologists.org/content/1
https://latest.x.org/1
http://8.8.8.8/x
http://193.136.1.2:8080/jspui/handle/1
http://[2001:4860::1]/x
https://x.org/%E2%82%AC/100%25
https://x.org/?id={3F2504E0-4F89-41D3-9A0C-0305E82C3301}
https://x.org/f.nsf/$FILE/a.pdf
https://x.org/?filter[id]=3
https://x.org/a?x=%u2013
https://nature.com/articles/s41586:id
https://archive.org/details/x%5B1%5D
https://münchen.example/straße
mailto:a@b.org
www.x.org
"""


def _split(addresses: str) -> list[str]:
    return addresses.strip().splitlines()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        *((url, "private-address") for url in _split(PRIVATE)),
        *((url, "unusable-address") for url in _split(UNUSABLE)),
        *((url, "placeholder-address") for url in _split(PLACEHOLDER)),
    ],
)
def test_an_address_that_opens_no_document_says_why(url: str, code: str) -> None:
    fault = find_address_fault(url)
    assert fault is not None
    assert fault.code == code


@pytest.mark.parametrize("url", _split(GOOD))
def test_an_address_that_only_looks_like_one_of_these_is_none(url: str) -> None:
    assert find_address_fault(url) is None


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://doi.org/10.60001/self", "10.60001/self"),
        ("http://dx.doi.org/10.60001%2Fself?locale=en", "10.60001/self"),
        ("https://www.doi.org/doi:10.60001/self#abstract", "10.60001/self"),
        ("https://DOI.org:443/urn:doi:10.60001:self", "10.60001/self"),
        ("https://hdl.handle.net/10.60001/self", "10.60001/self"),
        ("https://doi.org/api/handles/10.60001/self", "10.60001/self"),
        ("https://doi.org//10.60001/self", "10.60001/self"),
        ("https://doi.org/10/abcde", "10/abcde"),
        ("https://hdl.handle.net/10216/144697", "10216/144697"),
        ("https://doi.org/", ""),
        ("https://www.doi.org/doi-handbook/x", None),
        ("https://hdl.handle.net/help/x.html", None),
        ("https://doi.org.proxy.example.edu/10.60001/self", None),
        ("https://example.org/https://doi.org/10.60001/self", None),
    ],
)
def test_an_address_at_the_resolver_names_a_handle(url: str, name: str | None) -> None:
    assert find_resolver_name(url) == name


@pytest.mark.parametrize("part", ["{a", "%", "http:/", "<a ", "[your", "/", ";", "test-", ";/x", "$(", "。"])
def test_a_hostile_address_costs_no_more_than_another(part: str) -> None:
    for start in ("http://", "https://a.example/"):
        find_address_fault(start + part * 200_000)
