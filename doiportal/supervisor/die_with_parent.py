"""Runs a command on a leash: `python die_with_parent.py PARENT COMMAND…` becomes COMMAND, which ends when PARENT does.

A file of its own that imports nothing of ours: it is started before each process, so it must be quick. The kernel
sends the signal (Linux); the watchdog does the same for whole groups, and where there is no such call.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

if __name__ == "__main__":
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the supervisor is gone")  # it died before the call above
    os.execvp(sys.argv[2], sys.argv[2:])
