"""Analysis for visitors: engine searches, verdicts of the endgame tables, reports on whole games."""
