// The laws, records of games and many games at once, as Python sees them. Translates and decides nothing.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "laws/batch.hpp"
#include "records.hpp"

namespace damas::python {

using namespace nb::literals;
using namespace laws;

namespace {

using MaterialCounts = std::tuple<int, int, int, int>;
using LawsPtr = std::shared_ptr<Laws>;
using Squares = nb::ndarray<const u8, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Material material_of(const MaterialCounts& c) {
    return {{std::get<0>(c), std::get<2>(c)}, {std::get<1>(c), std::get<3>(c)}};
}

Law law_of(const Laws& laws, std::string id, bool by_pieces, int claim, bool platform, int off_during) {
    if (int(laws.laws.size()) == kMaxLaws) throw nb::value_error("a rulebook has 64 draw rules at most");
    if (off_during < -1 || off_during >= int(laws.laws.size())) throw nb::value_error("no such law before this one");
    Law law;
    law.id = std::move(id);
    law.decides = by_pieces ? Decides::Pieces : Decides::Draw;
    law.claim = Claim(claim);
    law.platform = platform;
    law.off_during = off_during;
    return law;
}

/// A record of the same Python class as `like`.
nb::object wrap_record(nb::handle like, Record&& record) {
    nb::object object = nb::inst_alloc(like.type());
    new (nb::inst_ptr<PyRecord>(object)) PyRecord{std::move(record), nb::cast<const PyRecord&>(like).position_type};
    nb::inst_mark_ready(object);
    return object;
}

nb::object position(const PyRecord& r, int ply) {
    return wrap(r.position_type, &r.record.rules(), r.record.board(ply));
}

/// Lists the moves of a board that may take long without Python's lock; the record then finds the list remembered.
void listed_if_long(const Record& record) {
    if (may_take_long(record.rules().ruleset, record.board())) listed(record.rules(), record.board());
}

int checked_ply(const PyRecord& r, int ply, int least) {
    if (ply < least || ply > r.record.length()) throw nb::index_error("the record has no such ply");
    return ply;
}

int checked_law(const Laws& laws, int law) {
    if (law < 0 || law >= int(laws.laws.size())) throw nb::index_error("there is no such law");
    return law;
}

nb::object count_tuple(const std::optional<Record::Count>& c) {
    if (!c) return nb::none();
    nb::object plies = nb::steal(PyTuple_New(Py_ssize_t(c->plies.size())));
    for (std::size_t i = 0; i < c->plies.size(); ++i)
        PyTuple_SetItem(plies.ptr(), Py_ssize_t(i), PyLong_FromLong(c->plies[i]));
    return nb::make_tuple(c->have, c->need, c->since, c->first, plies, c->ending);
}

std::vector<int> numbers_of(const std::vector<Record::Count>& counts) {
    std::vector<int> numbers;
    for (const Record::Count& count : counts) numbers.push_back(count.law);
    return numbers;
}

void bind_laws_data(nb::module_& m) {
    nb::class_<Laws>(m, "Laws", "The draw and rest rules of one rulebook, in the order of its file.")
        .def(nb::init<int>(), "max_pieces"_a, "`max_pieces`: the most pieces a side can have.")
        .def(
            "add",
            [](Laws& laws, std::string id, int kind, int need, bool by_pieces, int claim, bool platform,
               int off_during) {
                Law law = law_of(laws, std::move(id), by_pieces, claim, platform, off_during);
                law.kind = Kind(kind);
                law.need = need;
                laws.add(std::move(law));
            },
            nb::kw_only(), "id"_a, "kind"_a, "need"_a, "by_pieces"_a, "claim"_a, "platform"_a, "off_during"_a)
        .def(
            "add_limit",
            [](Laws& laws, std::string id, int need, bool by_pieces, int claim, bool platform, int off_during,
               bool strong_only, int starts, bool while_weak, bool capture, bool man_move, bool promotion, int unless,
               const std::vector<std::vector<std::pair<int, int>>>& endings, std::pair<int, int> pieces, int a_side,
               bool kings_on_both_sides) {
                if (int(laws.limits.size()) == kMaxLimits) throw nb::value_error("a rulebook has 16 limits at most");
                Limit limit;
                limit.need = need;
                limit.strong_only = strong_only;
                limit.starts = Starts(starts);
                limit.while_weak_king_on_diagonal = while_weak;
                limit.capture_resets = capture;
                limit.man_move_resets = man_move;
                limit.promotion_resets = promotion;
                limit.decides = by_pieces ? Decides::Pieces : Decides::Draw;
                limit.unless = Unless(unless);
                const auto range = [](const std::pair<int, int>& r) { return Range{r.first, r.second}; };
                for (const auto& e : endings) {
                    if (e.size() != 4) throw nb::value_error("kings and men of two sides are needed");
                    limit.endings.push_back({{range(e[1]), range(e[3])}, {range(e[0]), range(e[2])}});
                }
                limit.pieces = range(pieces);
                limit.max_pieces_a_side = a_side;
                limit.kings_on_both_sides = kings_on_both_sides;
                laws.add(law_of(laws, std::move(id), by_pieces, claim, platform, off_during), std::move(limit));
            },
            nb::kw_only(), "id"_a, "need"_a, "by_pieces"_a, "claim"_a, "platform"_a, "off_during"_a, "strong_only"_a,
            "starts"_a, "while_weak"_a, "capture"_a, "man_move"_a, "promotion"_a, "unless"_a, "endings"_a, "pieces"_a,
            "a_side"_a, "kings_on_both_sides"_a,
            "Each ending: the fewest and most kings and men of one side, then of the other.")
        .def(
            "add_rest", [](Laws& laws, int limit) { laws.rests.push_back(limit); }, "limit"_a,
            "So many simple moves in a row may one king make.")
        .def(
            "applies",
            [](const Laws& laws, int law, const MaterialCounts& counts) {
                const int limit = laws.laws[std::size_t(checked_law(laws, law))].limit;
                return limit < 0 || laws.limits[std::size_t(limit)].ending_of(material_of(counts)) >= 0;
            },
            "law"_a, "counts"_a, "Whether a law applies to this material: White men, White kings, Black men and kings.")
        .def(
            "waits_for_claim",
            [](const Laws& laws, int law, bool claims) {
                return laws.waits_for_claim(laws.laws[std::size_t(checked_law(laws, law))], {true, claims});
            },
            "law"_a, "claims"_a, "Whether a law waits for a player's claim; `claims`: the regulation asks for claims.");
    m.def(
        "strong_side_is_black",
        [](const MaterialCounts& counts) { return strong_side(material_of(counts), White) == Black; }, "counts"_a,
        "The stronger side has more pieces, then more kings; it is White if all is equal.");
}

void bind_record(nb::module_& m) {
    m.attr("GOES_ON") = kGoesOn;
    m.attr("NO_MOVE") = kNoMove;
    nb::class_<PyRecord> record(m, "Record",
                                "A game as it was played. Playing on gives a longer record; this one stays.");
    copies_are_itself(record);
    record
        .def(
            "__init__",
            [](PyRecord* self, nb::handle start, LawsPtr laws, bool recorded) {
                const auto& p = nb::cast<const PyPosition&>(start);
                new (self) PyRecord{Record(*p.rules, std::move(laws), p.board, recorded), nb::borrow(start.type())};
            },
            "start"_a, "laws"_a, "recorded"_a,
            nb::sig("def __init__(self, start: Position, laws: Laws, recorded: bool) -> None"))
        .def_prop_ro(
            "rules", [](const PyRecord& r) { return &r.record.rules(); }, nb::rv_policy::reference,
            "What the core knows of the rulebook.")
        .def_prop_ro(
            "recorded", [](const PyRecord& r) { return r.record.recorded(); },
            "Whether the players write the game down: some limits count from a claim where nobody does.")
        .def_prop_ro(
            "claims",
            [](const PyRecord& r) {
                const auto& calls = r.record.calls();
                nb::object tuple = nb::steal(PyTuple_New(Py_ssize_t(calls.size())));
                for (std::size_t i = 0; i < calls.size(); ++i)
                    PyTuple_SetItem(tuple.ptr(), Py_ssize_t(i),
                                    nb::make_tuple(calls[i].ply, calls[i].id).release().ptr());
                return tuple;
            },
            "(ply after which it was made, id of the limit): players who called attention to a limit.",
            nb::sig("def claims(self) -> tuple[tuple[int, str], ...]"))
        .def_prop_ro(
            "length", [](const PyRecord& r) { return r.record.length(); }, "How many plies have been played.")
        .def_prop_ro(
            "start", [](const PyRecord& r) { return position(r, 0); }, "The position before the first ply.",
            nb::sig("def start(self) -> Position"))
        .def_prop_ro(
            "position", [](const PyRecord& r) { return position(r, r.record.length()); }, "The position now.",
            nb::sig("def position(self) -> Position"))
        .def(
            "position_after", [](const PyRecord& r, int ply) { return position(r, checked_ply(r, ply, 0)); }, "ply"_a,
            "The position after so many plies; 0 is the start.",
            nb::sig("def position_after(self, ply: int) -> Position"))
        .def(
            "move",
            [](const PyRecord& r, int ply) {
                checked_ply(r, ply, 1);
                return PyMove{&r.record.named_by(ply), r.record.move(ply)};
            },
            "ply"_a, "The move of a ply; plies count from 1.")
        .def_prop_ro(
            "positions",
            [](const PyRecord& r) {
                nb::list list;
                for (int ply = 0; ply <= r.record.length(); ++ply) list.append(position(r, ply));
                return list;
            },
            "The start, then the position after each ply.", nb::sig("def positions(self) -> list[Position]"))
        .def_prop_ro(
            "moves",
            [](const PyRecord& r) {
                nb::list list;
                for (int ply = 1; ply <= r.record.length(); ++ply)
                    list.append(PyMove{&r.record.named_by(ply), r.record.move(ply)});
                return list;
            },
            "The moves in the order played.", nb::sig("def moves(self) -> list[Move]"))
        .def(
            "after",
            [](nb::handle self, const PyMove& move, bool rested) -> nb::object {
                const Record& record = nb::cast<const PyRecord&>(self).record;
                listed_if_long(record);
                auto longer = record.after(move.move, *move.rules, rested);
                return longer ? wrap_record(self, std::move(*longer)) : nb::none();
            },
            "move"_a, "rested"_a,
            "The record with one more ply, or None if the move is not legal; `rested`: nor if its king must rest.",
            nb::sig("def after(self, move: Move, rested: bool) -> typing.Self | None"))
        .def(
            "extend",
            [](nb::handle self, nb::iterable moves, const std::vector<std::pair<int, std::string>>& claims,
               bool platform_rules, bool wait_for_claims) {
                const Customs customs{platform_rules, wait_for_claims};
                Record record = nb::cast<const PyRecord&>(self).record;
                const auto over = [&] { return record.ended_by(customs) != kGoesOn; };
                const auto call = [&] {
                    for (const auto& [ply, id] : claims)
                        if (ply == record.length()) record = record.call(id);
                };
                nb::object refused = nb::none();
                if (!over()) {
                    call();
                    if (!over())
                        for (nb::handle item : moves) {
                            const auto& move = nb::cast<const PyMove&>(item);
                            auto longer = record.after(move.move, *move.rules, true);
                            if (!longer) {
                                refused = nb::borrow(item);
                                break;
                            }
                            record = std::move(*longer);
                            if (over()) break;
                            call();
                            if (over()) break;
                        }
                }
                return nb::make_tuple(wrap_record(self, std::move(record)), refused);
            },
            "moves"_a, "claims"_a, "platform_rules"_a, "wait_for_claims"_a,
            "The record with these moves, up to the one that ends the game, and the first that is not legal or None.",
            nb::sig("def extend(self, moves: collections.abc.Iterable[Move], "
                    "claims: collections.abc.Sequence[tuple[int, str]], platform_rules: bool, wait_for_claims: bool) "
                    "-> tuple[typing.Self, Move | None]"))
        .def(
            "until",
            [](nb::handle self, int ply) {
                const auto& r = nb::cast<const PyRecord&>(self);
                return wrap_record(self, r.record.until(checked_ply(r, ply, 0)));
            },
            "ply"_a, "The record as it stood after an earlier ply; later claims are forgotten with the moves.",
            nb::sig("def until(self, ply: int) -> typing.Self"))
        .def(
            "claim",
            [](nb::handle self, const std::string& rule_id) {
                return wrap_record(self, nb::cast<const PyRecord&>(self).record.call(rule_id));
            },
            "rule_id"_a, "The record with a player's attention called to a limit, now.",
            nb::sig("def claim(self, rule_id: str) -> typing.Self"))
        .def_prop_ro(
            "legal_moves",
            [](const PyRecord& r) {
                listed_if_long(r.record);
                return PyMoves{&r.record.rules(), r.record.legal_moves()};
            },
            "The legal moves of the position that the rest rules leave.")
        .def(
            "count",
            [](const PyRecord& r, int law) { return count_tuple(r.record.count(checked_law(r.record.laws(), law))); },
            "law"_a, "(have, need, since, first, plies, ending) of a law, or None where it has nothing to count.",
            nb::sig("def count(self, law: int) -> tuple[int, int, int, int, tuple[int, ...], int] | None"))
        .def(
            "running",
            [](const PyRecord& r, bool platform_rules) {
                return numbers_of(r.record.running({platform_rules, false}));
            },
            "platform_rules"_a,
            "The laws that count now; a draw that the platform offers gives way to the text's own limit on this "
            "ending.")
        .def(
            "claimable",
            [](const PyRecord& r, bool platform_rules, bool wait_for_claims) {
                return numbers_of(r.record.claimable({platform_rules, wait_for_claims}));
            },
            "platform_rules"_a, "wait_for_claims"_a,
            "The laws that are complete and wait for a player to say so; none after the end of the game.")
        .def(
            "move_number", [](const PyRecord& r, int ply) { return r.record.move_number(ply); }, "ply"_a,
            "The number a score sheet gives a ply: a pair of turns a number, the starter's turn first.")
        .def(
            "ended_by",
            [](const PyRecord& r, bool platform_rules, bool wait_for_claims) {
                return r.record.ended_by({platform_rules, wait_for_claims});
            },
            "platform_rules"_a, "wait_for_claims"_a,
            "NO_MOVE where no move is left, else the first law that ends the game by itself, or GOES_ON.")
        .def(
            "resting_king",
            [](const PyRecord& r, int rule) -> std::optional<int> {
                if (rule < 0 || rule >= int(r.record.laws().rests.size())) throw nb::index_error("no such rest rule");
                const int square = r.record.resting_king(rule);
                return square == kNoKing ? std::nullopt : std::optional(square);
            },
            "rule"_a, "The square of the king that may make no simple move now by a rest rule, or None.")
        .def(
            "__eq__",
            [](const PyRecord& a, nb::handle b) {
                return nb::isinstance<PyRecord>(b) && a.record == nb::cast<const PyRecord&>(b).record;
            },
            nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"));
}

/// One number for each game.
template <class F>
nb::object each_game(const GameBatch& batch, F&& f) {
    std::vector<int> numbers(batch.games());
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = f(i);
    }
    return as_array(std::move(numbers), 1);
}

void bind_batch(nb::module_& m) {
    nb::class_<GameBatch>(m, "GameBatch", "The laws of many games that advance together.")
        .def(
            "__init__",
            [](GameBatch* self, const PyPosition& start, LawsPtr laws, std::size_t games) {
                new (self) GameBatch(*start.rules, std::move(laws), start.board, games);
            },
            "start"_a, "laws"_a, "games"_a)
        .def(
            "copy", [](const GameBatch& batch) { return GameBatch(batch); }, "The same games, which go their own way.")
        .def(
            "play",
            [](GameBatch& batch, CodesIn codes, TurnsIn turns, Squares origins, Squares destinations, Flags restarted) {
                const Rules& rules = batch.rules();
                const std::size_t n = batch.games(), squares = std::size_t(rules.squares);
                if (codes.shape(0) != n || turns.shape(0) != n || origins.shape(0) != n || destinations.shape(0) != n ||
                    restarted.shape(0) != n)
                    throw nb::value_error("one row a game is needed");
                if (codes.shape(1) != squares) throw nb::value_error("one column a square is needed");
                const char* problem = nullptr;
                {
                    nb::gil_scoped_release release;
                    for (std::size_t i = 0; i < n && !problem; ++i) {
                        if (restarted.data()[i]) {
                            batch.restart(i);
                            continue;
                        }
                        Board next;
                        next.turn = turns.data()[i] ? Black : White;
                        problem = read_codes(rules, codes.data() + i * squares, next);
                        const int from = origins.data()[i], to = destinations.data()[i];
                        if (from >= rules.squares || to >= rules.squares) problem = "no such square on this board";
                        if (!problem) batch.play(i, from, to, next);
                    }
                }
                if (problem) throw nb::value_error(problem);
            },
            "codes"_a, "turns"_a, "origins"_a, "destinations"_a, "restarted"_a,
            "One move in each game: the board and the turn after it, and its two ends; or the game begins anew.",
            nb::sig("def play(self, codes: typing_extensions.Buffer, turns: typing_extensions.Buffer, "
                    "origins: typing_extensions.Buffer, destinations: typing_extensions.Buffer, "
                    "restarted: typing_extensions.Buffer) -> None"))
        .def(
            "ended_by",
            [](const GameBatch& batch, bool platform_rules, bool wait_for_claims) {
                const Customs customs{platform_rules, wait_for_claims};
                return each_game(batch, [&](std::size_t i) { return batch.ended_by(i, customs); });
            },
            "platform_rules"_a, "wait_for_claims"_a, "The first law that ends each game by itself, or GOES_ON.",
            nb::sig("def ended_by(self, platform_rules: bool, wait_for_claims: bool) -> memoryview"))
        .def(
            "count",
            [](const GameBatch& batch, int law) {
                checked_law(batch.laws(), law);
                return each_game(batch, [&](std::size_t i) { return batch.count(i, law); });
            },
            "law"_a, "How far a law has run in each game, -1 where it has nothing to count.",
            nb::sig("def count(self, law: int) -> memoryview"))
        .def(
            "resting_kings",
            [](const GameBatch& batch) {
                return each_game(batch, [&](std::size_t i) { return batch.resting_king(i); });
            },
            "The square of the king that may make no simple move now in each game, or -1.",
            nb::sig("def resting_kings(self) -> memoryview"));
}

}  // namespace

void bind_laws(nb::module_& m) {
    bind_laws_data(m);
    bind_record(m);
    bind_batch(m);
}

}  // namespace damas::python
