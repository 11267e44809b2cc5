"""What is known of publishers, library proxies and registrant codes, as tables with their sources."""
