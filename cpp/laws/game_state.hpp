// What the laws remember of one game: a few numbers that advance with each ply, and the keys of its positions.
#pragma once
#include <optional>

#include "damas/notation.hpp"
#include "laws.hpp"

namespace damas::laws {

/// How many simple moves in a row one king has made, and where it stands.
struct KingRun {
    u8 square = 0;
    int moves = 0;
};

struct GameState {
    Counters counters;
    int ply = 0;
    int reversible = 0;  // plies since the last one after which no earlier position can come back
    int times = 1;       // how often the position has stood since then
    KingRun runs[2];     // by colour
};

/// A move as far as the laws ask.
struct Played {
    u8 from, to;
    bool capture, by_king, promotes;
};

/// The state before the first ply.
GameState begin(const Laws& laws, const Rules& rules, const Board& start, bool recorded);
/// The state after a move that led to `board`. `key` points at the key of that position, earlier ones lie before it.
GameState advance(const Laws& laws, const Rules& rules, const GameState& before, const Played& played,
                  const Board& board, const u64* key);

/// How far a law has run.
struct Progress {
    int have, need;
    int cycle = 0;  // of a cycle: the plies of one run
};
/// Nothing where the law has nothing to count now.
std::optional<Progress> progress(const Laws& laws, const Rules& rules, const GameState& state, const Board& board,
                                 const u64* key, int law);

constexpr int kGoesOn = -1;
/// The first law that ends the game by itself here, or kGoesOn.
int ended_by(const Laws& laws, const Rules& rules, const GameState& state, const Board& board, const u64* key,
             const Customs& customs);

constexpr int kNoKing = -1;
/// The square of the king that may make no simple move now, by the rest rule of that index; kNoKing if it may.
int resting_king(const Laws& laws, const GameState& state, const Board& board, int rule);
/// The same by any rest rule.
int resting_king(const Laws& laws, const GameState& state, const Board& board);

}  // namespace damas::laws
