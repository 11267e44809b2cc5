"""The page on which a browser reads texts by itself, and a folder with the same page for any web server."""
