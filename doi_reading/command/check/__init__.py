"""Whether the DOIs of files are registered: the only part of the library that opens connections. `doi-read --check`
imports it, and nothing else does.

`service` sends one request, `registrations` asks about names politely, and `checked_files` says it of each place.
"""
