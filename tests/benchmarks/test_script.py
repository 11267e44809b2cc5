"""The script that lists are measured beside."""

from pathlib import Path

from benchmarks import script
from resolver.standin.server import SampleProxyServer


def test_it_writes_what_the_proxy_says_of_each_name_in_order(tmp_path: Path):
    source, target = tmp_path / "list.csv", tmp_path / "results.csv"
    source.write_text("id,doi\n1,10.5555/a\n2,10.5555/missing-b\n")
    with SampleProxyServer() as proxy:
        script.check(proxy.url, source, target)
    assert target.read_text().splitlines() == [
        "doi,code,agency,addresses",
        "10.5555/a,1,Crossref,https://example.org/landing/a",
        "10.5555/missing-b,100,DOI does not exist,",
    ]


def test_it_sends_two_requests_a_name_and_tells_its_speed():
    with SampleProxyServer() as proxy:
        run = script.run_script(proxy.url, [f"10.5555/{n}" for n in range(50)])
        assert proxy.watch.total == 100
    assert run.rate > 1
    assert 100 < run.processor < 1e5
