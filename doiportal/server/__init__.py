"""The web server: gunicorn keeps the processes, aiohttp speaks HTTP in an event loop, the portal runs in threads.

A thread is only held while the portal computes. Heads and bodies arrive, and answers leave, in the event loop: a client
that is slow, or silent, costs a connection there and nothing else (docs/decisions/0008-slow-clients-hold-no-thread.md).
"""
