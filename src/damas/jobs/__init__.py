"""Many independent pieces of work: on the processors of this machine, or on a Ray cluster, with the same results."""

from damas.jobs.ledger import Ledger
from damas.jobs.pieces import call, run_pieces
from damas.jobs.work import Calls, Work, Workers
from damas.jobs.workers import workers_for

__all__ = ["Calls", "Ledger", "Work", "Workers", "call", "run_pieces", "workers_for"]
