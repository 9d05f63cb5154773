"""Runs a game at one terminal. The arbiter decides; the session only reads commands and shows the result."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial, partialmethod
from pathlib import Path
from shlex import quote

from damas.arbiter import (
    Event,
    Flag,
    Hinted,
    Moved,
    ProcedureRefused,
    Resumed,
    Suspended,
    Table,
    Touched,
    ledger,
)
from damas.arbiter.conduct import registers, reportable
from damas.arbiter.requests import acting_side, event_of, square_name
from damas.board import Color
from damas.cli import page
from damas.cli.arguments import BadInput
from damas.cli.moves import listing
from damas.cli.playing.commands import (
    Command,
    command_words,
    conduct_named,
    conduct_words,
    intervention,
    read,
)
from damas.cli.playing.keyboard import InputTimeout, Keyboard
from damas.cli.playing.screen import Screen
from damas.cli.playing.store import Store
from damas.engine.opponent import Computer
from damas.errors import Citation, DamasError, IllegalMove, file_trouble
from damas.game import Outcome, Position, refusal
from damas.game.game import rests
from damas.judging.certificate import Certificate
from damas.judging.history import event_sentence
from damas.judging.register import counted_words, register_lines
from damas.judging.scoresheet import to_pdn
from damas.language import entries, sentence, word
from damas.notation import read_hint, write_game
from damas.rules import articles
from damas.rules.articles import cite_topic
from damas.rules.library import is_builtin
from damas.views import words

_INTERRUPTED = 130


class Session:
    """A game at one terminal, from the first prompt to the end."""

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
        """File of the house rules, empty for a built-in rulebook."""
        self.message = ""
        self._clock = clock
        self._began = clock() - table.now  # time goes on from the last event
        self._refused: ProcedureRefused | None = None
        self._left = False

    # Time and events

    def now(self) -> int:
        """Milliseconds since the game began."""
        return max(self.table.now, self._clock() - self._began)

    def apply(self, event: Event) -> bool:
        """Apply an event and return whether the arbiter accepted it; the result is on disk in both cases."""
        try:
            self._commit(self.table.apply(event))
        except ProcedureRefused as refused:
            self._commit(refused.table or self.table)
            self._refused = refused
            last = len(self.table.events) - 1
            counted = counted_words(last, self.table, self.screen.language) if refused.written else ""
            self.add_message(f"{self._refusal(refused)}{counted}")
            return False
        self._refused = None
        return True

    def _commit(self, table: Table) -> None:
        if self.store and table is not self.table:
            self.store.save(table)
        if table.suspended and not self.table.suspended and not self._left:
            self.add_message(self.screen.word("suspended"))
        self.table = table

    def add_message(self, text: str) -> None:
        """Add a line to what is shown next."""
        self.message = f"{self.message}\n{text}".strip("\n")

    # The game

    def run(self) -> int:
        """Play until the player leaves, and return the exit code."""
        code = 0
        announced: Outcome | None = None
        while not self._left:
            if self.table.outcome is None:  # the arbiter may have restored an earlier ply
                announced = None
            elif self.table.outcome is not announced:
                announced = self.table.outcome
                self.add_message(self.table.outcome.sentence(self.screen.language))
                self.add_message(self.screen.word("after"))
            if self._computer_acts():
                continue
            self.screen.show(self.table, self.now(), self.message)
            self.message = ""
            try:
                line = self._line()
            except KeyboardInterrupt:
                print()
                line, code = None, _INTERRUPTED
            if line is None:
                self._quit("")
            elif line.strip():
                self.execute(read(line))
        self.screen.say(self.message)
        return code

    def _computer_acts(self) -> bool:
        event = self.computer.acts(self.table, self.now()) if self.computer else None
        if event is None:
            return False
        if not isinstance(event, Moved):
            self.add_message(_sentence(event_sentence(event, self.screen.language, self.table)))
        return self.apply(event)

    def _line(self) -> str | None:
        """Return the next line; a flag that falls while waiting is reported."""
        table = self.table
        left = None if table.outcome or table.suspended else table.clock(self.now()).remaining(table.awaited)
        try:
            return self.keyboard.line(self.screen.prompt(table), None if left is None else left / 1000)
        except InputTimeout:
            print()
            self.apply(Flag(max(self.now(), table.now + (left or 0) + 1), table.awaited))
            return ""

    def execute(self, command: Command) -> None:
        """Execute a command."""
        if self.computer and command.side is self.computer.side:
            self.add_message(self.screen.word("not_yours", color=self.screen.color(self.computer.side)))
            return
        request = self._request(command.name)
        side = command.side or (
            self.computer.side.other
            if self.computer
            else acting_side(request, self.table, self.table.awaited)
        )
        handler: Callable[[str, Color], None] = getattr(
            self, f"_{command.name}", partial(self._apply_request, request)
        )
        try:
            handler(command.argument, side)
        except DamasError as error:
            self.add_message(error.sentence(self.screen.language))
        except OSError as error:
            self.add_message(f"{error.filename or ''}: {file_trouble(error).sentence(self.screen.language)}")

    # Moves

    def _move(self, text: str, side: Color) -> None:
        self.apply(Moved(self.now(), side, text))

    def _touch(self, argument: str, side: Color) -> None:
        if not argument:
            self.add_message(self._help_on("touch"))
            return
        square, _, over = argument.partition(" ")
        touched = Touched(self.now(), side, square_name(square, self.table), square_name(over, self.table))
        if self.apply(touched) and self.table.touched != touched.square:
            self.add_message(self.screen.word("touch_free"))

    def _lift(self, argument: str, side: Color, request: str = "lift") -> None:
        if argument:
            self._apply_request(request, square_name(argument, self.table), side)
        else:
            self.add_message(self._help_on(request))

    _blow = partialmethod(_lift, request="blow")

    def _crown(self, argument: str, side: Color) -> None:
        """Crown the opponent's man; without a square the one that waits for it."""
        self._apply_request("crown", square_name(argument or self.table.crowning or "", self.table), side)

    def _report(self, argument: str, side: Color) -> None:
        """Report an irregularity of the opponent; without a word, list what can be reported."""
        words, language = conduct_words(self.screen.language), self.screen.language
        rows = [
            (words[conduct], f"{word('conduct', conduct, language)} ({citation.sentence(language)})")
            for conduct, citation in reportable(self.table)
        ]
        conduct = conduct_named(argument)
        if words.get(conduct) in {shown for shown, _ in rows}:
            self._announce(event_of("report", side, self.now(), self.table, conduct))
            return
        if argument:
            known = ", ".join(shown for shown, _ in rows) or "–"
            self.add_message(
                sentence("procedure.NO_SUCH_CONDUCT", language, conduct=argument, known=known) + "."
            )
            return
        self.add_message(page.table(rows, indent=2) if rows else self.screen.word("nothing_to_report"))

    def _register(self, _: str, __: Color) -> None:
        """Show the register of irregularities with its totals."""
        for line in register_lines(self.table, self.screen.language):
            self.add_message(_sentence(line))

    def _request(self, name: str) -> str:
        """The arbiter's word for a command: accepting or declining may be about a take-back."""
        if name in ("accept", "decline") and self.table.take_back and not self.table.offer:
            return {"accept": "grant", "decline": "refuse"}[name]
        return "take_back" if name == "back" else name

    def _apply_request(self, request: str, text: str, side: Color) -> None:
        """Ask the arbiter for what a player requests."""
        self.apply(event_of(request, side, self.now(), self.table, text))

    def _claim(self, rule: str, side: Color, kind: str = "claim") -> None:
        """Claim a limit, or call attention to it; without a name the one that can be claimed now."""
        open_ids = [claim.rule.id for claim in self.table.claims_open() if claim.kind == kind]
        if rule or open_ids:
            self._apply_request(kind, rule or open_ids[0], side)
        else:
            self.add_message(
                "\n".join([self.screen.word("nothing_to_claim"), *self.screen.claims(self.table)])
            )

    _attention = partialmethod(_claim, kind="attention")

    def _flag(self, _: str, side: Color) -> None:
        self.apply(Flag(self.now(), side.other if self.computer else self.table.awaited))

    def _resume(self, argument: str, _: Color) -> None:
        self.apply(Resumed(self.now(), argument or self.screen.word("resumed")))

    def _arbiter(self, argument: str, _: Color) -> None:
        event = intervention(argument, self.now())
        if event is None:
            self.add_message(self.screen.word("help_arbiter"))
        else:
            self._announce(event)

    def _announce(self, event: Event) -> None:
        """Apply an event that both players see."""
        if self.apply(event):
            self.add_message(_sentence(event_sentence(event, self.screen.language, self.table)))

    # Asking

    def _why(self, argument: str, side: Color) -> None:
        if not argument and self._refused:
            self.add_message(self._explained(self._refused))
        elif not argument:
            self._moves("", side)
        elif self.apply(Hinted(self.now(), side)):
            self.add_message(self._about(argument))

    def _about(self, text: str) -> str:
        position, language = self.table.position, self.screen.language
        why = refusal(position, text) or rests(self.table.game.record, position.parse(text))
        if why is None:
            return self.screen.word("legal", move=position.parse(text).text)
        hint = read_hint(position, text)
        article = self._article_text(why.citation)
        parts = (why.sentence(language), article, hint.sentence(language) if hint else "")
        return "\n".join(filter(None, parts))

    def _moves(self, _: str, side: Color) -> None:
        if not self.apply(Hinted(self.now(), side)):
            return
        table = self.table
        key = "must_capture" if table.position.must_capture() else "may_play"
        self.add_message(self.screen.word(key, color=self.screen.color(table.to_move)))
        if table.playable:
            self.add_message(listing(table.position, table.playable, self.screen.language))

    def _refusal(self, refused: ProcedureRefused) -> str:
        """Explain a refusal; without the legal moves where the regulation forbids hints."""
        language, cause = self.screen.language, refused.cause
        if isinstance(cause, IllegalMove) and not self.table.hints_allowed:
            return replace(cause.refusal, legal=()).sentence(language)
        message = refused.sentence(language)
        return f"{message} {self.screen.word('ask')}" if isinstance(cause, IllegalMove) else message

    def _explained(self, refused: ProcedureRefused) -> str:
        """The refusal again, and its article in our words."""
        cause = refused.cause
        message = self._refusal(refused).removesuffix(self.screen.word("ask")).strip()
        citation = cause.refusal.citation if isinstance(cause, IllegalMove) else refused.citation
        return f"{message}\n{self._article_text(citation)}".strip()

    def _article_text(self, citation: Citation | None) -> str:
        """An article of the rulebook in our words; empty for what is cited from elsewhere."""
        if citation is None or citation.rulebook != self.table.book.id:
            return ""
        article = articles(self.table.book).by_id.get(citation.id)
        if article is None:
            return ""
        return f"{words.article(citation, self.screen.language)}: {article.text[self.screen.language]}"

    # Showing and keeping

    def _board(self, _: str, __: Color) -> None:
        if self.screen.style == "words":
            self.add_message(self.screen.pieces(self.table))

    def _flip(self, _: str, __: Color) -> None:
        self.screen.bottom = self.screen.bottom.other

    def _help(self, _: str, __: Color) -> None:
        words = command_words(self.screen.language)
        rows = [(words[name], self._help_on(name)) for name in entries("play.help") if self._has_use(name)]
        self.add_message(self.screen.word("help_moves"))
        self.add_message(page.table(rows, indent=2))

    def _help_on(self, command: str) -> str:
        """What a command does, with an example on the board of this game."""
        move = next(iter(Position.start(self.table.book).legal_moves)).text
        square = re.split("[-x ]", move)[0]
        return self.screen.word(f"help.{command}", move=move, square=square)

    def _has_use(self, command: str) -> bool:
        """Whether a command can ever do something in this game."""
        table, rules = self.table, self.table.regulation
        uses = {
            "moves": table.hints_allowed,
            "back": rules.take_back,
            "offer": rules.agreement_under(table.book),
            "withdraw": rules.agreement_under(table.book) or rules.take_back,
            "touch": rules.touch_move_under(table.book),
            "adjust": rules.touch_move_under(table.book),
            "attention": any(rule.claim == "unrecorded" for rule in table.book.draws),
            "lift": rules.two_tempi_under(table.book),
            "crown": rules.crowning_by_hand_under(table.book),
            "blow": registers(table) and cite_topic(table.book, "blowing") is not None,
            "report": registers(table),
            "register": registers(table),
        }
        return uses.get(command, True)

    def _save(self, name: str, __: Color) -> None:
        if not name:
            self.add_message(self.screen.word("file_needed"))
            return
        if name.lower().endswith(".pdn"):
            self._write(name, write_game(to_pdn(self.table)).encode())
        else:
            self._write(name, ledger.dump(self.table))

    def _certificate(self, name: str, __: Color) -> None:
        certificate = Certificate(self.table)
        if not name:
            self.add_message(certificate.text(self.screen.language))
        elif name.lower().endswith(".json"):
            self._write(name, certificate.json)
        elif name.lower().endswith(".pdf"):
            self._write_pdf(name)
        else:
            self._write(name, certificate.text(self.screen.language).encode())

    def _write_pdf(self, name: str) -> None:
        from damas.cli.paper import pdf_file  # rarely needed
        from damas.paper.certificate import certificate_paper

        try:
            data = pdf_file(certificate_paper(self.table, self.screen.language, name=name))
        except BadInput as missing:
            self.add_message(missing.sentence(self.screen.language))
        else:
            self._write(name, data)

    def _write(self, name: str, data: bytes) -> None:
        path = Path(name).expanduser()
        if not path.exists():
            path.write_bytes(data)
        elif not self.store or not path.samefile(self.store.path):  # that one is saved after every event
            self.add_message(self.screen.word("exists", file=name))
            return
        self.add_message(self.screen.word("saved", file=name))

    def _quit(self, _: str, __: Color | None = None) -> None:
        self._left = True
        running = self.table.clocks.running and self.table.clocks.control.budget is not None
        if self.store:
            if running and not self.table.outcome:  # the clock stops while the program is closed
                self.apply(Suspended(self.now(), None, ""))
            self.add_message(self.screen.word("saved", file=self.store.path))
            if not self.table.outcome:
                self.add_message(self.screen.word("go_on"))
                house = "" if is_builtin(self.table.book) else f" -r {quote(self.rules_file)}"
                self.add_message(f"  damas play --resume {quote(str(self.store.path))}{house}")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
