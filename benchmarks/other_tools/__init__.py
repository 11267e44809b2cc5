"""The corpus put to other tools that read DOIs, beside our reader: `make compare` writes docs/comparison.md.

`pinned_tools.tsv` names the tools. `python_calls.py`, `javascript_calls.js` and `published_patterns.py` call them.
`__main__.py` installs, counts and writes.
"""
