"""What all use cases need of the database and of the storage of files: the shared clock, leases, pages by key, removal
in batches, room on the disk, and where uploaded files are."""
