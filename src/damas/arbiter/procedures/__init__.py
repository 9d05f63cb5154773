"""The procedures of the arbiter, one small object each; a regulation gives their order."""

from damas.arbiter.procedures.board import Blowing, Crowning, EndOnBoard, Laws
from damas.arbiter.procedures.draws import Attention, DrawClaim, DrawOffer
from damas.arbiter.procedures.hand import (
    Hints,
    IllegalMoveByBot,
    IllegalMoveByPerson,
    TouchMove,
    UnfinishedChain,
)
from damas.arbiter.procedures.intervention import ArbiterIntervention
from damas.arbiter.procedures.leaving import Abort, Disconnection, Resignation, TakeBack
from damas.arbiter.procedures.procedure import Procedure, Ruling
from damas.arbiter.procedures.time import ClockPress, FlagFall

ALL: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (
        EndOnBoard(),
        Laws(),
        FlagFall(),
        IllegalMoveByBot(),
        IllegalMoveByPerson(),
        TouchMove(),
        UnfinishedChain(),
        Crowning(),
        Blowing(),
        ClockPress(),
        DrawOffer(),
        DrawClaim(),
        Attention(),
        Hints(),
        Resignation(),
        TakeBack(),
        Abort(),
        Disconnection(),
        ArbiterIntervention(),
    )
}

__all__ = ["ALL", "Procedure", "Ruling"]
