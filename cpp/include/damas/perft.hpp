// Counting the leaves of the game tree: the generator's own exam.
#pragma once
#include "movegen.hpp"

namespace damas::DAMAS_ISA {

template <class G, Color Us, bool Keep, class R>
[[gnu::noinline]] u64 count_captures(const R& r, const Pieces<typename G::Word>& p) {
    Results<typename G::Word, Keep> results;
    Captures<G, R, Us, decltype(results)>(r, p, results).generate();
    return u64(results.list.size());
}

/// Number of legal moves, without listing the quiet ones.
template <class G, Color Us, bool Keep, class R>
[[gnu::always_inline]] inline u64 count(const R& r, const Pieces<typename G::Word>& p) {
    Results<typename G::Word, Keep>* no_sink = nullptr;
    const Captures<G, R, Us, Results<typename G::Word, Keep>> captures(r, p, *no_sink);
    return captures.any() ? count_captures<G, Us, Keep>(r, p) : count_quiet<G, Us>(r, p);
}

template <class G, Color Us, bool Keep, class R>
u64 perft(const R& r, const Pieces<typename G::Word>& p, int depth) {
    if (depth == 0) return 1;
    if (depth == 1) return count<G, Us, Keep>(r, p);
    u64 leaves = 0;
    const auto child = [&](const Jump<typename G::Word>& move) {
        const auto next = after<Us>(p, move);
        leaves += depth == 2 ? count<G, ~Us, Keep>(r, next) : perft<G, ~Us, Keep>(r, next, depth - 1);
    };
    Results<typename G::Word, Keep> results;
    Captures<G, R, Us, decltype(results)> captures(r, p, results);
    if (captures.any()) {
        captures.generate();
        for (const auto& move : results.list) child(move);
    } else
        each_quiet<G, Us>(r, p, child);
    return leaves;
}

}  // namespace damas::DAMAS_ISA
