"""Accounts and sessions: who owns what is stored, secrets in addresses, and what an account may use on one day."""
