// The laws that end a game without a win on the board: the rulebook's data, and counters that advance ply by ply.
// Games, the search, endgame tables and environments all count with these; no rulebook is named here.
#pragma once
#include <string>
#include <vector>

#include "damas/kernel.hpp"

namespace damas::laws {

enum class Kind : u8 { Limit, Repetition, Cycle, Length };
enum class Decides : u8 { Draw, Pieces };  // Pieces: more pieces wins, equal numbers draw
enum class Claim : u8 { Automatic, Player, Unrecorded };
enum class Starts : u8 { Entry, StrongKingOnDiagonal, WeakKingOnDiagonal };
/// When a limit is silent: never, while the side to move must capture, or also while it cannot avoid being captured.
enum class Unless : u8 { Never, CaptureDue, CaptureUnavoidable };

constexpr int kMaxLimits = 16;
constexpr int kMaxLaws = 64;

/// Men and kings of two sides; which index is which colour is the caller's choice.
struct Material {
    int men[2], kings[2];

    int pieces(int side) const { return men[side] + kings[side]; }
    int total() const { return pieces(0) + pieces(1); }
    bool operator==(const Material&) const = default;
};

/// The stronger side: more pieces, then more kings; White if all is equal (`white` is White's index in `m`).
inline int strong_side(const Material& m, int white) {
    if (m.pieces(0) != m.pieces(1)) return m.pieces(0) > m.pieces(1) ? 0 : 1;
    if (m.kings[0] != m.kings[1]) return m.kings[0] > m.kings[1] ? 0 : 1;
    return white;
}

/// A number of pieces, both bounds included.
struct Range {
    int least = 0, most = 1000;
    bool has(int n) const { return least <= n && n <= most; }
};

/// At most so many moves in an ending, or without a move that resets the count.
struct Limit {
    int need = 0;              // counted plies that complete it
    bool strong_only = false;  // counts the plies of the stronger side, or of both
    Starts starts = Starts::Entry;
    bool while_weak_king_on_diagonal = false;
    bool capture_resets = false, man_move_resets = false, promotion_resets = false;
    Decides decides = Decides::Draw;
    Unless unless = Unless::Never;
    int off_during = -1;  // the limit that silences this one while it counts

    /// The material it applies to: one of these endings with either colour as the first side (none: any material) ...
    struct Ending {
        Range men[2], kings[2];
    };
    std::vector<Ending> endings;
    // ... within these bounds.
    Range pieces;
    int max_pieces_a_side = 1000;
    bool kings_on_both_sides = false;

    bool within_bounds(const Material& m) const;
    /// The first ending that this material is, 0 where none is listed; -1 if the limit does not apply to it.
    int ending_of(const Material& m) const;
};

/// One draw rule, in the order of the rulebook's file.
struct Law {
    std::string id;
    Kind kind = Kind::Limit;
    int need = 0;  // counted plies, times a position stands, runs of a cycle, plies of the game
    Decides decides = Decides::Draw;
    Claim claim = Claim::Automatic;
    bool platform = false;  // of the platform, not of the rulebook
    int limit = -1;         // index among the limits, for a limit
    int off_during = -1;    // index of the law that silences this one while it runs
};

/// What a regulation decides about the laws.
struct Customs {
    bool platform_rules = true;
    bool claims = false;  // a limit that the federation words as a claim waits for one
};

struct Laws {
    std::vector<Law> laws;
    std::vector<Limit> limits;
    std::vector<int> rests;  // for each rest rule, the simple moves in a row that one king may make
    u16 unrecorded = 0;      // bits of the limits that count from a player's call where the game is not recorded

    // What the search asks: the nearest of all laws about repetition and length; 0: none.
    int repetitions = 0, length = 0;
    Decides repetition = Decides::Draw, length_decides = Decides::Draw;
    int repetition_off_during = -1;  // the limit that silences the law about repetition while it counts

    /// `max_pieces`: the most pieces a side can have.
    explicit Laws(int max_pieces = 0) : max_pieces_(max_pieces) {}

    void add(Law law);
    void add(Law law, Limit limit);
    /// The laws that may end a game under these customs. Others still silence those that give way to them.
    Laws under(const Customs& customs) const;

    /// A federation's claim is applied by itself unless the regulation asks for claims; a platform's never is.
    bool waits_for_claim(const Law& law, const Customs& customs) const {
        return law.claim == Claim::Player && (law.platform || customs.claims);
    }

    /// Bits of the limits that apply to a material.
    u16 by_material(const Material& m) const {
        if (m.pieces(0) > max_pieces_ || m.pieces(1) > max_pieces_) return search_by_material(m);
        return table_.empty() ? any_material_ : u16(any_material_ | table_[place(m)]);
    }

private:
    std::size_t place(const Material& m) const {
        const int n = max_pieces_ + 1;
        return std::size_t(((m.men[0] * n + m.kings[0]) * n + m.men[1]) * n + m.kings[1]);
    }
    u16 search_by_material(const Material& m) const;
    void summarize(const Law& law);
    void fill(int limit);

    int max_pieces_;
    u16 any_material_ = 0;
    std::vector<u16> table_;  // bits of the limits, by material
};

constexpr int kNotCounting = -1;
constexpr int kUncalled = -2;  // would count, had a player called attention to it

/// What one ply did, as far as a law asks.
struct Ply {
    bool capture, by_king, promotes;
};

/// Where the limits stand after a ply. `counts[i]` is below 0 where limit i counts nothing.
struct Counters {
    std::int16_t counts[kMaxLimits];
    u16 applies;  // bit i: the material and the board are those of limit i
    u16 began;    // bit i: limit i began to count at this ply
    u16 on_call;  // bit i: limit i counts from a player's call in this game

    bool counting(int i) const { return counts[i] >= 0; }
};

/// The board after a ply, as far as a limit asks; sides are indexed as in `Material`.
struct Scene {
    Material material;
    bool king_on_diagonal[2];
    int white;  // White's index
    int mover;  // the index of the side that made the ply
};

/// The counters before the first ply.
Counters begin(const Laws& laws, const Scene& scene, bool recorded = true);
/// The counters after a ply. `by_material`: what `Laws::by_material` says of the scene, which changes only with the
/// material and is the same for both sides.
Counters advance(const Laws& laws, u16 by_material, const Counters& before, const Ply& ply, const Scene& scene);
inline Counters advance(const Laws& laws, const Counters& before, const Ply& ply, const Scene& scene) {
    return advance(laws, laws.by_material(scene.material), before, ply, scene);
}
/// A player calls attention to a limit: it counts from now on if it waited for that.
void call(Counters& counters, int limit);
/// The limits that wait for a call are counted as if it came now, and later ones at once.
void call_all(Counters& counters);

/// The limit that is complete, or -1. `silenced` tells whether an `Unless` holds; called only if a limit depends on it.
template <class F>
inline int complete(const Laws& laws, const Counters& c, F&& silenced) {
    for (int i = 0; i < int(laws.limits.size()); ++i) {
        const Limit& limit = laws.limits[std::size_t(i)];
        if (!c.counting(i) || c.counts[i] < limit.need) continue;
        if (limit.off_during >= 0 && c.counting(limit.off_during)) continue;
        if (limit.unless != Unless::Never && silenced(limit.unless)) continue;
        return i;
    }
    return -1;
}

}  // namespace damas::laws
