#!/usr/bin/env python
"""Django's command line."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")
    from django.core.management import execute_from_command_line

    from doiportal.command_line import explain_trouble

    with explain_trouble(sys.argv):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
