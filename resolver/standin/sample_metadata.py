"""Made-up metadata of the works behind names, in place of the agencies' services: CSL JSON, or why there is none."""

import json
from typing import Any
from zlib import crc32

from doi_reading import fold
from resolver.standin import generated_names, http_replies
from resolver.standin.http_replies import HttpReply
from resolver.standin.sample_answers import SampleAnswers

CSL_JSON = "application/vnd.citationstyles.csl+json"
WITH_METADATA = frozenset({"Crossref", "DataCite"})
_FAMILIES = ("Sample", "Mustermann", "Dupont", "Rossi", "Novák", "Jónsdóttir", "Yamada", "van der Berg")


def describe_work(name: str, answers: SampleAnswers, accept: str) -> HttpReply:
    """Return what the agency of the name answers to a request that accepts `accept`."""
    agency = answers.agency(name).ra
    word = generated_names.find_behaviour_word(generated_names.split_suffix(name))
    if agency is None:
        return http_replies.build_page_reply(404, "<!DOCTYPE html><title>Not found</title>")
    if agency not in WITH_METADATA or word == "unknownwork" or CSL_JSON not in accept:
        return http_replies.build_page_reply(406, "<!DOCTYPE html><title>Not acceptable</title>")
    work = _make_odd_work(name) if word == "oddwork" else _make_work(name, dataset=agency == "DataCite")
    return HttpReply(200, json.dumps(work).encode(), {"Content-Type": CSL_JSON})


def _make_work(name: str, *, dataset: bool) -> dict[str, Any]:
    """An article, or a dataset; the same for the same name in any case (S8)."""
    seed = crc32(fold(name).encode("utf-8", "replace"))
    work: dict[str, Any] = {
        "type": "dataset" if dataset else "article-journal",
        "DOI": name,
        "title": f"Sample title of {name}",
        "author": [
            {"family": _FAMILIES[seed % len(_FAMILIES)], "given": "Ada"},
            {"family": _FAMILIES[seed // 8 % len(_FAMILIES)], "given": "Émile"},
        ][: 1 + seed % 2],
        "issued": {"date-parts": [[1990 + seed % 35, 1 + seed % 12]]},
        "publisher": "Sample Publisher",
    }
    return work if dataset else {**work, "container-title": "Journal of Sample Data"}


def _make_odd_work(name: str) -> dict[str, Any]:
    return {
        "type": "dataset",
        "DOI": name,
        "title": ["H&lt;sub&gt;2&lt;/sub&gt;O &amp;amp; <i>E. coli</i>, p < 0.05\n <script>alert(1)</script>"],
        "author": [{"affiliation": []}, {"literal": "The <b>Sample</b> Consortium"}, None],
        "issued": {"raw": "published in May 2019"},
        "container-title": [],
        "publisher": {"name": "not a text"},
    }
