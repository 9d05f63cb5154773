// The values that cross the border, as Python holds them, and the rooms that have something to say there.
#pragma once
#include <nanobind/nanobind.h>

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

inline std::vector<Move> legal(const PyPosition& p, bool keep = false) {
    // One scratch list a thread: the answer is copied out at its exact size.
    thread_local std::vector<Move> scratch;
    scratch.clear();
    p.rules->kernel->legal(p.rules->ruleset, p.board, keep, scratch);
    return scratch;
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

void bind_laws(nb::module_& m);
void bind_tablebase(nb::module_& m);
void bind_engine(nb::module_& m);

}  // namespace damas::python
