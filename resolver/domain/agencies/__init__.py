"""The Registration Agencies: whom to contact, and which services have their metadata, as tables with their sources."""
