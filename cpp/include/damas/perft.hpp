// Counting the leaves of the game tree: the generator's own exam.
#pragma once
#include "movegen.hpp"

namespace damas::DAMAS_ISA {

template <class G, Color Us, bool Keep, class R>
[[gnu::noinline]] u64 count_captures(const R& r, const Pieces<typename G::Word>& p) {
    Results<typename G::Word, Keep> results;
    Captures<G, R, Us, decltype(results)> captures(r, p, results);
    if (const int few = captures.count_short(); few >= 0) return u64(few);
    captures.generate();
    return u64(results.list.size());
}

/// Whether the side to move can capture, which is all that a quiet position needs to know of captures.
template <class G, Color Us, class R>
[[gnu::always_inline]] inline bool can_capture(const R& r, const Pieces<typename G::Word>& p) {
    struct Nobody {
    } nobody;
    return Captures<G, R, Us, Nobody>(r, p, nobody).any();
}

/// Number of legal moves, without listing the quiet ones.
template <class G, Color Us, bool Keep, class R>
[[gnu::always_inline]] inline u64 count(const R& r, const Pieces<typename G::Word>& p) {
    return can_capture<G, Us>(r, p) ? count_captures<G, Us, Keep>(r, p) : count_quiet<G, Us>(r, p);
}

template <class G, Color Us, bool Keep, class R>
u64 perft(const R& r, const Pieces<typename G::Word>& p, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return count<G, Us, Keep>(r, p);
    u64 leaves = 0;
    const auto child = [&](const BitMove<typename G::Word>& move) {
        const auto next = after<Us>(p, move);
        leaves += depth == 2 ? count<G, ~Us, Keep>(r, next) : perft<G, ~Us, Keep>(r, next, depth - 1);
    };
    if (can_capture<G, Us>(r, p)) {
        Results<typename G::Word, Keep> results;
        Captures<G, R, Us, decltype(results)>(r, p, results).generate();
        for (const auto& move : results.list) child(move);
    } else
        each_quiet<G, Us>(r, p, child);
    return leaves;
}

}  // namespace damas::DAMAS_ISA
