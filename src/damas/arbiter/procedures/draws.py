"""Draw offers, draw claims, and calling attention to a limit."""

from damas.arbiter import events
from damas.arbiter.counts import uncounted
from damas.arbiter.events import Event
from damas.arbiter.procedures.board import numbered
from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.table import Table
from damas.game import Outcome
from damas.game.game import waits_for_claim
from damas.rules import DrawRule, cite
from damas.rules.articles import cite_topic


def draw_offer(event: Event, table: Table) -> Outcome | None:
    """A draw by agreement, where the rulebook or the regulation allows it (001-6.3, 002-11, 003-8).

    An offer stands until it is answered, withdrawn, or the opponent moves.
    """
    match event:
        case events.Offered():
            _offer(table)
        case events.Accepted() | events.Declined() if table.offer is not event.by.other:
            raise ProcedureRefused("NO_OFFER")
        case events.Accepted():
            article = table.regulation.cite_clause(table.book, table.book.agreement, True, "agreement")
            return Outcome(None, "AGREEMENT", article, platform=not table.book.agreement.value)
        case events.Withdrew() if table.offer is not event.by:
            raise ProcedureRefused("NO_OFFER")
    return None


def _offer(table: Table) -> None:
    if not table.regulation.agreement_under(table.book):
        clause, regulation = table.book.agreement, table.regulation
        raise ProcedureRefused("NO_AGREEMENT", regulation.cite_clause(table.book, clause, False, "agreement"))
    earliest = table.regulation.offers_from_move
    if table.move_number < earliest:
        raise ProcedureRefused("OFFER_TOO_EARLY", table.regulation.cite("offers_from_move"), move=earliest)
    if table.offer:
        raise ProcedureRefused("OFFER_STANDS", color=table.offer)


def draw_claim(event: Event, table: Table) -> Outcome | None:
    """A claim that a limit is complete: a right one ends the game, a wrong one costs what the regulation says."""
    if isinstance(event, events.Claimed):
        return _claim(event, table)
    if (
        isinstance(event, events.Refused)
        and event.code == "WRONG_CLAIM"
        and table.regulation.wrong_claim == "loses"
    ):
        assert isinstance(event.attempt, events.Claimed)
        return Outcome.loss(event.attempt.by, "WRONG_CLAIM", table.regulation.cite("wrong_claim"))
    return None


def _claim(event: events.Claimed, table: Table) -> Outcome:
    rule = known_rule(event.rule, table)
    counting = next((p for p in table.game.progress() if p.rule.id == rule.id), None)
    article = cite(table.book, counting.article if counting else rule.article)
    if rule.claim == "unrecorded" and not table.game.record.recorded and not counting:
        article = cite_topic(table.book, "attention") or article
        raise ProcedureRefused("ATTENTION_FIRST", article, rule=rule.id)
    if not waits_for_claim(table.book, rule, table.regulation.customs):
        raise ProcedureRefused("NOT_CLAIMABLE", article, rule=rule.id)
    outcome = table.game.claim(rule.id)
    if outcome:
        return numbered(outcome, table.game, table)
    have = counting.counted if counting else 0
    raise ProcedureRefused("WRONG_CLAIM", article, written=True, rule=rule.id, have=have, need=rule.limit)


def attention(event: Event, table: Table) -> Outcome | None:
    """In a game that is not written down, a limit counts from when a player calls attention to it (002-12, sole par.)."""
    if not isinstance(event, events.CalledAttention):
        return None
    rule = known_rule(event.rule, table)
    article = cite_topic(table.book, "attention") or cite(table.book, rule.article)
    if rule.claim != "unrecorded" or table.game.record.recorded:
        raise ProcedureRefused("ATTENTION_NOT_NEEDED", article, rule=rule.id)
    if any(progress.rule.id == rule.id for progress in table.game.progress()):
        raise ProcedureRefused("ATTENTION_STANDS", article, rule=rule.id)
    if all(waiting.rule.id != rule.id for waiting in uncounted(table)):
        raise ProcedureRefused("NOTHING_TO_COUNT", article, rule=rule.id)
    return None


def known_rule(rule_id: str, table: Table) -> DrawRule:
    """The draw rule with this id; refused where the game has none."""
    rules = table.game.draw_rules
    if rule_id not in rules:
        raise ProcedureRefused("UNKNOWN_RULE", rule=rule_id, known=", ".join(rules) or "–")
    return rules[rule_id]
