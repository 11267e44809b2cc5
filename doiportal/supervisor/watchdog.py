"""Ends the process groups it was told of when the supervisor is gone, however that came about.

It reads group numbers from standard input, a line each. Nobody but the supervisor holds the other end, so the end of
the input without the word "done" means that the supervisor was killed. It imports nothing of ours.
"""

import os
import signal
import sys
import time

GRACE = 3.0  # seconds from "please" to "now"
ASK = 0  # no signal: only whether the group is there


def groups_left_behind() -> list[int]:
    groups = []
    for line in sys.stdin:
        if line.strip() == "done":
            return []
        groups.append(int(line))
    return groups


def end(group: int, number: int) -> bool:
    """Whether there was anything left to end."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


if __name__ == "__main__":
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    left = [group for group in groups_left_behind() if end(group, signal.SIGTERM)]
    deadline = time.monotonic() + GRACE
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = [group for group in left if end(group, ASK)]
    for group in left:
        end(group, signal.SIGKILL)
