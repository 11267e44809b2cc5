"""The pages of lists: upload, preview, progress, rows, downloads."""
