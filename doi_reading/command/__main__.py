"""`python -m doi_reading.command`: the command `doi-read`, also where it isn't installed."""

import sys

from doi_reading.command.command_line import main

if __name__ == "__main__":
    sys.exit(main())
