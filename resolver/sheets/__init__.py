"""Files in and out: what librarians upload, and the results they take away."""
