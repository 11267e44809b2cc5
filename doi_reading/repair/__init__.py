"""Rules that repair a damaged name, and what two names have to do with each other."""

from doi_reading.repair.near_names import ListVocabulary
from doi_reading.repair.rules import propose_repairs
from doi_reading.repair.safe_cut import is_journal, is_same_work

__all__ = ["ListVocabulary", "is_journal", "is_same_work", "propose_repairs"]
