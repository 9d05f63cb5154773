// The rules as Python sees them. Only the files of this folder know Python; they translate and decide nothing.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nanobind/typing.h>

#include <deque>
#include <memory>

#include "arrays.hpp"
#include "damas/examine.hpp"
#include "damas/position.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace damas;
using namespace damas::python;

namespace {

/// Rules are few and live as long as the process, so that a position may point at them; equal ones are the same object.
const Rules* intern(Rules&& rules) {
    static std::deque<Rules> all;
    for (const Rules& known : all)
        if (known.same(rules)) return &known;
    all.push_back(std::move(rules));
    all.back().derive();
    return &all.back();
}

const Rules* make_rules(std::string id, int size, bool all_squares, int capture_lines, bool men_capture_backward,
                        bool men_capture_kings, bool flying_king, int king_landing, int promotion, int removal,
                        const std::vector<int>& priority, bool interpreted, std::vector<std::string> algebraic,
                        std::vector<std::string> numbers, std::vector<std::string> rows_columns, std::string fen,
                        std::string moves, std::vector<u8> white_start, std::vector<u8> black_start,
                        bool black_starts) {
    Rules rules{};
    rules.id = std::move(id);
    Ruleset& r = rules.ruleset;
    r = {u8(size),    all_squares,           CaptureLines(capture_lines), men_capture_backward, men_capture_kings,
         flying_king, Landing(king_landing), Promotion(promotion),        Removal(removal),     {}};
    for (std::size_t i = 0; i < priority.size() && i < kPriorities; ++i) r.capture_priority[i] = Priority(priority[i]);
    rules.interpreted = interpreted;
    rules.notation = {std::move(algebraic), std::move(numbers), std::move(rows_columns), std::move(fen),
                      std::move(moves)};
    rules.white_start = std::move(white_start);
    rules.black_start = std::move(black_start);
    rules.starter = black_starts ? Black : White;
    return intern(std::move(rules));
}

/// A text as the readers take it. A character that UTF-8 cannot write (half of a pair, as a terminal may hand over)
/// becomes a question mark, which no notation knows.
class Text {
public:
    explicit Text(nb::str text) : owner_(text) {
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (!data) {
            PyErr_Clear();
            owner_ = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
            if (!owner_.is_valid()) throw nb::python_error();
            data = PyBytes_AsString(owner_.ptr());
            size = PyBytes_Size(owner_.ptr());
        }
        view_ = {data, std::size_t(size)};
    }
    operator std::string_view() const { return view_; }

private:
    nb::object owner_;
    std::string_view view_;
};

nb::object problem_list(const std::vector<Problem>& problems) {
    nb::list list;
    for (const auto& p : problems)
        list.append(nb::make_tuple(p.code, p.token, p.offset, p.square == kNoSquare ? -1 : p.square));
    return list;
}

nb::tuple squares_tuple(const u8* squares, int count, int first = -1) {
    const int extra = first >= 0;
    nb::object tuple = nb::steal(PyTuple_New(count + extra));
    if (extra) PyTuple_SetItem(tuple.ptr(), 0, PyLong_FromLong(first));
    for (int i = 0; i < count; ++i) PyTuple_SetItem(tuple.ptr(), i + extra, PyLong_FromLong(squares[i]));
    return nb::borrow<nb::tuple>(tuple);
}

nb::tuple occupied(const PyPosition& p, const Bits& bits) {
    u8 squares[128];
    int n = 0;
    for (int s = 0; s < p.rules->squares; ++s)
        if (bits.test(p.rules->bit_of_square[std::size_t(s)])) squares[n++] = u8(s);
    return squares_tuple(squares, n);
}

std::string diagram(const PyPosition& p) {
    std::string text(std::size_t(p.rules->squares), '.');
    for (std::size_t s = 0; s < text.size(); ++s) {
        const int bit = p.rules->bit_of_square[s];
        for (const Color c : {White, Black}) {
            if (p.board.men[c].test(bit)) text[s] = c == White ? 'w' : 'b';
            if (p.board.kings[c].test(bit)) text[s] = c == White ? 'W' : 'B';
        }
    }
    return text;
}

nb::object position_or_problems(nb::handle type, const Rules& rules, const Board& board,
                                std::vector<Problem>& problems) {
    check_setup(rules, board, problems);
    return problems.empty() ? wrap(type, &rules, board) : problem_list(problems);
}

Board board_of(const Rules& rules, const std::vector<u8>& white_men, const std::vector<u8>& white_kings,
               const std::vector<u8>& black_men, const std::vector<u8>& black_kings, bool black_to_move) {
    Board b;
    b.turn = black_to_move ? Black : White;
    const auto fill = [&](Bits& bits, const std::vector<u8>& squares) {
        for (const u8 s : squares) {
            if (s >= rules.squares) throw nb::index_error("no such square on this board");
            bits.set(rules.bit_of_square[s]);
        }
    };
    fill(b.men[White], white_men);
    fill(b.kings[White], white_kings);
    fill(b.men[Black], black_men);
    fill(b.kings[Black], black_kings);
    return b;
}

/// The move with this `route` and `captured`: so a move that was sent to another process is made again.
PyMove make_move(const Rules& rules, const std::vector<int>& route, const std::vector<int>& captured, bool promotes,
                 bool by_king) {
    const std::size_t taken = captured.size();
    if (taken > kMaxTaken || route.size() != (taken ? taken + 1 : 2))
        throw nb::value_error("these squares make no move");
    const auto square = [&](int s) {
        if (s < 0 || s >= rules.squares) throw nb::index_error("no such square on this board");
        return u8(s);
    };
    Move move{};
    move.from = square(route.front());
    move.to = square(route.back());
    move.promotes = promotes;
    move.by_king = by_king;
    move.taken = u8(taken);
    for (std::size_t i = 0; i < taken; ++i) {
        move.landings[i] = square(route[i + 1]);
        move.victims[i] = square(captured[i]);
        move.captured.set(rules.bit_of_square[move.victims[i]]);
    }
    return {&rules, move};
}

PyMoves make_moves(const Rules& rules, const std::vector<PyMove>& moves) {
    PyMoves list{&rules, {}};
    for (const PyMove& move : moves) list.moves.push_back(move.move);
    return list;
}

/// The rows of all successors and, for each, its parent's row and the move's two ends.
nb::tuple successors(const Rules& rules, CodesIn codes, TurnsIn turns) {
    const std::size_t n = codes.shape(0), squares = std::size_t(rules.squares);
    if (codes.shape(1) != squares) throw nb::value_error("one column a square is needed");
    if (turns.shape(0) != n) throw nb::value_error("one turn a position is needed");
    std::vector<signed char> children;
    std::vector<int> parents;
    std::vector<u8> ends;
    const signed char* in = codes.data();
    const signed char* turn = turns.data();
    const char* problem = nullptr;
    {
        nb::gil_scoped_release release;
        std::vector<Move> moves;
        for (std::size_t i = 0; i < n && !problem; ++i) {
            Board b;
            b.turn = turn[i] ? Black : White;
            const signed char* row = in + i * squares;
            problem = read_codes(rules, row, b);
            if (problem) break;
            moves.clear();
            legal_moves(*rules.kernel, b, false, moves);
            for (const Move& move : moves) {
                const std::size_t at = children.size();
                children.insert(children.end(), row, row + squares);
                signed char* child = children.data() + at;
                const signed char moved = child[move.from];
                child[move.from] = 0;
                for (int k = 0; k < move.taken; ++k) child[move.victims[k]] = 0;
                child[move.to] = move.promotes ? (moved > 0 ? 2 : -2) : moved;
                parents.push_back(int(i));
                ends.push_back(move.from);
                ends.push_back(move.to);
            }
        }
    }
    if (problem) throw nb::value_error(problem);
    return nb::make_tuple(as_array(std::move(children), squares), as_array(std::move(parents), 1),
                          as_array(std::move(ends), 2));
}

}  // namespace

