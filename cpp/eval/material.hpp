// The plain evaluation that works for any rules: pieces, how far the men have come, who holds the back row.
#pragma once
#include "damas/position.hpp"
#include "damas/ruleset.hpp"

namespace damas::DAMAS_ISA {

constexpr int kManValue = 100, kFlyingKingValue = 300, kShortKingValue = 150, kRowValue = 3, kBackRowValue = 5;

/// Hundredths of a man, for the side to move (index 0).
template <class G>
inline int material(const Ruleset& rules, const Pieces<typename G::Word>& p) {
    const int king = rules.flying_king ? kFlyingKingValue : kShortKingValue;
    int score =
        kManValue * (popcount(p.men[0]) - popcount(p.men[1])) + king * (popcount(p.kings[0]) - popcount(p.kings[1]));
    for (int row = 0; row < G::kSize; ++row)
        score += kRowValue * (row * popcount(p.men[0] & G::kLookups.row[row]) -
                              (G::kSize - 1 - row) * popcount(p.men[1] & G::kLookups.row[row]));
    score +=
        kBackRowValue * (popcount(p.men[0] & G::kLookups.row[0]) - popcount(p.men[1] & G::kLookups.row[G::kSize - 1]));
    return score;
}

}  // namespace damas::DAMAS_ISA
