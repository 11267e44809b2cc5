"""Lists: made of an upload, read into rows, judged, retried, shared and removed."""
