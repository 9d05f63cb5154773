// The border between the specialised generators and everybody else: plain values and a table of functions.
// The choice of rules and of processor happens here, once, and never in the loop.
#pragma once
#include <vector>

#include "ruleset.hpp"

namespace damas {

/// Any board's pieces: the words of its geometry, low half first.
struct Bits {
    u64 low = 0, high = 0;

    constexpr bool operator==(const Bits&) const = default;
    constexpr bool test(int bit) const { return (bit < 64 ? low >> bit : high >> (bit - 64)) & 1; }
    constexpr void set(int bit) { (bit < 64 ? low : high) |= u64(1) << (bit & 63); }
    constexpr void clear(int bit) { (bit < 64 ? low : high) &= ~(u64(1) << (bit & 63)); }
    constexpr bool any() const { return low | high; }
    constexpr int count() const { return popcount(low) + popcount(high); }
};

struct Board {
    Bits men[2], kings[2];
    Color turn = White;

    constexpr bool operator==(const Board&) const = default;
};

constexpr int kMaxTaken = 36;  // more than any side has pieces, on any board

/// A whole move with one route. Squares are numbered as in geometry.hpp; equality ignores the route.
struct Move {
    Bits captured;  // in the bits of the board
    u8 from, to;
    bool promotes;
    bool by_king;            // a king made it
    u8 taken;                // how many pieces
    u8 landings[kMaxTaken];  // after each piece taken; the last one is `to`
    u8 victims[kMaxTaken];   // in the order taken

    bool operator==(const Move& other) const {
        return from == other.from && to == other.to && promotes == other.promotes && captured == other.captured;
    }
};

struct Kernel {
    Ruleset rules;
    bool compiled;  // the rules are constants of the code, or read at run time

    /// Every legal move in an order that is the same on every platform; `keep`: every order of taking apart. Throws
    /// `TooManyCaptures` where the list takes more than `most_work`.
    void (*legal)(const Ruleset&, const Board&, bool keep, std::vector<Move>& out, unsigned most_work);
    /// Every move without capture, whether or not a capture forbids it.
    void (*quiet)(const Ruleset&, const Board&, std::vector<Move>& out);
    int (*count)(const Ruleset&, const Board&);
    bool (*captures)(const Ruleset&, const Board&);
    u64 (*perft)(const Ruleset&, const Board&, int depth, bool keep);
};

/// Whether listing the captures of a board may take long: a flying king among many pieces.
bool may_take_long(const Ruleset& rules, const Board& board);
/// Appends every legal move, as `Kernel::legal` does with the greatest work allowed. The lists of the last few boards
/// that took long are remembered; any thread may ask.
void legal_moves(const Kernel& kernel, const Board& board, bool keep, std::vector<Move>& out);
/// The same if it takes no more than about a millisecond; otherwise returns false and leaves `out` empty.
bool quick_legal_moves(const Kernel& kernel, const Board& board, bool keep, std::vector<Move>& out);

/// Whether this machine runs what is compiled as x86_64_v3.
bool modern_processor();

/// The fastest kernel this machine can run for these rules; `interpreted` asks for the run-time one.
const Kernel& kernel_for(const Ruleset& rules, bool interpreted);

Board after(const Board& board, const Move& move, int from_bit, int to_bit);
u64 hash(const Board& board);

}  // namespace damas
