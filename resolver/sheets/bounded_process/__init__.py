"""Files of strangers are read by processes with bounds: a hostile one ends its process alone."""
