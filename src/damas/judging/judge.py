"""Judging recorded games: is the recorded result the one that the rules give?

A game is replayed under its rulebook. Verdicts:

| verdict        | holds | meaning                                                                                   |
|----------------|-------|-------------------------------------------------------------------------------------------|
| `AS_RULED`     | yes   | the rules end the game with its last ply, with the recorded result; or its text does, by time or an invalid move |
| `EXPLAINED`    | yes   | the rules do not decide it; its record says what did: resignation, time, agreement …       |
| `NOT_DECIDED`  | yes   | the rules do not decide it and its record does not say what did; players may have agreed on a draw, or one may have resigned |
| `OPEN`         | yes   | the rules do not decide it and no result is recorded                                       |
| `OTHER_RESULT` | no    | the rules give another result than the recorded one                                        |
| `PLAYED_ON`    | no    | the rules ended the game earlier, and moves follow                                         |
| `ILLEGAL_MOVE` | no    | a move is not legal                                                                        |
| `OTHER_REASON` | no    | the record gives a reason or an article of ours that is not the one the rules give         |
| `NOT_BY_LETTER` | no   | judged by the letter: what ended the game is not in the rulebook, but a rule of the platform or an agreement |
| `NO_AGREEMENT` | no    | drawn, by agreement as far as the record says, where the regulation allows none |
| `CONTRADICTED` | no    | what the record gives as the reason cannot lead to the recorded result                     |
| `TWO_RESULTS`  | no    | the Result tag and the end of the moves give different results                             |
| `BAD_RECORD`   | no    | a ledger or a certificate does not hold                                                    |
| `UNREADABLE`   | –     | the game cannot be read at all                                                             |

A platform rule that a record did not apply is no fault of the record; where it ended the game with the recorded
result, the verdict is `AS_RULED` by that rule.

The clock comments of a PDN are not judged: programs write them too differently. A ledger's times are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from damas.arbiter.refused import ProcedureRefused
from damas.arbiter.regulation import PRESETS, Regulation, regulation
from damas.arbiter.table import Table
from damas.board import Color
from damas.errors import BadRecord, DamasError, IllegalMove, NotationError, TooManyCaptures
from damas.game import LETTER, Customs, Game, Move, Outcome
from damas.game.game import OFFER
from damas.game.record import Claims, Record
from damas.judging import termination
from damas.judging.history import Step, history, last_move
from damas.judging.scoresheet import attention, is_recorded, table_of
from damas.language import sentence, word
from damas.notation import BadGame, PdnGame, Result
from damas.notation.pdn.tags import first_number
from damas.rules import Rulebook, articles, cite

HOLDING = frozenset(("AS_RULED", "EXPLAINED", "NOT_DECIDED", "OPEN"))
"""Verdicts on records that hold."""
BY_THE_RULES = frozenset(("NO_PIECES", "NO_MOVES", "LIMIT", "REPETITION", "CYCLE", "LENGTH"))
"""Reasons for which the rules end a game."""
DEFAULT_CUSTOMS = Customs()
"""Every limit applies without a claim, platform rules too."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on one recorded game."""

    verdict: str
    """See the table above."""
    game: int = 1
    """Its place in the file."""
    rulebook: str = ""
    ply: int = 0
    """The ply after which the rules ended the game, or of the illegal move; otherwise the last."""
    plies: int = 0
    """Number of recorded plies."""
    recorded: str = "*"
    """1-0, 0-1, 1/2-1/2 or *, White's score first; 0-0 where both lose."""
    outcome: Outcome | None = None
    """The outcome by the rules, if they end the game."""
    results: tuple[str, str] | None = None
    """The results of the tag and of the end of the moves, as written, if they differ."""
    explanation: str = ""
    """The reason that the record gives."""
    error: DamasError | None = None
    """Why a move is refused, or the error in the record."""
    players: tuple[str, str] = ("", "")
    line: int = 0
    """Line of the file with an error; 0 if there is none."""
    source: "PdnGame | BadGame | Table | None" = field(default=None, compare=False, repr=False)
    customs: Customs = DEFAULT_CUSTOMS

    @property
    def holds(self) -> bool:
        """Whether the record holds."""
        return self.verdict in HOLDING

    @property
    def article(self) -> str:
        """The article of the outcome or the refusal; empty if there is none."""
        if isinstance(self.error, IllegalMove | ProcedureRefused):
            return self.error.article
        return self.outcome.citation.article if self.outcome else ""

    def sentence(self, language: str) -> str:
        """The verdict in one sentence of a language."""
        tag, terminator = self.results or ("", "")
        facts: dict[str, object] = {
            **vars(self),
            "more": self.plies - self.ply,
            "tag": tag,
            "terminator": terminator,
            "outcome": self.outcome or "",
            "error": self.error or "",
            "explanation": word("judge.noted", self.explanation, language),
            "move": self.move_name(language, article=True),
            "place": sentence("judge.place", language, line=self.line) if self.line else "",
            "at_line": sentence("judge.at_line", language, line=self.line) if self.line else "",
        }
        return sentence(f"judge.{self._sentence_key}", language, **facts).strip()

    @property
    def _sentence_key(self) -> str:
        """The key of the verdict's sentence; an undecided game names what its result may come from."""
        if self.verdict != "NOT_DECIDED":
            return self.verdict
        if self.recorded == "1/2-1/2":
            return "NOT_DECIDED_draw"
        invalid_loses = (
            isinstance(self.source, PdnGame) and self.source.rulebook.invalid_move.value == "loses"
        )
        return "NOT_DECIDED_invalid" if invalid_loses else "NOT_DECIDED"

    def move_name(self, language: str, *, article: bool = False) -> str:
        """The move of `ply` as people name it, perhaps after the definite article."""
        table = "move.the" if article else "move"
        if not self.ply or self.source is None:
            return sentence(f"{table}.start", language)
        if isinstance(self.source, Table):
            side, number = last_move(self.source)
        else:
            assert self.source.start
            record = Record(self.source.start)
            side = record.mover(self.ply)
            number = first_number(self.source.tags) - 1 + record.move_number(self.ply)
        return sentence(f"{table}.{side.value}", language, number=number)

    def history(self) -> Iterator[Step]:
        """The steps of the game up to the move at which the rules end it."""
        if isinstance(self.source, Table):
            yield from history(self.source)
        elif self.source and self.source.start:
            recorded, claims = _recording(self.source)
            try:
                table = table_of(
                    self.source.start,
                    _moves(self.source),
                    self.customs,
                    players=self.players,
                    recorded=recorded,
                    claims=claims,
                    first_number=first_number(self.source.tags),
                )
            except TooManyCaptures:  # the legal moves of such a position cannot be listed
                return
            yield from history(table)


