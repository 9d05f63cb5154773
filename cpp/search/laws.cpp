#include "laws.hpp"

#include <algorithm>

namespace damas::search {

u16 Laws::slow_by_material(const Material& m) const {
    u16 set = 0;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const Limit& limit = limits[i];
        const auto same = [&](const Limit::Ending& e, int a, int b) {
            return e.men[0] == m.men[a] && e.kings[0] == m.kings[a] && e.men[1] == m.men[b] && e.kings[1] == m.kings[b];
        };
        const bool named =
            limit.any_material || std::any_of(limit.endings.begin(), limit.endings.end(),
                                              [&](const auto& e) { return same(e, 0, 1) || same(e, 1, 0); });
        if (named && m.total() >= limit.least_pieces && m.total() <= limit.most_pieces &&
            std::max(m.pieces(0), m.pieces(1)) <= limit.most_pieces_a_side &&
            (!limit.kings_on_both_sides || (m.kings[0] && m.kings[1])))
            set = u16(set | 1u << i);
    }
    return set;
}

void Laws::derive(int men) {
    most_ = men;
    const int n = men + 1;
    table_.assign(std::size_t(n) * n * n * n, 0);
    std::size_t at = 0;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            for (int c = 0; c < n; ++c)
                for (int d = 0; d < n; ++d, ++at)
                    if (a + b <= men && c + d <= men) table_[at] = slow_by_material({{a, c}, {b, d}});
}

u16 applying(const Laws& laws, const Scene& s) {
    u16 set = laws.by_material(s.material);
    for (unsigned left = set; left;) {
        const int i = pop(left);
        if (laws.limits[std::size_t(i)].while_weak_king_on_diagonal &&
            !s.king_on_diagonal[1 - strong_side(s.material, s.white)])
            set = u16(set & ~(1u << i));
    }
    return set;
}

namespace {
bool starts(const Limit& limit, const Scene& s) {
    if (limit.starts == Starts::Entry) return true;
    const int strong = strong_side(s.material, s.white);
    return s.king_on_diagonal[limit.starts == Starts::StrongKingOnDiagonal ? strong : 1 - strong];
}
}  // namespace

Counters begin(const Laws& laws, const Scene& s) {
    Counters c;
    for (auto& count : c.counts) count = kNotCounting;
    c.applies = applying(laws, s);
    for (unsigned left = c.applies; left;) {
        const int i = pop(left);
        if (starts(laws.limits[std::size_t(i)], s)) c.counts[i] = 0;
    }
    return c;
}

Counters advance(const Laws& laws, const Counters& before, const Ply& ply, const Scene& s) {
    Counters c;
    for (auto& count : c.counts) count = kNotCounting;
    c.applies = applying(laws, s);
    for (unsigned left = c.applies; left;) {
        const int i = pop(left);
        const Limit& limit = laws.limits[std::size_t(i)];
        const bool reset = (limit.capture_resets && ply.capture) || (limit.man_move_resets && !ply.by_king) ||
                           (limit.promotion_resets && ply.promotes);
        const bool goes_on = !reset && (before.applies >> i & 1);
        if (goes_on && before.counts[i] != kNotCounting)
            c.counts[i] =
                std::int16_t(before.counts[i] + (!limit.strong_only || s.mover == strong_side(s.material, s.white)));
        else if (starts(limit, s))
            c.counts[i] = 0;
    }
    return c;
}

}  // namespace damas::search
