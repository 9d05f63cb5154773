// The laws that end a game which nobody wins on the board, as the search carries them: counters that move with the
// line. They are the rulebook's data; no rulebook is named here.
#pragma once
#include <vector>

#include "damas/kernel.hpp"

namespace damas::search {

enum class Decides : u8 { Draw, Pieces };  // Pieces: more pieces wins, equal numbers draw
enum class Starts : u8 { Entry, StrongKingOnDiagonal, WeakKingOnDiagonal };

constexpr int kMostLimits = 16;
constexpr int kNotCounting = -1;

/// So many moves may be made in an ending, or without what resets the count.
struct Limit {
    int need = 0;              // counted plies that complete it
    bool strong_only = false;  // counts the plies of the stronger side, or of both
    Starts starts = Starts::Entry;
    bool while_weak_king_on_diagonal = false;
    bool capture_resets = false, man_move_resets = false, promotion_resets = false;
    Decides decides = Decides::Draw;
    bool unless_capture = false;
    int off_during = -1;  // index of the limit that silences this one while it counts

    /// The material it speaks of: these endings (all, if none is named) ...
    struct Ending {
        u8 men[2], kings[2];
    };
    bool any_material = true;
    std::vector<Ending> endings;
    // ... and these bounds.
    int least_pieces = 0, most_pieces = 1000, most_pieces_a_side = 1000;
    bool kings_on_both_sides = false;
};

/// Men and kings of each side, from any point of view.
struct Material {
    int men[2], kings[2];

    int pieces(int side) const { return men[side] + kings[side]; }
    int total() const { return pieces(0) + pieces(1); }
    bool operator==(const Material&) const = default;
};

/// What one ply did, as far as a law asks.
struct Ply {
    bool capture, by_king, promotes;
};

/// Where the counters stand after some ply. `counts[i]` is kNotCounting where law i has nothing to count.
struct Counters {
    std::int16_t counts[kMostLimits];
    u16 applies;  // bit i: the material and the board are those of limit i
};

struct Laws {
    std::vector<Limit> limits;
    int repetitions = 0;  // so many times the same position; 0: no such law
    Decides repetition = Decides::Draw;
    int length = 0;  // plies of the whole game; 0: no such law
    Decides length_decides = Decides::Draw;

    /// Prepares the table of material; `men` is the most pieces a side can have.
    void derive(int men);

    u16 by_material(const Material& m) const {
        const int n = most_ + 1;
        if (m.pieces(0) > most_ || m.pieces(1) > most_) return slow_by_material(m);
        return table_[std::size_t(((m.men[0] * n + m.kings[0]) * n + m.men[1]) * n + m.kings[1])];
    }

private:
    u16 slow_by_material(const Material& m) const;
    int most_ = 0;
    std::vector<u16> table_;
};

/// The stronger side: more pieces, then more kings; White if all is equal (`white` is White's index in `m`).
inline int strong_side(const Material& m, int white) {
    if (m.pieces(0) != m.pieces(1)) return m.pieces(0) > m.pieces(1) ? 0 : 1;
    if (m.kings[0] != m.kings[1]) return m.kings[0] > m.kings[1] ? 0 : 1;
    return white;
}

/// The board as a limit may ask about it, after the ply; sides are indexed as in `Material`.
struct Scene {
    Material material;
    bool king_on_diagonal[2];
    int white;  // which index White has
    int mover;  // which index made the ply
};

/// Bits of the limits whose material and board condition hold here.
u16 applying(const Laws& laws, const Scene& scene);
/// The counters at a position before any ply.
Counters begin(const Laws& laws, const Scene& scene);
/// The counters after a ply.
Counters advance(const Laws& laws, const Counters& before, const Ply& ply, const Scene& scene);

/// The limit that is complete here, or -1. `must_capture` is only asked if a limit wants to know.
template <class F>
inline int complete(const Laws& laws, const Counters& c, F&& must_capture) {
    for (int i = 0; i < int(laws.limits.size()); ++i) {
        const Limit& limit = laws.limits[std::size_t(i)];
        if (c.counts[i] < limit.need) continue;
        if (limit.off_during >= 0 && c.counts[limit.off_during] != kNotCounting) continue;
        if (limit.unless_capture && must_capture()) continue;
        return i;
    }
    return -1;
}

}  // namespace damas::search
