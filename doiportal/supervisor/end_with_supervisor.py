"""Ends all processes of its group when the supervisor is gone, for whatever reason.

Only the supervisor holds the other end of the standard input, so the end of the input says that it is gone. Each
process that it starts is in this process's group, so no list can miss one. This imports nothing of ours: it must run
before anything else starts."""

import os
import signal
import sys
import time

if __name__ == "__main__":
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    sys.stdin.read()
    os.killpg(0, signal.SIGTERM)
    time.sleep(3.0)  # so that they can end by themselves
    os.killpg(0, signal.SIGKILL)
