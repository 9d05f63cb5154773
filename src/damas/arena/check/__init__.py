"""Whether a program is fit for a contest: a report with a name for each check, before a game is lost by it."""

from damas.arena.check.examiner import examine
from damas.arena.check.report import CHECKS, Check, Report

__all__ = ["CHECKS", "Check", "Report", "examine"]
