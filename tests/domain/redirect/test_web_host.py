"""Where a URL value leads: the host, the port, and whether the connection is secure."""

import pytest

from resolver.domain.redirect.web_host import WebHost, find_web_host


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Journal.Example./a?b#c", WebHost("journal.example", 443, tls=True)),
        (" http://journal.example:8080/a ", WebHost("journal.example", 8080, tls=False)),
        ("HTTPS://someone:else@journal.example/", WebHost("journal.example", 443, tls=True)),
        ("https://bücher.example", WebHost("xn--bcher-kva.example", 443, tls=True)),
        ("https://exam\u00adple\u200b.org/", WebHost("example.org", 443, tls=True)),
        ("https://b\u00fc\u2060cher.example", WebHost("xn--bcher-kva.example", 443, tls=True)),
        ("https://[2001:0db8:0:0::0001]/", WebHost("2001:db8::1", 443, tls=True)),
        ("https://[::1%25eth0]/", None),
        ("https://\u2100.example/", None),
        ("https://[2001:DB8::1]:444/", WebHost("2001:db8::1", 444, tls=True)),
        ("https://0x7f000001/", WebHost("0x7f000001", 443, tls=True)),
        ("ftp://journal.example/", None),
        ("javascript:alert(1)", None),
        ("journal.example/a", None),
        ("https:///a", None),
        ("https://journal.example:99999/", None),
        ("https://journal.example:0/", None),
        ("https://[::1/", None),
        ("https://journal.example\\@other.example/", None),
        ("https://journal%2eexample/", None),
        ("https://journal .example/", None),
        ("https://" + "a." * 127 + "example/", None),
        ("", None),
    ],
)
def test_the_host_is_read_as_every_program_reads_it_or_not_at_all(url: str, host: WebHost | None) -> None:
    assert find_web_host(url) == host