NB_MODULE(_core, m) {
    // Rules and networks are read once and kept until the process ends: that is no leak.
    nb::set_leak_warnings(false);
    m.doc() = "The fast core of damas: positions, legal moves and their texts. Use it through the package.";
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const TooManyCaptures&) {
            PyErr_SetNone(nb::module_::import_("damas.errors").attr("TooManyCaptures").ptr());
        }
    });

    m.def(
        "refusal_codes",
        [] {
            nb::list codes;
            for (const char* code : refusal_codes()) codes.append(code);
            return nb::tuple(codes);
        },
        "The codes of refusals; where several rules are broken, the first names the refusal.",
        nb::sig("def refusal_codes() -> tuple[str, ...]"));

    nb::class_<Rules>(m, "Rules", "The switches and names one rulebook gives to the core. Equal ones are one object.")
        .def_prop_ro("id", [](const Rules& r) { return r.id; })
        .def_prop_ro("squares", [](const Rules& r) { return r.squares; })
        .def_prop_ro("compiled", [](const Rules& r) { return r.kernel->compiled; })
        .def_prop_ro("size", [](const Rules& r) { return r.ruleset.size; })
        .def_prop_ro("all_squares", [](const Rules& r) { return r.ruleset.all_squares; });
    m.def("rules", &make_rules, nb::rv_policy::reference, nb::kw_only(), "id"_a, "size"_a, "all_squares"_a,
          "capture_lines"_a, "men_capture_backward"_a, "men_capture_kings"_a, "flying_king"_a, "king_landing"_a,
          "promotion"_a, "removal"_a, "capture_priority"_a, "interpreted"_a, "algebraic"_a, "numbers"_a,
          "rows_columns"_a, "fen"_a, "moves"_a, "white_start"_a, "black_start"_a, "black_starts"_a);

    nb::class_<PyMove> move(m, "Move",
                            "Everything one side does in a turn, all jumps included.\n\n"
                            "Two moves are equal when they share origin and result; the route is kept for drawing.\n"
                            "Squares are internal indices; `text` has their names.\n\n"
                            ">>> import damas\n"
                            ">>> (move,) = damas.Position.from_fen(\"W:Wc3:Bd4,f6\", \"brasileira\").legal_moves\n"
                            ">>> move.text, move.captured, move.route\n"
                            "('c3xe5xg7', (13, 22), (9, 18, 27))");
    copies_are_itself(move);
    move.def_prop_ro(
            "rules", [](const PyMove& m) { return m.rules; }, nb::rv_policy::reference,
            "The rules that name its squares.")
        .def_prop_ro(
            "origin", [](const PyMove& m) { return int(m.move.from); }, "The square it leaves.")
        .def_prop_ro(
            "destination", [](const PyMove& m) { return int(m.move.to); }, "The square it ends on.")
        .def_prop_ro(
            "promotes", [](const PyMove& m) { return m.move.promotes; }, "Whether a man ends it as a king.")
        .def_prop_ro(
            "by_king", [](const PyMove& m) { return m.move.by_king; }, "Whether a king made it, not a man.")
        .def_prop_ro(
            "is_capture", [](const PyMove& m) { return m.move.taken > 0; }, "Whether it takes anything.")
        .def_prop_ro(
            "captured", [](const PyMove& m) { return squares_tuple(m.move.victims, m.move.taken); },
            "The squares of the pieces taken, in the order taken.", nb::sig("def captured(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "route",
            [](const PyMove& m) {
                return m.move.taken ? squares_tuple(m.move.landings, m.move.taken, m.move.from)
                                    : squares_tuple(&m.move.to, 1, m.move.from);
            },
            "Every square it rests on, first to last.", nb::sig("def route(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "text", [](const PyMove& m) { return write_move(*m.rules, m.move); }, "In the rulebook's own notation.")
        .def("__str__", [](const PyMove& m) { return write_move(*m.rules, m.move); })
        .def("__repr__", [](const PyMove& m) { return "<Move " + write_move(*m.rules, m.move) + ">"; })
        .def(
            "__eq__",
            [](const PyMove& a, nb::handle b) { return nb::isinstance<PyMove>(b) && a == nb::cast<const PyMove&>(b); },
            nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const PyMove& m) {
            u64 h = (u64(m.move.from) << 8 | m.move.to) * 0x9e3779b97f4a7c15u + m.move.promotes;
            h ^= (m.move.captured.low ^ m.move.captured.high * 31) * 0xd6e8feb86659fd93u;
            return Py_hash_t(h >> 4);
        });

    nb::class_<PyMoves> moves(m, "LegalMoves",
                              "The legal moves of a position: iterate, count, index or ask with `in`.\n\n"
                              "Captures are already reduced to the compulsory ones.\n\n"
                              ">>> import damas\n"
                              ">>> moves = damas.Position.start(\"brasileira\").legal_moves\n"
                              ">>> len(moves), moves[0].text, moves[0] in moves\n"
                              "(7, 'a3-b4', True)");
    copies_are_itself(moves);
    moves
        .def_prop_ro(
            "rules", [](const PyMoves& l) { return l.rules; }, nb::rv_policy::reference,
            "The rules that name the squares.")
        .def("__len__", [](const PyMoves& l) { return l.moves.size(); })
        .def(
            "count", [](const PyMoves& l) { return l.moves.size(); }, "How many there are.")
        .def("__repr__",
             [](const PyMoves& l) {
                 std::string text = "<LegalMoves";
                 for (const Move& move : l.moves)
                     text += (&move == l.moves.data() ? " " : ", ") + write_move(*l.rules, move);
                 return text + ">";
             })
        .def(
            "__getitem__",
            [](const PyMoves& l, Py_ssize_t i) {
                const auto n = Py_ssize_t(l.moves.size());
                if (i < 0) i += n;
                if (i < 0 || i >= n) throw nb::index_error("there are not so many legal moves");
                return PyMove{l.rules, l.moves[std::size_t(i)]};
            },
            nb::sig("def __getitem__(self, index: int, /) -> Move"))
        .def(
            "__iter__",
            [](const PyMoves& l) {
                nb::object list = nb::steal(PyList_New(Py_ssize_t(l.moves.size())));
                for (std::size_t i = 0; i < l.moves.size(); ++i)
                    PyList_SetItem(list.ptr(), Py_ssize_t(i), nb::cast(PyMove{l.rules, l.moves[i]}).release().ptr());
                return nb::iter(list);
            },
            nb::sig("def __iter__(self) -> collections.abc.Iterator[Move]"))
        .def(
            "__contains__",
            [](const PyMoves& l, nb::handle m) {
                if (!nb::isinstance<PyMove>(m)) return false;
                const auto& wanted = nb::cast<const PyMove&>(m).move;
                for (const Move& move : l.moves)
                    if (move == wanted) return true;
                return false;
            },
            nb::arg().none(), nb::sig("def __contains__(self, move: object, /) -> bool"));

    m.def("move", &make_move, "rules"_a, "route"_a, "captured"_a, "promotes"_a, "by_king"_a,
          "The move with this route and these pieces taken; whether it is legal is for a position to say.");
    m.def("moves", &make_moves, "rules"_a, "moves"_a, "Moves as a position lists them.");

    nb::class_<PyPosition> position(m, "Position");
    copies_are_itself(position);
    position
        .def_prop_ro(
            "rules", [](const PyPosition& p) { return p.rules; }, nb::rv_policy::reference,
            "What the core knows of the rulebook.")
        .def_prop_ro(
            "black_to_move", [](const PyPosition& p) { return p.board.turn == Black; }, "Whether Black is to move.")
        .def_prop_ro(
            "white_men", [](const PyPosition& p) { return occupied(p, p.board.men[White]); },
            "The squares of White's men, in ascending order.", nb::sig("def white_men(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "white_kings", [](const PyPosition& p) { return occupied(p, p.board.kings[White]); },
            "The squares of White's kings, in ascending order.", nb::sig("def white_kings(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "black_men", [](const PyPosition& p) { return occupied(p, p.board.men[Black]); },
            "The squares of Black's men, in ascending order.", nb::sig("def black_men(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "black_kings", [](const PyPosition& p) { return occupied(p, p.board.kings[Black]); },
            "The squares of Black's kings, in ascending order.", nb::sig("def black_kings(self) -> tuple[int, ...]"))
        .def_prop_ro(
            "counts",
            [](const PyPosition& p) {
                const Board& b = p.board;
                return nb::make_tuple(b.men[White].count(), b.kings[White].count(), b.men[Black].count(),
                                      b.kings[Black].count());
            },
            "White men, White kings, Black men, Black kings.", nb::sig("def counts(self) -> tuple[int, int, int, int]"))
        .def_prop_ro("diagram", &diagram, "One character a square: w W b B or a point.")
        .def_prop_ro(
            "fen", [](const PyPosition& p) { return write_fen(*p.rules, p.board); },
            "As a FEN in the rulebook's own names of squares; `Position.from_fen` reads it back.")
        .def_prop_ro(
            "key", [](const PyPosition& p) { return damas::hash(p.board); },
            "64 bits that are equal for equal positions, on every platform.")
        .def(
            "__eq__",
            [](const PyPosition& a, nb::handle b) {
                return nb::isinstance<PyPosition>(b) && a == nb::cast<const PyPosition&>(b);
            },
            nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__", [](const PyPosition& p) { return Py_hash_t(damas::hash(p.board) >> 4); })
        .def_prop_ro(
            "legal_moves", [](const PyPosition& p) { return PyMoves{p.rules, legal(p)}; },
            "Every legal move, captures already reduced to the compulsory ones; those that differ only in their route "
            "appear once. Their order is the same on every platform.")
        .def(
            "routes", [](const PyPosition& p) { return PyMoves{p.rules, legal(p, true)}; },
            "The legal moves with every order of taking kept apart.")
        .def_prop_ro(
            "takes_long",
            [](const PyPosition& p) {
                if (!may_take_long(p.rules->ruleset, p.board)) return false;
                std::vector<Move> moves;
                try {
                    if (!quick_legal_moves(*p.rules->kernel, p.board, false, moves)) return true;
                    moves.clear();
                    return !quick_legal_moves(*p.rules->kernel, p.board, true, moves);
                } catch (const TooManyCaptures&) {
                    return true;
                }
            },
            "Whether listing the legal moves or their routes takes more than about a millisecond, or is given up. Such "
            "lists are made without Python's lock, and the last few are remembered.")
        .def(
            "quiet_moves",
            [](const PyPosition& p) {
                PyMoves list{p.rules, {}};
                p.rules->kernel->quiet(p.rules->ruleset, p.board, list.moves);
                return list;
            },
            "Moves without capture, as if captures were not compulsory.")
        .def(
            "count_moves", [](const PyPosition& p) { return p.rules->kernel->count(p.rules->ruleset, p.board); },
            "The number of legal moves, without listing them.")
        .def(
            "must_capture", [](const PyPosition& p) { return p.rules->kernel->captures(p.rules->ruleset, p.board); },
            "Whether the side to move has a capture, which is then compulsory.")
        .def(
            "after",
            [](nb::handle self, const PyMove& move) -> nb::object {
                const auto& p = nb::cast<const PyPosition&>(self);
                if (p.rules->squares != move.rules->squares) return nb::none();
                for (const Move& candidate : legal(p))
                    if (candidate == move.move) return wrap(self.type(), p.rules, play(p, candidate));
                return nb::none();
            },
            "The next position, or None if the move is not legal here.",
            nb::sig("def after(self, move: Move, /) -> typing.Self | None"))
        .def(
            "under",
            [](nb::handle self, const Rules& rules) {
                const auto& p = nb::cast<const PyPosition&>(self);
                if (rules.squares != p.rules->squares) throw nb::value_error("the boards differ");
                return wrap(self.type(), &rules, p.board);
            },
            "The same pieces under other rules of the same board.",
            nb::sig("def under(self, rules: Rules, /) -> typing.Self"))
        .def(
            "read",
            [](const PyPosition& p, nb::str text) {
                std::vector<Problem> problems;
                const MoveText read = read_move_text(*p.rules, Text(text), problems);
                if (!problems.empty()) return nb::make_tuple(problem_list(problems), nb::none(), nb::none());
                nb::list found;
                for (const Move& move : matching(*p.rules, p.board, read, legal(p)))
                    found.append(PyMove{p.rules, move});
                return nb::make_tuple(found, squares_tuple(read.squares.data(), int(read.squares.size())), read.scheme);
            },
            "(moves the text may mean, squares it names, scheme), or (problems, None, None).",
            nb::sig("def read(self, text: str, /) -> tuple[list[Move], tuple[int, ...], str] | "
                    "tuple[list[tuple[str, str, int, int]], None, None]"))
        .def(
            "refused",
            [](const PyPosition& p, nb::str text) {
                const Text attempt(text);
                Refused why;
                {
                    nb::gil_scoped_release release;
                    why = examine(*p.rules, p.board, attempt);
                }
                nb::list broken;
                for (const BrokenRule& rule : why.broken) {
                    nb::list facts;
                    for (const Fact& fact : rule.facts)
                        facts.append(nb::make_tuple(fact.name, int(fact.kind), fact.value));
                    broken.append(nb::make_tuple(rule.code, rule.source, rule.part, facts));
                }
                std::vector<std::string> instead;
                for (const Move& move : why.instead) instead.push_back(write_move(*p.rules, move));
                return nb::make_tuple(problem_list(why.problems), broken, instead);
            },
            "Why a text may not be played: problems with the text, or rules that it breaks (code, the rulebook's "
            "statement or "
            "answer, which of its articles, facts) and what may be played instead. All empty if it may.",
            nb::sig("def refused(self, text: str, /) -> tuple[list[tuple[str, str, int, int]], "
                    "list[tuple[str, str, int, list[tuple[str, int, int]]]], list[str]]"))
        .def(
            "perft",
            [](const PyPosition& p, int depth, bool routes) {
                if (depth < 0) throw nb::value_error("a depth is not negative");
                nb::gil_scoped_release release;
                return p.rules->kernel->perft(p.rules->ruleset, p.board, depth, routes);
            },
            "depth"_a, "routes"_a = false,
            "The number of lines of play of so many plies; draw laws do not end any. With `routes`, captures that "
            "differ "
            "only in their route are counted apart.");

    // The class of position that is asked for is the one that is given.
    m.attr("P") = nb::type_var("P", "bound"_a = m.attr("Position"));
    m.def(
        "start", [](nb::handle type, const Rules& rules) { return wrap(type, &rules, rules.start); },
        nb::sig("def start(type: type[P], rules: Rules, /) -> P"));
    m.def(
        "place",
        [](nb::handle type, const Rules& rules, const std::vector<u8>& white_men, const std::vector<u8>& white_kings,
           const std::vector<u8>& black_men, const std::vector<u8>& black_kings, bool black_to_move) {
            std::vector<Problem> problems;
            const Board board = board_of(rules, white_men, white_kings, black_men, black_kings, black_to_move);
            return position_or_problems(type, rules, board, problems);
        },
        "A position of the given class, or the list of what is wrong: code, token, offset, square or -1.",
        nb::sig("def place(type: type[P], rules: Rules, white_men: collections.abc.Sequence[int], "
                "white_kings: collections.abc.Sequence[int], black_men: collections.abc.Sequence[int], "
                "black_kings: collections.abc.Sequence[int], black_to_move: bool, /) -> "
                "P | list[tuple[str, str, int, int]]"));
    m.def(
        "read_fen",
        [](nb::handle type, const Rules& rules, nb::str text) {
            std::vector<Problem> problems;
            const Board board = read_fen(rules, Text(text), problems);
            return position_or_problems(type, rules, board, problems);
        },
        "A position of the given class, or the list of what is wrong: code, token, offset, square or -1.",
        nb::sig("def read_fen(type: type[P], rules: Rules, text: str, /) -> P | list[tuple[str, str, int, int]]"));
    m.def("successors", &successors, "rules"_a, "codes"_a, "turns"_a,
          "Piece codes of all successors, and for each its parent's row and the move's two ends.",
          nb::sig("def successors(rules: Rules, codes: typing_extensions.Buffer, turns: typing_extensions.Buffer) -> "
                  "tuple[memoryview, memoryview, memoryview]"));
    bind_laws(m);
    bind_tablebase(m);
    bind_engine(m);
}
