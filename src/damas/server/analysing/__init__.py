"""Analysis for visitors: engine searches, verdicts of the endgame tables, reports on whole games."""

from damas.server.analysing.analysing import Analysing
from damas.server.analysing.places import Place

__all__ = ["Analysing", "Place"]
