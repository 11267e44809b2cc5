"""Publishers, library proxies and registrant codes, as tables with their sources."""
