"""The pages of watches, and the mails and the feed that report their changes."""
