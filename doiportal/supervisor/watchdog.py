"""Ends all processes of its group when the supervisor is gone, however that came about.

The supervisor holds the other end of the standard input, and it alone: the end of the input says that it is gone. It
puts each process that it starts into this process's group, so there is no list that could miss one. Imports nothing of
ours, as it must be there before anything else is started.
"""

import os
import signal
import sys
import time

GRACE = 3.0  # seconds from SIGTERM to SIGKILL

if __name__ == "__main__":
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    sys.stdin.read()
    os.killpg(0, signal.SIGTERM)
    time.sleep(GRACE)
    os.killpg(0, signal.SIGKILL)