# PDN


def judge_games(
    games: Iterable[PdnGame | BadGame], rules: Regulation | None = None, *, letter: bool = False
) -> Iterator[Judgement]:
    """Judges games one by one. Without `rules`, the regulation that a game names applies, or else `DEFAULT_CUSTOMS`.
    `letter` judges by the rulebook alone.
    """
    for number, game in enumerate(games, start=1):
        yield judge(game, rules, letter=letter, number=number)


def judge(
    game: PdnGame | BadGame, rules: Regulation | None = None, *, letter: bool = False, number: int = 1
) -> Judgement:
    """The verdict on a game of a PDN file; options as for `judge_games`."""
    rules = None if letter else rules or _named_regulation(game)
    customs = LETTER if letter else rules.customs if rules else DEFAULT_CUSTOMS
    if isinstance(game, BadGame):
        return _judge_bad(game, customs, number)
    recorded = _white_first(game.result.meaning, game.rulebook)
    text_alone = replace(customs, platform_rules=False)
    try:
        played = _replay(game, text_alone)
    except DamasError as why:  # the game was built by a program: the PDN reader would have refused it
        return _judge_bad(_cut_short(game, why, number), customs, number)
    judgement = Judgement(
        "AS_RULED",
        number,
        game.rulebook.id,
        played.record.length,
        len(game.moves),
        recorded,
        played.outcome,
        players=(game.tags.get("White", ""), game.tags.get("Black", "")),
        source=game,
        customs=text_alone,
    )
    if game.terminator:
        return replace(judgement, verdict="TWO_RESULTS", results=(game.result.text, game.terminator.text))
    if played.outcome is None:
        if customs.platform_rules:
            by_platform = _replay(game, customs)
            if by_platform.record.length == judgement.plies:
                played, judgement = by_platform, replace(judgement, customs=customs)
        outcome = played.outcome
        if outcome and outcome.result == recorded and _tags_agree(game, outcome):
            return replace(judgement, outcome=outcome)
        return _undecided(judgement, game, played, rules, letter=letter)
    if judgement.ply < judgement.plies:
        return replace(judgement, verdict="PLAYED_ON")
    if recorded != played.outcome.result:
        return replace(judgement, verdict="OTHER_RESULT")
    return judgement if _tags_agree(game, played.outcome) else replace(judgement, verdict="OTHER_REASON")


def _moves(game: PdnGame | BadGame) -> list[Move]:
    return [one if isinstance(one, Move) else one.move for one in game.moves]


def _recording(game: PdnGame | BadGame) -> tuple[bool, Claims]:
    """Whether the players wrote the game down; if not, the limits to which they called attention."""
    written = is_recorded(game)
    return written, () if written else attention(game)


