"""Endgame tables that know the law: exact endings, without limits and under each rulebook's own.

>>> import damas
>>> from damas import tablebase
>>> position = damas.Position.from_fen("W:WKa1,Kc1,Ke1:BKh6", "faraes")
>>> tablebase.probe(position).verdict.name
'win'
"""

from damas.tablebase.build import build
from damas.tablebase.laws import MaterialLaw, law_of
from damas.tablebase.material import Material, canonical_materials
from damas.tablebase.store import Store, root, store_of
from damas.tablebase.verdict import MoveVerdict, Probe, Verdict, probe

__all__ = [
    "Material",
    "MaterialLaw",
    "MoveVerdict",
    "Probe",
    "Store",
    "Verdict",
    "build",
    "canonical_materials",
    "law_of",
    "probe",
    "root",
    "store_of",
]
