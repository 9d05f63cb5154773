// Arrays that cross the border: one row of piece codes a position (0 empty, 1 and 2 White's man and king, -1 and -2
// Black's), one number a turn (0 White, 1 Black).
#pragma once
#include <nanobind/ndarray.h>

#include "values.hpp"

namespace damas::python {

using CodesIn = nb::ndarray<const signed char, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using TurnsIn = nb::ndarray<const signed char, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Puts a row's pieces on an empty board; returns what is wrong with them, or null.
inline const char* read_codes(const Rules& rules, const signed char* row, Board& board) {
    for (std::size_t s = 0; s < std::size_t(rules.squares); ++s) {
        const int bit = rules.bit_of_square[s];
        switch (row[s]) {
            case 0: break;
            case 1: board.men[White].set(bit); break;
            case 2: board.kings[White].set(bit); break;
            case -1: board.men[Black].set(bit); break;
            case -2: board.kings[Black].set(bit); break;
            default: return "piece codes are 0, 1, 2, -1 and -2";
        }
    }
    // No check of the whole setup, but what the generator counts on: no side has more pieces than at the start.
    if (board.men[White].count() + board.kings[White].count() > int(rules.white_start.size()) ||
        board.men[Black].count() + board.kings[Black].count() > int(rules.black_start.size()))
        return "a side has more pieces than at the start";
    return nullptr;
}

/// A vector as an array that owns it; with one column it has one dimension.
template <class T>
nb::object as_array(std::vector<T>&& values, std::size_t columns) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    if (columns > 1) {
        const std::size_t shape[2] = {owned->size() / columns, columns};
        return nb::cast(nb::ndarray<nb::memview, T>(owned->data(), 2, shape, owner));
    }
    const std::size_t shape[1] = {owned->size()};
    return nb::cast(nb::ndarray<nb::memview, T>(owned->data(), 1, shape, owner));
}

}  // namespace damas::python
