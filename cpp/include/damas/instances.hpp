// From the values that are the same for every board to those of one geometry and one kind of rules.
#pragma once
#include "kernel.hpp"
#include "movegen.hpp"

namespace damas::DAMAS_ISA {

/// The geometry of a board.
template <Ruleset R>
using GeometryOf =
    std::conditional_t<R.all_squares, Full8,
                       std::conditional_t<R.size == 8, Board8, std::conditional_t<R.size == 10, Board10, Board12>>>;

/// Rules known at compile time, or read at run time.
template <class R>
R rules_as(const Ruleset& rules) {
    if constexpr (kCompiled<R>)
        return R{};
    else
        return R{rules};
}

template <class Word>
Word word_of(const Bits& b) {
    if constexpr (sizeof(Word) == 16)
        return Word(b.high) << 64 | b.low;
    else
        return b.low;
}
template <class Word>
Bits bits_of(Word w) {
    if constexpr (sizeof(Word) == 16)
        return {u64(w), u64(w >> 64)};
    else
        return {w, 0};
}
template <class Word>
Pieces<Word> pieces_of(const Board& b) {
    return {{word_of<Word>(b.men[White]), word_of<Word>(b.men[Black])},
            {word_of<Word>(b.kings[White]), word_of<Word>(b.kings[Black])}};
}

}  // namespace damas::DAMAS_ISA
