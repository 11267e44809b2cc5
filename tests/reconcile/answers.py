"""Answers of every kind to texts of every kind, for the schemas: a fixed list, the same in each run."""

import json
import random
from collections.abc import Iterator
from typing import Any

from django.test import Client

from resolver.reconcile.properties import list_properties

WORDS = "plain missing novalues nourl alias loop unsafe deleted two loc badloc crlf formats chain2 conneg".split()
FORMS = (
    "{name}", "https://doi.org/{name}", "doi:{name}", "http://dx.doi.org/{name}?x=1", "see {name}.", "{name}#a",
    "{name} {name}b", "<{name}>", "{name}]", "DOI: {name} (2020)", "https://doi.org/{name}%2520x", "\u201c{name}\u201d",
    "{name}\u200b", "urn:doi:{name}", "nothing", "", "10/p54k",
)  # fmt: skip
SEED = 7


def make_texts(number: int) -> list[str]:
    """So many texts: every word of the sample proxy in every form, and random characters."""
    draw = random.Random(SEED)
    characters = "10./abc #?%\u00e9\u2010\U0001f600<>\"'\\\t\n\u202e;,"
    texts = []
    for place in range(number):
        name = f"10.5555/{draw.choice(WORDS)}.{draw.randrange(40)}"
        made = draw.choice(FORMS).format(name=name)
        texts.append(made if place % 5 else made + "".join(draw.choices(characters, k=draw.randrange(30))))
    return texts


def list_answers(client: Client, number: int, size: int = 50) -> Iterator[tuple[str, Any, int]]:
    """Yield the file of the schema, the answer, and how many texts it answers; so many texts in all."""
    texts = make_texts(number)
    for start in range(0, number, size):
        batch = {f"q{place}": {"query": text} for place, text in enumerate(texts[start : start + size])}
        address = "/reconcile/quick" if start // size % 4 == 3 else "/reconcile"
        response = client.post(address, {"queries": json.dumps(batch)})
        assert response.status_code == 200, response.content
        found = response.json()
        yield "reconciliation-result-batch.json", found, len(batch)
        ids = list(dict.fromkeys(one["id"] for each in found.values() for one in each["result"]))[:10]
        wanted = {"ids": [*ids, "10.5555/missing", "no DOI"], "properties": [{"id": one} for one in list_properties()]}
        yield "data-extension-response.json", client.post(address, {"extend": json.dumps(wanted)}).json(), 0
    for address in ("/reconcile", "/reconcile/quick"):
        yield "manifest.json", client.get(address).json(), 0
    for query in ("?type=doi", "?type=doi&limit=3", ""):
        yield "data-extension-property-proposal.json", client.get(f"/reconcile/proposals{query}").json(), 0
    for prefix in ("", "Reg", "u", "nowhere"):
        yield "suggest-properties-response.json", client.get("/reconcile/properties", {"prefix": prefix}).json(), 0
    for prefix in ("", "10.5555/plain", "10.1000/182]", "10.5555/missing", "10.5555"):
        yield "suggest-entities-response.json", client.get("/reconcile/entities", {"prefix": prefix}).json(), 0
