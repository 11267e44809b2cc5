"""Processes with bounds that read the files of strangers: a hostile file ends only its own process."""
