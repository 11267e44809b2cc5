"""`python -m doiportal` is the command `doiportal`."""

import sys

from doiportal.command_line import main

if __name__ == "__main__":
    sys.exit(main())
