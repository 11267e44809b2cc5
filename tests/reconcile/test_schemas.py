"""Every answer has the shape of the specification."""

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from tests.reconcile.answers import list_answers
from tests.reconcile.specification import BY_FILE

pytestmark = pytest.mark.django_db

TEXTS = 2000


@pytest.mark.slow
def test_the_answers_to_two_thousand_texts_have_the_shape_of_the_specification(client: Client) -> None:
    validators = {file: Draft202012Validator(schema) for file, schema in BY_FILE.items()}
    seen: Counter[str] = Counter()
    answered = matched = 0
    for file, answer, texts in list_answers(client, TEXTS):
        validators[file].validate(answer)
        seen[file] += 1
        answered += texts
        if file == "reconciliation-result-batch.json":
            matched += sum(one["match"] for each in answer.values() for one in each["result"])
    assert answered == TEXTS
    assert seen.keys() == BY_FILE.keys()
    assert 100 < matched < TEXTS, "both kinds were tried"


@pytest.mark.parametrize("size", [0, 1])
def test_a_result_without_its_members_is_noticed(size: int) -> None:
    broken: list[Any] = [{"q0": {}}, {"q0": {"result": [{"id": "10.1000/182"}]}}]
    assert not Draft202012Validator(BY_FILE["reconciliation-result-batch.json"]).is_valid(broken[size])
