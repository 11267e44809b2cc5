"""Where uploaded files lie so that every machine of the portal reaches them, and their copies on this machine."""
