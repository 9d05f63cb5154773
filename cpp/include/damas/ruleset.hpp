// The switches of a rulebook that decide which moves are legal. No defaults: silence is not an answer.
#pragma once
#include "geometry.hpp"

namespace damas {

enum class Landing : u8 { Any, Behind, Continuing };  // where a capturing king may stop
enum class Promotion : u8 { Passes, Stops, Continues };
enum class Removal : u8 { AfterCapture, AtOnce };
enum class CaptureLines : u8 { Diagonal, Orthogonal, All };
enum class Priority : u8 { None, MostPieces, MostValue, WithKing, MostKings, KingFirst };
constexpr int kPriorities = 5;

struct Ruleset {
    u8 size;
    bool all_squares;  // and therefore lines along rows and columns
    CaptureLines capture_lines;
    bool men_capture_backward, men_capture_kings, flying_king;
    Landing king_landing;
    Promotion promotion;
    Removal removal;
    Priority capture_priority[kPriorities];

    constexpr bool operator==(const Ruleset&) const = default;

    constexpr unsigned capture_directions() const {
        return capture_lines == CaptureLines::All        ? kDiagonal | kOrthogonal
               : capture_lines == CaptureLines::Diagonal ? kDiagonal
                                                         : kOrthogonal;
    }
    constexpr unsigned move_directions() const { return all_squares ? kOrthogonal : kDiagonal; }
    constexpr unsigned man_moves(Color c) const { return move_directions() & ~kBackward[c]; }
    constexpr unsigned man_captures(Color c) const {
        return men_capture_backward ? capture_directions() : capture_directions() & ~kBackward[c];
    }
    constexpr bool free_choice() const { return capture_priority[0] == Priority::None; }
    /// True where a longer capture always ranks above each of its beginnings, so that no shorter one need be kept.
    constexpr bool longest_first() const {
        return capture_priority[0] == Priority::MostPieces || capture_priority[0] == Priority::MostValue;
    }
};

/// The same questions, answered at compile time (the road not taken costs nothing) ...
template <Ruleset R>
struct Compiled {
    static constexpr Ruleset rules = R;
};
/// ... or at run time, for a user's own house rules.
struct Interpreted {
    const Ruleset& rules;
};

}  // namespace damas
