"""How strong players are, from the games alone: Elo with error bars, Glicko-2 by rounds. The order of games is nothing."""

from damas.arena.ratings.elo import Rating, difference, elo
from damas.arena.ratings.glicko import Glicko, glicko, glicko_by_round

__all__ = ["Glicko", "Rating", "difference", "elo", "glicko", "glicko_by_round"]
