"""Rules that repair a damaged name, names that follow from other identifiers, and what two names have to do with each
other."""

from doi_reading.repair.names_by_rule import NameByRule, find_names_by_rule
from doi_reading.repair.near_names import ListVocabulary
from doi_reading.repair.rules import propose_repairs
from doi_reading.repair.safe_cut import is_journal, is_same_work

__all__ = ["ListVocabulary", "NameByRule", "find_names_by_rule", "is_journal", "is_same_work", "propose_repairs"]
