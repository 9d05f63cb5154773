// The values that cross the border, as Python holds them, and the rooms that have something to say there.
#pragma once
#include <nanobind/nanobind.h>

#include <utility>

#include "damas/notation.hpp"

namespace damas::python {

namespace nb = nanobind;

/// A move and the rules that name its squares.
struct PyMove {
    const Rules* rules;
    Move move;

    bool operator==(const PyMove& o) const { return rules->squares == o.rules->squares && move == o.move; }
};

struct PyPosition {
    const Rules* rules;
    Board board;

    bool operator==(const PyPosition& o) const { return rules == o.rules && board == o.board; }
};

struct PyMoves {
    const Rules* rules;
    std::vector<Move> moves;
};

/// The legal moves, in a list that the next call in this thread replaces. A list that takes long is made without
/// Python's lock, so that other Python threads go on.
inline std::vector<Move>& listed(const Rules& rules, const Board& board, bool keep = false) {
    thread_local std::vector<Move> scratch;
    scratch.clear();
    if (!quick_legal_moves(*rules.kernel, board, keep, scratch)) {
        nb::gil_scoped_release release;
        legal_moves(*rules.kernel, board, keep, scratch);
    }
    return scratch;
}

inline std::vector<Move> legal(const PyPosition& p, bool keep = false) {
    constexpr std::size_t kLong = 4096;  // moves; the memory of a longer list is not kept for the next call
    std::vector<Move>& moves = listed(*p.rules, p.board, keep);
    if (moves.size() > kLong) return std::exchange(moves, {});
    return moves;  // copied out at its exact size
}

inline Board play(const PyPosition& p, const Move& move) {
    const auto& bits = p.rules->bit_of_square;
    return after(p.board, move, bits[move.from], bits[move.to]);
}

/// A new position of the same Python class as `like`, which may be the class itself.
inline nb::object wrap(nb::handle type, const Rules* rules, const Board& board) {
    nb::object object = nb::inst_alloc(type);
    new (nb::inst_ptr<PyPosition>(object)) PyPosition{rules, board};
    nb::inst_mark_ready(object);
    return object;
}

/// Values never change, so copying one gives the same object.
template <class C>
void copies_are_itself(C& type) {
    type.def(
            "__copy__", [](nb::handle self) { return nb::borrow(self); }, nb::sig("def __copy__(self) -> typing.Self"))
        .def(
            "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); }, nb::arg("memo"),
            nb::sig("def __deepcopy__(self, memo: dict[int, object]) -> typing.Self"));
}

void bind_laws(nb::module_& m);
void bind_tablebase(nb::module_& m);
void bind_engine(nb::module_& m);

}  // namespace damas::python