def _replay(game: PdnGame | BadGame, customs: Customs | None = None) -> Game:
    """The game replayed under the rules."""
    assert game.start
    written, claims = _recording(game)
    return Game.of(game.start, _moves(game), recorded=written, claims=claims, customs=customs)


def _cut_short(game: PdnGame, why: DamasError, number: int) -> BadGame:
    """The game up to a move that is legal in its position but not after the moves before it."""
    plies = int(str(why.refusal.facts["ply"])) - 1 if isinstance(why, IllegalMove) else len(game.moves)
    return BadGame(
        0,
        number,
        why,
        {**game.tags, "Result": game.result.text},
        start=game.start,
        moves=tuple(_moves(game)[:plies]),
        comments=(game.comments, *(node.comments for node in game.moves[:plies])),
        rulebook=game.rulebook,
    )


def _named_regulation(game: PdnGame | BadGame) -> Regulation | None:
    name = game.tags.get("Regulation", "")
    return regulation(name) if name in PRESETS else None


def _white_first(meaning: str, book: Rulebook) -> str:
    """A PDN result with White's score first; PDN itself puts the side that starts first."""
    swapped = {"1-0": "0-1", "0-1": "1-0"}
    return swapped.get(meaning, meaning) if book.first_to_move is Color.BLACK else meaning


def _tags_agree(game: PdnGame, outcome: Outcome) -> bool:
    """Whether `Reason`, `Rule`, `Article` and `ArticleId`, as far as given, match the outcome; True without `Reason`.

    Beside its id, an article may be worded as it was when the game was recorded, though not as another article is.
    """
    expected = termination.tags(outcome)
    given = dict(game.tags)
    if given.get("ArticleId") == outcome.citation.id and given.get("Article") not in _wordings(game.rulebook):
        given.pop("Article", None)
    if "Article" in given:  # older records name our reading with its id
        given["Article"] = given["Article"].removesuffix(f" {outcome.citation.id}")
    return "Reason" not in given or all(
        given[tag] == expected.get(tag) for tag in ("Reason", "Rule", "Article", "ArticleId") if tag in given
    )


def _wordings(book: Rulebook) -> set[str]:
    """Every article of a rulebook as records cite it."""
    return {cite(book, article).record for article in articles(book).by_id}


def _undecided(
    judgement: Judgement, game: PdnGame, played: Game, rules: Regulation | None, *, letter: bool
) -> Judgement:
    """The verdict on a game that the rules do not end."""
    tag = termination.read(game.tags.get("Termination", ""))
    why = tag or _last_comment(game)
    text = why.text if why else ""
    if judgement.recorded == "*":
        return replace(judgement, verdict="OPEN", explanation=text)
    if judgement.recorded == "1/2-1/2" and (outcome := _claimed(game, played)):
        return replace(judgement, outcome=outcome)
    if letter and (outcome := _outside_the_text(judgement, game, why)):
        return replace(judgement, verdict="NOT_BY_LETTER", outcome=outcome)
    if letter and _agreed(judgement, why) and not game.rulebook.agreement.value:  # the text has no such draw
        return replace(judgement, verdict="NOT_BY_LETTER")
    if game.tags.get("Reason", "") in BY_THE_RULES:
        return replace(judgement, verdict="CONTRADICTED", explanation=game.tags["Reason"])
    if rules and _agreed(judgement, why) and not rules.agreement_under(game.rulebook):
        article = rules.cite_clause(game.rulebook, game.rulebook.agreement, False, "agreement")
        refused = ProcedureRefused("NO_AGREEMENT", article)
        return replace(judgement, verdict="NO_AGREEMENT", error=refused, explanation=text)
    if why is None:
        return replace(judgement, verdict="NOT_DECIDED")
    fits = why.explains(judgement.recorded)
    if fits and tag and (outcome := _by_the_text(tag.reason, judgement, game.rulebook)):
        verdict = "AS_RULED" if _tags_agree(game, outcome) else "OTHER_REASON"
        return replace(judgement, verdict=verdict, outcome=outcome, explanation=text)
    return replace(judgement, verdict="EXPLAINED" if fits else "CONTRADICTED", explanation=text)


def _claimed(game: PdnGame, played: Game) -> Outcome | None:
    """The outcome of a claim, if one was possible in the last position and the tags give no other reason."""
    claims = (played.claim(progress.rule.id) for progress in played.claimable())
    return next((outcome for outcome in claims if outcome and _tags_agree(game, outcome)), None)


