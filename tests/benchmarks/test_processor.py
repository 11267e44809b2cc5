"""How samples of a profiler are told apart."""

from benchmarks.processor import OTHER, shares, step

HOME = "/srv/portal"
OUTER = f"MainThread;serve_owner ({HOME}/resolver/tasks.py:25);_write ({HOME}/resolver/services/jobs/check.py:160)"


def test_a_sample_belongs_to_the_innermost_of_our_functions_that_is_named():
    stack = f"{OUTER};mark ({HOME}/resolver/services/jobs/duplicates.py:30);execute ({HOME}/lib/django/db/utils.py:5)"
    assert step(stack) == "find duplicates"


def test_a_method_is_known_by_its_name_without_the_class():
    stack = f"MainThread;_run ({HOME}/lib/asyncio/events.py:80);Talk.hold ({HOME}/resolver/proxy/async_client.py:54)"
    assert step(stack) == "ask the proxy"


def test_what_is_none_of_ours_is_the_rest():
    assert step(f"MainThread;<module> ({HOME}/lib/celery/__main__.py:19)") == OTHER


def test_a_thread_that_waits_is_not_counted():
    waits = "thread;Condition.wait (/usr/lib/python3.11/threading.py:331) 90"
    works = f"{OUTER} 10"
    assert shares([waits, works]) == {"choose work, keep claims, count": 1.0}
