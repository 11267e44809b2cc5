"""The pages of watches, and what else tells of their changes: mails and a feed."""
