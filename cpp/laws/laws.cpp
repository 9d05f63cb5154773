#include "laws.hpp"

#include <algorithm>
#include <limits>

namespace damas::laws {

namespace {
constexpr int kMaxCount = std::numeric_limits<std::int16_t>::max();

/// Of a law that these customs switch off: no count reaches it.
constexpr int kNever = kMaxCount + 1;
}  // namespace

bool Limit::within_bounds(const Material& m) const {
    return pieces.has(m.total()) && std::max(m.pieces(0), m.pieces(1)) <= max_pieces_a_side &&
           (!kings_on_both_sides || (m.kings[0] && m.kings[1]));
}

int Limit::ending_of(const Material& m) const {
    if (!within_bounds(m)) return -1;
    if (endings.empty()) return 0;
    const auto same = [&](const Ending& e, int a, int b) {
        return e.men[0].has(m.men[a]) && e.kings[0].has(m.kings[a]) && e.men[1].has(m.men[b]) &&
               e.kings[1].has(m.kings[b]);
    };
    const auto found =
        std::find_if(endings.begin(), endings.end(), [&](const Ending& e) { return same(e, 0, 1) || same(e, 1, 0); });
    return found == endings.end() ? -1 : int(found - endings.begin());
}

u16 Laws::search_by_material(const Material& m) const {
    u16 set = 0;
    for (std::size_t i = 0; i < limits.size(); ++i)
        if (limits[i].ending_of(m) >= 0) set = u16(set | 1u << i);
    return set;
}

void Laws::fill(int index) {
    const Limit& limit = limits[std::size_t(index)];
    const u16 bit = u16(1u << index);
    const bool bounded = limit.pieces.least > 0 || limit.pieces.most < 2 * max_pieces_ ||
                         limit.max_pieces_a_side < max_pieces_ || limit.kings_on_both_sides;
    if (limit.endings.empty() && !bounded) {
        any_material_ = u16(any_material_ | bit);
        return;
    }
    const std::size_t n = std::size_t(max_pieces_) + 1;
    if (table_.empty()) table_.assign(n * n * n * n, 0);
    const auto each = [&](const Range& range, auto&& f) {
        for (int i = range.least; i <= std::min(range.most, max_pieces_); ++i) f(i);
    };
    const Limit::Ending any;
    const std::vector<Limit::Ending> all(1, any);
    for (const Limit::Ending& e : limit.endings.empty() ? all : limit.endings)
        each(e.men[0], [&](int a) {
            each(e.kings[0], [&](int b) {
                each(e.men[1], [&](int c) {
                    each(e.kings[1], [&](int d) {
                        for (const Material& m : {Material{{a, c}, {b, d}}, Material{{c, a}, {d, b}}})
                            if (limit.within_bounds(m)) table_[place(m)] = u16(table_[place(m)] | bit);
                    });
                });
            });
        });
}

void Laws::summarize(const Law& law) {
    // A cycle played so many times over brings its position back once more than that.
    const int times = law.kind == Kind::Cycle ? law.need + 1 : law.need;
    if ((law.kind == Kind::Repetition || law.kind == Kind::Cycle) && (!repetitions || times < repetitions)) {
        repetitions = times;
        repetition = law.decides;
        repetition_off_during = law.off_during < 0 ? -1 : laws[std::size_t(law.off_during)].limit;
    }
    if (law.kind == Kind::Length && (!length || law.need < length)) {
        length = law.need;
        length_decides = law.decides;
    }
}

void Laws::add(Law law) {
    summarize(law);
    laws.push_back(std::move(law));
}

void Laws::add(Law law, Limit limit) {
    law.kind = Kind::Limit;
    law.limit = int(limits.size());
    law.need = limit.need;
    law.decides = limit.decides;
    if (law.off_during >= 0) limit.off_during = laws[std::size_t(law.off_during)].limit;
    if (law.claim == Claim::Unrecorded) unrecorded = u16(unrecorded | 1u << law.limit);
    limits.push_back(std::move(limit));
    fill(law.limit);
    laws.push_back(std::move(law));
}

Laws Laws::under(const Customs& customs) const {
    if (customs.platform_rules) return *this;
    Laws left = *this;
    left.repetitions = left.length = 0;
    for (const Law& law : laws) {
        if (!law.platform)
            left.summarize(law);
        else if (law.kind == Kind::Limit)
            left.limits[std::size_t(law.limit)].need = kNever;
    }
    return left;
}

namespace {
u16 applying(const Laws& laws, u16 set, const Scene& s) {
    for (unsigned left = set; left;) {
        const int i = pop(left);
        if (laws.limits[std::size_t(i)].while_weak_king_on_diagonal &&
            !s.king_on_diagonal[1 - strong_side(s.material, s.white)])
            set = u16(set & ~(1u << i));
    }
    return set;
}

bool starts(const Limit& limit, const Scene& s) {
    if (limit.starts == Starts::Entry) return true;
    const int strong = strong_side(s.material, s.white);
    return s.king_on_diagonal[limit.starts == Starts::StrongKingOnDiagonal ? strong : 1 - strong];
}

void start(Counters& c, int i) {
    if (c.on_call >> i & 1)
        c.counts[i] = kUncalled;
    else {
        c.counts[i] = 0;
        c.began = u16(c.began | 1u << i);
    }
}
}  // namespace

Counters begin(const Laws& laws, const Scene& s, bool recorded) {
    Counters c;
    for (auto& count : c.counts) count = kNotCounting;
    c.applies = applying(laws, laws.by_material(s.material), s);
    c.began = 0;
    c.on_call = recorded ? u16(0) : laws.unrecorded;
    for (unsigned left = c.applies; left;) {
        const int i = pop(left);
        if (starts(laws.limits[std::size_t(i)], s)) start(c, i);
    }
    return c;
}

Counters advance(const Laws& laws, u16 by_material, const Counters& before, const Ply& ply, const Scene& s) {
    Counters c;
    for (auto& count : c.counts) count = kNotCounting;
    c.applies = applying(laws, by_material, s);
    c.began = 0;
    c.on_call = before.on_call;
    for (unsigned left = c.applies; left;) {
        const int i = pop(left);
        const Limit& limit = laws.limits[std::size_t(i)];
        const bool reset = (limit.capture_resets && ply.capture) || (limit.man_move_resets && !ply.by_king) ||
                           (limit.promotion_resets && ply.promotes);
        const bool goes_on = !reset && (before.applies >> i & 1);
        if (goes_on && before.counting(i))
            c.counts[i] = std::int16_t(std::min(
                kMaxCount, before.counts[i] + (!limit.strong_only || s.mover == strong_side(s.material, s.white))));
        else if (goes_on && before.counts[i] == kUncalled)
            c.counts[i] = kUncalled;
        else if (starts(limit, s))
            start(c, i);
    }
    return c;
}

void call(Counters& c, int limit) {
    if (c.counts[limit] != kUncalled) return;
    c.counts[limit] = 0;
    c.began = u16(c.began | 1u << limit);
}

void call_all(Counters& c) {
    for (int i = 0; i < kMaxLimits; ++i) call(c, i);
    c.on_call = 0;
}

}  // namespace damas::laws
