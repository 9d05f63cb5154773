// Sets of squares as numbers: the combinatorial number system, on the squares that are free.
#pragma once
#include "damas/tablebase.hpp"

namespace damas::tablebase::DAMAS_ISA {

struct Choose {
    u64 table[kMaxPieces + 1][65]{};
    constexpr Choose() {
        for (int n = 0; n <= 64; ++n) {
            table[0][n] = 1;
            for (int k = 1; k <= kMaxPieces; ++k) table[k][n] = n == 0 ? 0 : table[k - 1][n - 1] + table[k][n - 1];
        }
    }
};
inline constexpr Choose kChoose{};
[[gnu::always_inline]] constexpr u64 choose(int n, int k) { return kChoose.table[k][n]; }

/// The number of a set among the sets of its size on `free`, smallest squares varying fastest.
[[gnu::always_inline]] inline u64 rank(u64 set, u64 free) {
    u64 number = 0;
    for (int k = 1; set; ++k) {
        const u64 bit = set & -set;
        set ^= bit;
        number += kChoose.table[k][popcount(free & (bit - 1))];
    }
    return number;
}

/// The `index`-th square of `free`, as a bit.
[[gnu::always_inline]] inline u64 nth(u64 free, int index) {
    while (index--) free &= free - 1;
    return free & -free;
}

inline u64 unrank(u64 number, int size, u64 free) {
    u64 set = 0;
    int n = popcount(free);
    for (int k = size; k >= 1; --k) {
        do --n;
        while (choose(n, k) > number);
        number -= choose(n, k);
        set |= nth(free, n);
    }
    return set;
}

/// The board as the tables see it.
struct Frame {
    u64 board = 0;     // all squares
    u64 men[2] = {};   // where men of each colour may stand
    u64 diagonal = 0;  // the main one
    int top = 0;       // the highest bit

    template <class G>
    static constexpr Frame of() {
        Frame f;
        f.board = G::kBoard;
        f.men[White] = G::kBoard & ~G::crown_row(White);
        f.men[Black] = G::kBoard & ~G::crown_row(Black);
        for (int i = 0; i < G::kSize; ++i) f.diagonal |= u64(1) << G::bit(i, i);
        f.top = G::kBits - 1;
        while (!(G::kBoard >> f.top & 1)) --f.top;
        return f;
    }

    /// The board turned by half a circle.
    [[gnu::always_inline]] u64 turned(u64 w) const {
        w = (w >> 1 & 0x5555555555555555u) | (w & 0x5555555555555555u) << 1;
        w = (w >> 2 & 0x3333333333333333u) | (w & 0x3333333333333333u) << 2;
        w = (w >> 4 & 0x0f0f0f0f0f0f0f0fu) | (w & 0x0f0f0f0f0f0f0f0fu) << 4;
        return byte_reversed(w) >> (63 - top);
    }
};

/// A board with at most 64 bits, and the same board with colours swapped.
struct View {
    u64 men[2], kings[2];
    Color turn;

    [[gnu::always_inline]] Material material() const {
        return {{u8(popcount(men[0])), u8(popcount(men[1]))}, {u8(popcount(kings[0])), u8(popcount(kings[1]))}};
    }
    [[gnu::always_inline]] View swapped(const Frame& f) const {
        return {{f.turned(men[1]), f.turned(men[0])}, {f.turned(kings[1]), f.turned(kings[0])}, ~turn};
    }
};

/// Turns the board if that is what its slice stores.
[[gnu::always_inline]] inline Material normalise(const Frame& f, View& v) {
    Material m = v.material();
    if (!m.canonical() || (m.mirrored() && v.men[White] > f.turned(v.men[Black]))) {
        v = v.swapped(f);
        m = m.opposite();
    }
    return m;
}

[[gnu::always_inline]] inline u64 kings_index(u64 free, const u64 kings[2], int black_kings) {
    const int left = popcount(free) - popcount(kings[White]);
    return rank(kings[White], free) * choose(left, black_kings) + rank(kings[Black], free & ~kings[White]);
}

/// The index of a normalised view within its slice.
[[gnu::always_inline]] inline u64 index_of(const Frame& f, const Slice& s, const View& v) {
    const u64 free = f.board & ~v.men[White] & ~v.men[Black];
    const u64 unit = rank(v.men[White], f.men[White]) * s.black_men + rank(v.men[Black], f.men[Black]);
    return unit * s.placements + kings_index(free, v.kings, s.material.kings[Black]);
}

}  // namespace damas::tablebase::DAMAS_ISA
