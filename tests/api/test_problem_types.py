"""Each type of error is a class by its own name, with its own slug and a sentence."""

import pytest

from resolver.api import problem_types
from resolver.api.problem_types import ProblemException

TYPES = ProblemException.__subclasses__()


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.slug)
def test_a_traceback_names_the_class_that_the_code_names(kind: type[ProblemException]) -> None:
    assert getattr(problem_types, kind.__name__) is kind


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.slug)
def test_a_type_says_when_it_occurs_and_what_the_caller_reads(kind: type[ProblemException]) -> None:
    assert kind.__doc__
    assert kind.describe_occasion().endswith(".")
    assert bool(kind.default_detail) != bool(kind.example)
    assert kind.title


def test_no_two_types_have_one_slug() -> None:
    assert len({kind.slug for kind in TYPES}) == len(TYPES)