def _outside_the_text(
    judgement: Judgement, game: PdnGame, why: termination.Explanation | None
) -> Outcome | None:
    """The outcome that explains the recorded result but is not in the rulebook: a platform rule or an agreement."""
    offered = game.tags.get("Rule") == OFFER.id
    ours = _replay(game, Customs(offers=offered, offers_wait=False))
    if ours.outcome and ours.outcome.platform and ours.outcome.result == judgement.recorded:
        return ours.outcome
    drawn, agreement = judgement.recorded == "1/2-1/2", game.rulebook.agreement.value
    claimed = _claimed(game, ours) if drawn and why is None else None
    if claimed and claimed.platform and ("Reason" in game.tags or not agreement):
        return claimed
    if why and _agreed(judgement, why) and not agreement:
        article = cite(game.rulebook, game.rulebook.agreement.article)
        return Outcome(None, "AGREEMENT", article, platform=True)
    return None


def _agreed(judgement: Judgement, why: termination.Explanation | None) -> bool:
    """Whether the recorded result can only be a draw by agreement."""
    return judgement.recorded == "1/2-1/2" and (why is None or why.allows == termination.DRAWN)


def _by_the_text(reason: str, judgement: Judgement, book: Rulebook) -> Outcome | None:
    """The outcome of a loss on time or by an invalid move, if the rulebook itself has one (004-4.5, 004-4.4)."""
    loser = Color.BLACK if judgement.recorded == "1-0" else Color.WHITE
    if reason == "INFRACTION":
        return _invalid_move(loser, book)
    article = articles(book).by_id.get(book.time_out.article)
    if reason != "FLAG" or article is None or article.is_reading:
        return None
    return Outcome.loss(loser, "FLAG", cite(book, article.id))


def _invalid_move(loser: Color, book: Rulebook, **facts: object) -> Outcome | None:
    """The outcome of an invalid move, if the rulebook makes it lose."""
    if book.invalid_move.value != "loses":
        return None
    return Outcome.loss(loser, "INVALID_MOVE", cite(book, book.invalid_move.article), **facts)


def _last_comment(game: PdnGame) -> termination.Explanation | None:
    comments = game.moves[-1].comments if game.moves else game.comments
    return next(filter(None, map(termination.read_comment, comments)), None)


def _judge_bad(game: BadGame, customs: Customs, number: int) -> Judgement:
    """The verdict on a game that could not be read to its end: an illegal move or broken PDN."""
    book = game.start.rulebook if game.start else game.rulebook
    result = Result(game.tags.get("Result", "*").strip()).meaning
    judgement = Judgement(
        "UNREADABLE",
        number,
        book.id if book else "",
        plies=len(game.moves) + 1 if game.start else 0,
        ply=len(game.moves) + 1 if game.start else 0,
        recorded=_white_first(result, book) if book else result,
        error=game.error,
        players=(game.tags.get("White", ""), game.tags.get("Black", "")),
        line=game.line,
        source=game,
        customs=customs,
    )
    error = game.error
    if book is None or game.start is None or not isinstance(error, IllegalMove | NotationError):
        return judgement
    played = _replay(game, replace(customs, platform_rules=False))
    if isinstance(error, IllegalMove) and played.outcome:
        return replace(
            judgement, verdict="PLAYED_ON", outcome=played.outcome, ply=played.record.length, error=None
        )
    tried = error.refusal.tried if isinstance(error, IllegalMove) else error.text
    outcome = _invalid_move(played.position.turn, book, tried=tried[:80], code=str(error.code))
    if outcome and judgement.recorded == outcome.result:
        return replace(judgement, verdict="AS_RULED", outcome=outcome)
    # A text that is no move may be a slip of whoever typed the record.
    return (
        replace(judgement, verdict="ILLEGAL_MOVE", outcome=outcome)
        if isinstance(error, IllegalMove)
        else judgement
    )


# Ledgers and certificates


def judge_table(table: Table, *, letter: bool = False) -> Judgement:
    """The verdict on a table loaded from its ledger, whose rulings were all made again.

    With `letter`, a game ended by a platform rule does not hold.
    """
    judgement = Judgement(
        "OPEN",
        1,
        table.book.id,
        table.ply,
        table.ply,
        outcome=table.outcome,
        players=(table.white.name, table.black.name),
        source=table,
        customs=table.regulation.customs,
    )
    outcome = table.outcome
    if outcome is None:
        return judgement
    judgement = replace(judgement, recorded=outcome.result)
    return replace(judgement, verdict="NOT_BY_LETTER" if letter and outcome.platform else "AS_RULED")


def judge_broken(why: DamasError) -> Judgement:
    """The verdict on a ledger or certificate with an error."""
    line = why.line if isinstance(why, BadRecord) else 0
    return Judgement("BAD_RECORD", error=why, line=line)
