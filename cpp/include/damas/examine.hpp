// Why a move is refused. Every answer is derived from the rules on the position at hand: the attempt is walked square
// by square, each rule is asked in turn, and a broken law is shown by what the generator finds when it is obeyed.
#pragma once
#include <optional>

#include "notation.hpp"

namespace damas {

/// What the sentence of a refusal needs to say.
struct Fact {
    enum Kind { Square, Piece, Number };
    const char* name;
    Kind kind;
    int value;  // a square, the letter of a piece (w, W, b, B), or a number
};

/// A rule that an attempt breaks.
struct BrokenRule {
    const char* code;    // stable, never translated
    const char* source;  // the rulebook's statement or answer that says so; "" where no text needs to
    int part = 0;        // which of its articles: the man's (0) or the king's (1), or that of a list's item
    std::vector<Fact> facts;
    std::optional<std::vector<Move>> instead;  // what this rule asks for; none: all legal moves
};

/// The order of the codes: where several rules are broken, the first names the refusal.
const std::vector<const char*>& refusal_codes();

/// Why a text may not be played, or nothing of both if it may.
struct Refused {
    std::vector<Problem> problems;   // it cannot be read
    std::vector<BrokenRule> broken;  // each code once, in the order of `refusal_codes`
    std::vector<Move> instead;       // what may be played: what the first rule asks for, or what that piece may do
};
Refused examine(const Rules& rules, const Board& board, std::string_view text);

}  // namespace damas
