"""A game at one terminal, from the first prompt to the last. The arbiter decides; this only asks and shows."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shlex import quote

from damas.arbiter import (
    Aborted,
    Accepted,
    AcceptedUnfinished,
    Adjusted,
    Adjusting,
    CalledAttention,
    Claimed,
    Declined,
    DemandedCompletion,
    Event,
    Flag,
    Hinted,
    Moved,
    Offered,
    Pressed,
    ProcedureRefused,
    Resigned,
    Resumed,
    StoppedEarly,
    Suspended,
    Table,
    TakeBackAsked,
    TakeBackGranted,
    TakeBackRefused,
    Touched,
    Withdrew,
    ledger,
)
from damas.board import Color
from damas.cli import page
from damas.cli.moves import listing
from damas.cli.playing.commands import Command, intervention, read, shown
from damas.cli.playing.keyboard import Keyboard, TimeIsUp
from damas.cli.playing.screen import Screen
from damas.cli.playing.store import Store
from damas.engine.opponent import Computer
from damas.errors import DamasError, IllegalMove, Refusal, file_trouble
from damas.game import Outcome, refusal
from damas.game.game import rests
from damas.judging.certificate import Certificate
from damas.judging.scoresheet import to_pdn
from damas.judging.story import event_sentence
from damas.notation import read_hint, write_game
from damas.rules import articles
from damas.rules.library import is_builtin

INTERRUPTED = 130


class Session:
    def __init__(
        self,
        table: Table,
        screen: Screen,
        keyboard: Keyboard,
        clock: Callable[[], int],
        computer: Computer | None = None,
        store: Store | None = None,
        rules_file: str = "",
    ) -> None:
        self.table = table
        self.screen = screen
        self.keyboard = keyboard
        self.computer = computer
        self.store = store
        self.rules_file = rules_file
        """Where house rules were read from."""
        self.message = ""
        self._clock = clock
        self._began = clock() - table.now  # time goes on from the last event
        self._refused: ProcedureRefused | None = None
        self._left = False

    # Time and events

    def now(self) -> int:
        return max(self.table.now, self._clock() - self._began)

    def apply(self, event: Event) -> bool:
        """Whether the arbiter allows it; either way what is to be written down is on the disk."""
        try:
            self._keep(self.table.apply(event))
        except ProcedureRefused as refused:
            self._keep(refused.table or self.table)
            self._refused = refused
            self.tell(self._refusal(refused))
            return False
        self._refused = None
        return True

    def _keep(self, table: Table) -> None:
        if self.store and table is not self.table:
            self.store.save(table)
        if table.suspended and not self.table.suspended and not self._left:
            self.tell(self.screen.word("suspended"))
        self.table = table

    def tell(self, text: str) -> None:
        self.message = f"{self.message}\n{text}".strip("\n")

    # The game

    def run(self) -> int:
        code = 0
        told: Outcome | None = None
        while not self._left:
            if self.table.outcome is None:  # also again: the arbiter may go back behind the end
                told = None
            elif self.table.outcome is not told:
                told = self.table.outcome
                self.tell(self.table.outcome.sentence(self.screen.language))
                self.tell(self.screen.word("after"))
            if self._computer_acts():
                continue
            self.screen.show(self.table, self.now(), self.message)
            self.message = ""
            try:
                line = self._line()
            except KeyboardInterrupt:
                print()
                line, code = None, INTERRUPTED
            if line is None:
                self._quit("")
            elif line.strip():
                self.obey(read(line))
        self.screen.say(self.message)
        return code

    def _computer_acts(self) -> bool:
        event = self.computer.acts(self.table, self.now()) if self.computer else None
        if event is None:
            return False
        if not isinstance(event, Moved):
            self.tell(_sentence(event_sentence(event, self.screen.language, self.table.book)))
        return self.apply(event)

    def _line(self) -> str | None:
        """The next line typed; a flag that falls meanwhile is called."""
        table = self.table
        left = None if table.outcome or table.suspended else table.clock(self.now()).remaining(table.awaited)
        try:
            return self.keyboard.line(self.screen.prompt(table), None if left is None else left / 1000)
        except TimeIsUp:
            print()
            self.apply(Flag(max(self.now(), table.now + (left or 0) + 1), table.awaited))
            return ""

    def obey(self, command: Command) -> None:
        """Does what was typed."""
        if self.computer and command.side is self.computer.side:
            self.tell(self.screen.word("not_yours", color=self.screen.color(self.computer.side)))
            return
        handler: Callable[[str, Color], None] = getattr(self, f"_{command.name}")
        side = command.side or (self.computer.side.other if self.computer else self.table.awaited)
        if command.side is None and not self.computer and command.name == "back":
            side = self.table.to_move.other  # whoever has just moved wants the move back
        try:
            handler(command.argument, side)
        except DamasError as error:
            self.tell(error.sentence(self.screen.language))
        except OSError as error:
            self.tell(f"{error.filename or ''}: {file_trouble(error).sentence(self.screen.language)}")

    # Moves

    def _move(self, text: str, side: Color) -> None:
        self.apply(Moved(self.now(), side, text))

    def _touch(self, argument: str, side: Color) -> None:
        if not argument:
            self.tell(self.screen.word("help.touch"))
            return
        square, _, over = argument.partition(" ")
        touched = Touched(self.now(), side, self._square(square), self._square(over))
        if self.apply(touched) and self.table.touched != touched.square:
            self.tell(self.screen.word("touch_free"))

    def _square(self, name: str) -> str:
        """A square as the rulebook calls it, from any numbering."""
        try:
            return self.table.book.square_names[self.table.position.draw().square(name)] if name else ""
        except ValueError:
            return name

    def _adjust(self, _: str, side: Color) -> None:
        kind = Adjusted if side in self.table.adjusting else Adjusting
        self.apply(kind(self.now(), side))

    def _stop(self, argument: str, side: Color) -> None:
        self.apply(StoppedEarly(self.now(), side, argument))

    def _demand(self, _: str, side: Color) -> None:
        self.apply(DemandedCompletion(self.now(), side))

    def _press(self, _: str, side: Color) -> None:
        running = self.table.clocks.running
        self.apply(Pressed(self.now(), side if self.computer else running or side))

    def _back(self, _: str, side: Color) -> None:
        self.apply(TakeBackAsked(self.now(), side))

    # Draws and ends

    def _offer(self, _: str, side: Color) -> None:
        self.apply(Offered(self.now(), side))

    def _accept(self, _: str, side: Color) -> None:
        """Whatever stands: a draw offer, a move wanted back, a capture broken off."""
        table, now = self.table, self.now()
        if table.take_back and not table.offer:
            self.apply(TakeBackGranted(now, side if self.computer else table.take_back.other))
        elif table.chain and not table.chain.demanded:
            self.apply(AcceptedUnfinished(now, table.chain.by.other))
        else:
            self.apply(Accepted(now, side if self.computer or not table.offer else table.offer.other))

    def _decline(self, _: str, side: Color) -> None:
        table, now = self.table, self.now()
        if table.take_back and not table.offer:
            self.apply(TakeBackRefused(now, side if self.computer else table.take_back.other))
        else:
            self.apply(Declined(now, side if self.computer or not table.offer else table.offer.other))

    def _withdraw(self, _: str, side: Color) -> None:
        self.apply(Withdrew(self.now(), side if self.computer else self.table.offer or side))

    def _claim(self, rule: str, side: Color) -> None:
        if rule or (rule := self._open_claim("claim")):
            self.apply(Claimed(self.now(), side, rule))

    def _attention(self, rule: str, side: Color) -> None:
        if rule or (rule := self._open_claim("attention")):
            self.apply(CalledAttention(self.now(), side, rule))

    def _open_claim(self, kind: str) -> str:
        """The limit that can be claimed now, if the player names none; a claim without one would be a wrong claim."""
        found = [claim.rule.id for claim in self.table.claims_open() if claim.kind == kind]
        if not found:
            self.tell(self.screen.word("nothing_to_claim"))
        return found[0] if found else ""

    def _resign(self, _: str, side: Color) -> None:
        self.apply(Resigned(self.now(), side))

    def _abort(self, _: str, side: Color) -> None:
        self.apply(Aborted(self.now(), side))

    def _flag(self, _: str, side: Color) -> None:
        self.apply(Flag(self.now(), side.other if self.computer else self.table.awaited))

    def _resume(self, argument: str, _: Color) -> None:
        self.apply(Resumed(self.now(), argument or self.screen.word("resumed")))

    def _arbiter(self, argument: str, _: Color) -> None:
        event = intervention(argument, self.now())
        if event is None:
            self.tell(self.screen.word("help_arbiter"))
        else:
            self.apply(event)

    # Asking

    def _why(self, argument: str, side: Color) -> None:
        if not argument and self._refused:
            self.tell(self._explained(self._refused))
        elif not argument:
            self._moves("", side)
        elif self.apply(Hinted(self.now(), side)):
            self.tell(self._about(argument))

    def _about(self, text: str) -> str:
        position, language = self.table.position, self.screen.language
        why = refusal(position, text) or rests(self.table.game.record, position.parse(text))
        if why is None:
            return self.screen.word("legal", move=position.parse(text).text)
        hint = read_hint(position, text)
        parts = (why.sentence(language), self._article(why), hint.sentence(language) if hint else "")
        return "\n".join(filter(None, parts))

    def _moves(self, _: str, side: Color) -> None:
        if not self.apply(Hinted(self.now(), side)):
            return
        table = self.table
        key = "must_capture" if table.position.must_capture() else "may_play"
        self.tell(self.screen.word(key, color=self.screen.color(table.to_move)))
        if table.playable:
            self.tell(listing(table.position, table.playable, self.screen.language))

    def _refusal(self, refused: ProcedureRefused) -> str:
        """Why something is not allowed; where aids are forbidden, without what could be played instead."""
        language, cause = self.screen.language, refused.cause
        if isinstance(cause, IllegalMove) and not self.table.hints_allowed:
            return replace(cause.refusal, legal=()).sentence(language)
        told = refused.sentence(language)
        return f"{told} {self.screen.word('ask')}" if isinstance(cause, IllegalMove) else told

    def _explained(self, refused: ProcedureRefused) -> str:
        """The refusal again, and its article in our words."""
        cause = refused.cause
        told = self._refusal(refused).removesuffix(self.screen.word("ask")).strip()
        if isinstance(cause, IllegalMove):
            return f"{told}\n{self._article(cause.refusal)}".strip()
        if refused.citation and refused.citation.rulebook == self.table.book.id:
            return f"{told}\n{self._article_text(refused.citation.id)}".strip()
        return told

    def _article(self, why: Refusal) -> str:
        return self._article_text(why.citation.id)

    def _article_text(self, article_id: str) -> str:
        found = articles(self.table.book).by_id.get(article_id)
        return f"{found.cite or found.id}: {found.text[self.screen.language]}" if found else ""

    # Showing and keeping

    def _board(self, _: str, __: Color) -> None:
        if self.screen.style == "words":
            self.tell(self.screen.pieces(self.table))

    def _flip(self, _: str, __: Color) -> None:
        self.screen.bottom = self.screen.bottom.other

    def _help(self, _: str, __: Color) -> None:
        words = shown(self.screen.language)
        rows = [(words[name], self.screen.word(f"help.{name}")) for name in HELPED]
        self.tell(self.screen.word("help_moves"))
        self.tell(page.table(rows, indent=2))

    def _save(self, name: str, __: Color) -> None:
        if not name:
            self.tell(self.screen.word("file_needed"))
            return
        if name.lower().endswith(".pdn"):
            self._write(name, write_game(to_pdn(self.table)).encode())
        else:
            self._write(name, ledger.dump(self.table))

    def _certificate(self, name: str, __: Color) -> None:
        certificate = Certificate(self.table)
        if not name:
            self.tell(certificate.text(self.screen.language))
        elif name.lower().endswith(".json"):
            self._write(name, certificate.json)
        else:
            self._write(name, certificate.text(self.screen.language).encode())

    def _write(self, name: str, data: bytes) -> None:
        path = Path(name).expanduser()
        if self.store and path.exists() and path.samefile(self.store.path):
            self.tell(self.screen.word("saved", file=name))  # it is always up to date
            return
        if path.exists():  # somebody's game, perhaps
            self.tell(self.screen.word("exists", file=name))
            return
        path.write_bytes(data)
        self.tell(self.screen.word("saved", file=name))

    def _quit(self, _: str, __: Color | None = None) -> None:
        self._left = True
        running = self.table.clocks.running and self.table.clocks.control.budget is not None
        if self.store:
            if running and not self.table.outcome:  # nobody's time runs while nobody is here
                self.apply(Suspended(self.now(), None, ""))
            self.tell(self.screen.word("saved", file=self.store.path))
            if not self.table.outcome:
                self.tell(self.screen.word("go_on"))
                house = "" if is_builtin(self.table.book) else f" -r {quote(self.rules_file)}"
                self.tell(f"  damas play --resume {quote(str(self.store.path))}{house}")


HELPED = (
    "why",
    "moves",
    "offer",
    "accept",
    "decline",
    "withdraw",
    "claim",
    "attention",
    "touch",
    "adjust",
    "back",
    "resign",
    "arbiter",
    "flip",
    "save",
    "certificate",
    "quit",
)
"""What `help` lists."""


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
