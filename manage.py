#!/usr/bin/env python
"""Django's command line."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "doiportal.settings")
    from django.core.management import execute_from_command_line

    from doiportal.command_line import store_trouble_as_sentence

    with store_trouble_as_sentence(sys.argv):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
