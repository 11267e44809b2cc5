"""The command `doi-read`: the DOIs of files, what is wrong with them, and what can be corrected with certainty.

A file goes through `file_text` (bytes → text), `formats` (text → passages), `findings` (passages → findings), `fixes`
(what is certain to correct) and `output` (findings → a report). It uses no network, unless `--check` lets `check` ask
whether the DOIs are registered.
"""
