"""Tries mutants inside of one run of pytest: each in a fork of it, so that neither imports nor the database cost anew.

In the fork the functions get their changed code, and constants their changed value, wherever they were imported to. The
tests that run the line, or a line that reads the constant, are run until one fails. What a test starts as a program of
its own has the code as it is.
"""

import ast
import gc
import os
import resource
import signal
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol
from django.db import connections

from benchmarks.mutants.changes import ROOT, Mutant
from benchmarks.mutants.constants import Change, compute_changes, find_assignments

KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"
MEMORY = 4 << 30  # bytes of address space that a mutant may take more than it began with
Tests = Sequence[tuple[str, float]]


@dataclass(frozen=True)
class MutantVerdict:
    result: str
    test: str = ""  # by which it was killed
    tests: int = 0  # how many ran


class Forks:
    """Functions and tests of this process, and a fork of it for each mutant."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self.items = {item.nodeid: item for item in items}
        self._functions: dict[str, list[FunctionType]] = defaultdict(list)
        self._caches = [one for one in gc.get_objects() if type(one) is _lru_cache_wrapper]
        for one in gc.get_objects():
            if type(one) is FunctionType:  # isinstance would wake what is lazy
                self._functions[one.__code__.co_filename].append(one)
        self._sound: dict[str, bool] = {}  # tests, and whether they pass where the change is no matter of theirs

    def changed(self, mutant: Mutant) -> list[Change]:
        """What the mutant sets to another value: a constant wherever it is, or the code of functions. Nothing where the
        change cannot be seen, or not be made in place."""
        path = str(ROOT / mutant.path)
        if mutant.constant:
            statement = find_assignments(ast.parse(mutant.source))[mutant.function]
            return compute_changes((mutant.path, mutant.function), statement)
        try:
            new = compile(mutant.source, path, "exec", dont_inherit=True)
        except SyntaxError:
            return []
        old = _codes_of(mutant.text, path)
        codes = _codes(new)
        different = {key: codes[key] for key in old.keys() & codes.keys() if _shape(old[key]) != _shape(codes[key])}
        places = {(code.co_qualname, code.co_firstlineno): key for key, code in old.items()}
        found: list[Change] = []
        for function in self._functions[path]:
            key = places.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if key in different and len(different[key].co_freevars) == len(function.__code__.co_freevars):
                found.append((function, "__code__", different[key]))
        return found

    def try_one(self, changes: list[Change], tests: Tests, seconds: float) -> MutantVerdict:
        """Run the tests until one fails that passes without the change."""
        unsound: set[str] = set()
        while True:
            chosen = [test for test, _ in tests if test in self.items and test not in unsound]
            if not chosen:
                return MutantVerdict(SURVIVED)
            verdict = self._fork(changes, chosen, seconds)
            self._sound |= dict.fromkeys(chosen[: max(verdict.tests - 1, 0)], True)  # those before the last have passed
            if verdict.result != KILLED or self._is_sound(verdict.test, seconds):
                return verdict
            unsound.add(verdict.test)

    def _is_sound(self, test: str, seconds: float) -> bool:
        if test not in self._sound:
            self._sound[test] = self._fork([], [test], seconds).result == SURVIVED
        return self._sound[test]

    def _fork(self, changes: list[Change], tests: list[str], seconds: float) -> MutantVerdict:
        connections.close_all()
        told, tell = os.pipe()
        child = os.fork()
        if not child:
            os.setsid()
            os.close(told)
            self._work(changes, tests, tell)
        os.close(tell)
        ended = _wait(child, time.monotonic() + seconds)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # whatever it has started ends too
        if not ended:
            os.waitpid(child, 0)
        with os.fdopen(told) as pipe:
            lines = pipe.read().splitlines()
        # A child that ended without a last word was ended by the change: by its memory, or by an exit.
        if ended and lines and lines[-1] == SURVIVED:
            return MutantVerdict(SURVIVED, tests=len(tests))
        at = len(lines) - 1
        return MutantVerdict(
            KILLED if ended else TIMED_OUT, tests[min(at, len(tests) - 1)] if lines else "", len(lines)
        )

    def _work(self, changes: list[Change], tests: list[str], tell: int) -> None:
        """In the fork: a line for each test that begins, and a last word when all have passed. Does not return."""
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        for holder, name, new in changes:
            setattr(holder, name, new)
        for cached in self._caches:
            cached.cache_clear()
        items = [self.items[test] for test in tests]
        for item, after in zip(items, [*items[1:], items[-1]], strict=True):
            os.write(tell, b"begun\n")
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
                os._exit(0)
        os.write(tell, f"{SURVIVED}\n".encode())
        os._exit(0)


@cache
def _codes_of(text: str, path: str) -> dict[tuple[str, int], CodeType]:
    return _codes(compile(text, path, "exec", dont_inherit=True))


def _codes(code: CodeType) -> dict[tuple[str, int], CodeType]:
    """Every function's code below, by its qualified name and how many of that name came before it."""
    found: dict[tuple[str, int], CodeType] = {}
    for one in _below(code):
        number = 0
        while (one.co_qualname, number) in found:
            number += 1
        found[one.co_qualname, number] = one
    return found


def _below(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _below(constant)


def _shape(code: CodeType) -> tuple[object, ...]:
    """What makes two codes do different things; lines and columns do not."""
    constants = tuple(
        _shape(constant) if isinstance(constant, CodeType) else (type(constant).__name__, repr(constant))
        for constant in code.co_consts
    )
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_exceptiontable


def _wait(child: int, until: float) -> bool:
    while time.monotonic() < until:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(0.01)
    return False
