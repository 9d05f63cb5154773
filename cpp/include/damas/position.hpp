// A position seen by the generator: four words. Copied, never undone.
#pragma once
#include "geometry.hpp"

namespace damas {

template <class Word>
struct Pieces {
    Word men[2], kings[2];

    constexpr Word of(Color c) const { return men[c] | kings[c]; }
    constexpr Word all() const { return of(White) | of(Black); }
    constexpr bool operator==(const Pieces&) const = default;
};

/// One whole move, first square to last, as bits. Equal moves have the same origin and the same result.
template <class Word>
struct BitMove {
    Word captured;
    u8 from, to;
    bool promotes;

    constexpr bool operator==(const BitMove&) const = default;
};

/// Thrown instead of an answer where captures branch beyond all bounds: rings of pieces around flying kings, which only
/// a hand can set up, have millions of ways to capture. No position of a game comes near.
struct TooManyCaptures {};
/// Most ends of captures, and what merging them costs, that one list may take: about a tenth of a second.
constexpr unsigned kMaxWork = 3 << 19;

template <Color Us, class Word>
[[gnu::always_inline]] constexpr Pieces<Word> after(Pieces<Word> p, const BitMove<Word>& move) {
    const Word from = Word(1) << move.from, to = Word(1) << move.to;
    if (p.kings[Us] & from)
        p.kings[Us] = (p.kings[Us] ^ from) | to;
    else {
        p.men[Us] ^= from;
        (move.promotes ? p.kings : p.men)[Us] |= to;
    }
    p.men[~Us] &= ~move.captured;
    p.kings[~Us] &= ~move.captured;
    return p;
}

}  // namespace damas
