// The board as bits.
//
// Squares are numbered by rows from White's side, left to right, playing squares only: a1 = 0.
// (A board whose playing corner is at the right is the same board named in a mirror: notation's business.)
// On a one-colour board bit(row, column) = ((size + 1) * row + column) / 2: half a ghost column a row, so that each
// diagonal is one shift everywhere and a step off the side lands on a ghost bit.
#pragma once
#include <array>

#include "bits.hpp"

namespace damas {

enum Color : u8 { White, Black };
constexpr Color operator~(Color c) { return Color(1 - c); }

/// Directions; the first four lead to higher bits. `d ^ 4` is the opposite one.
enum Direction : u8 { North, NorthEast, NorthWest, East, South, SouthWest, SouthEast, West };
constexpr Direction opposite(Direction d) { return Direction(d ^ 4); }
constexpr int kDirections = 8;

constexpr unsigned bit_of(Direction d) { return 1u << d; }
constexpr unsigned kDiagonal = bit_of(NorthEast) | bit_of(NorthWest) | bit_of(SouthEast) | bit_of(SouthWest);
constexpr unsigned kOrthogonal = bit_of(North) | bit_of(East) | bit_of(South) | bit_of(West);
constexpr unsigned kBackward[2] = {bit_of(South) | bit_of(SouthEast) | bit_of(SouthWest),
                                   bit_of(North) | bit_of(NorthEast) | bit_of(NorthWest)};

template <int Size, bool AllSquares>
struct Geometry {
    static constexpr int kSize = Size;
    static constexpr bool kAllSquares = AllSquares;
    static constexpr int kSquares = AllSquares ? Size * Size : Size * Size / 2;
    static constexpr int kBits = AllSquares ? Size * Size : (Size + 1) * Size / 2;
    using Word = std::conditional_t<(kBits > 64), u128, u64>;

    static constexpr bool playable(int row, int column) {
        return row >= 0 && row < Size && column >= 0 && column < Size && (AllSquares || (row + column) % 2 == 0);
    }
    static constexpr int bit(int row, int column) {
        return AllSquares ? row * Size + column : ((Size + 1) * row + column) / 2;
    }
    static constexpr int square(int row, int column) {
        return AllSquares ? row * Size + column : row * (Size / 2) + column / 2;
    }

    /// Rows and columns of one step: two columns or rows at once along the orthogonals of a one-colour board.
    static constexpr int row_step(Direction d) {
        constexpr int table[] = {AllSquares ? 1 : 2, 1, 1, 0, AllSquares ? -1 : -2, -1, -1, 0};
        return table[d];
    }
    static constexpr int column_step(Direction d) {
        constexpr int table[] = {0, 1, -1, AllSquares ? 1 : 2, 0, -1, 1, AllSquares ? -1 : -2};
        return table[d];
    }

    struct Lookups {
        Word board{};                    // all playing squares
        Word row[Size]{};                // the squares of each row
        Word leaves[kDirections]{};      // squares from which a step stays on the board
        Word ray[kDirections][kBits]{};  // squares in line from a bit, itself left out
        u8 square_of_bit[kBits]{};
        u8 bit_of_square[kSquares]{};
        constexpr Lookups() {
            for (int r = 0; r < Size; ++r)
                for (int c = 0; c < Size; ++c) {
                    if (!playable(r, c)) continue;
                    const int b = bit(r, c);
                    board |= Word(1) << b;
                    row[r] |= Word(1) << b;
                    square_of_bit[b] = u8(square(r, c));
                    bit_of_square[square(r, c)] = u8(b);
                    for (int d = 0; d < kDirections; ++d) {
                        const int dr = row_step(Direction(d)), dc = column_step(Direction(d));
                        if (playable(r + dr, c + dc)) leaves[d] |= Word(1) << b;
                        for (int y = r + dr, x = c + dc; playable(y, x); y += dr, x += dc)
                            ray[d][b] |= Word(1) << bit(y, x);
                    }
                }
        }
    };
    static constexpr Lookups kLookups{};
    static constexpr Word kBoard = kLookups.board;

    static constexpr bool ascending(Direction d) { return d < South; }

    /// All pieces of `w` one step further; what leaves the board lands outside kBoard.
    template <Direction D>
    [[gnu::always_inline]] static constexpr Word step(Word w) {
        constexpr int shift = bit(row_step(D) + 4, column_step(D) + 4) - bit(4, 4);
        // Along a row the next bit may belong to the next row; every other way out meets a ghost or falls off.
        constexpr bool wraps = row_step(D) == 0;
        if constexpr (wraps) w &= kLookups.leaves[D];
        if constexpr (shift > 0)
            return w << shift;
        else
            return w >> -shift;
    }

    /// The first of `blockers` in direction `d` (they all lie in line); must not be empty.
    [[gnu::always_inline]] static constexpr int first(Direction d, Word blockers) {
        return ascending(d) ? lowest(blockers) : highest(blockers);
    }

    static constexpr Word crown_row(Color c) { return kLookups.row[c == White ? Size - 1 : 0]; }
};

using Board8 = Geometry<8, false>;
using Board10 = Geometry<10, false>;
using Board12 = Geometry<12, false>;
using Full8 = Geometry<8, true>;

}  // namespace damas
