// Works out one slice. Compiled once per instruction set, as the generators are.
//
// One arrangement of all men is one unit: captures and moves of men lead to positions that are finished, and only the
// kings' quiet moves stay inside. Those are their own inverse, so the positions before a given one are found by moving.
// From what is decided at once the decision spreads backwards, ply by ply: a lost position makes every one before it
// won; a position all of whose moves lead to won ones is lost.
#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "builtin_rulesets.hpp"
#include "damas/movegen.hpp"
#include "damas/perft.hpp"
#include "ranks.hpp"

namespace damas::tablebase::DAMAS_ISA {
namespace {

using namespace damas::DAMAS_ISA;

constexpr int kFields = 3;      // unlimited, limited, and started (or what else a law asks to be spread apart)
constexpr Code kOpen = 0x8000;  // not decided yet; the low bits hold the longest loss among the men's moves
constexpr u32 kDecided = 2, kNothing = ~u32(0);  // of an entry in a level
constexpr u8 kSaved = 255;                       // some move of a man does not lose

/// What the finished moves of a position come to: the shortest win, else a draw, else the longest loss.
struct Best {
    int win = 1 << 20, loss = -1;
    bool draw = false, any = false;

    /// A move after which the opponent, to move, has `code` with `plies` more to count.
    [[gnu::always_inline]] void add(bool opponent_loses, bool opponent_wins, int plies) {
        any = true;
        if (opponent_loses)
            win = std::min(win, plies);
        else if (opponent_wins)
            loss = std::max(loss, plies);
        else
            draw = true;
    }
    /// Nothing later than `limit` plies is decided.
    void cut(int limit) {
        if (win > limit && win < 1 << 20) win = 1 << 20, draw = true;
        if (loss > limit) loss = -1, draw = true;
    }
    bool wins() const { return win < 1 << 20; }
    Code code() const { return wins() ? won_in(win) : draw ? kDraw : lost_in(loss); }
};

/// The positions of one unit in one table, and how the decision spreads.
struct Field {
    std::vector<Code> value[2];
    std::vector<u8> open[2];  // king moves not yet known to lose
    std::vector<std::vector<u32>> levels;
    int limit[2];

    void start(u64 size, const int limits[2]) {
        for (int c = 0; c < 2; ++c) {
            value[c].assign(size, kOpen);
            open[c].assign(size, 0);
            limit[c] = limits[c];
        }
        for (auto& level : levels) level.clear();
    }
    void at(int level, u32 index, Color turn, bool decided) {
        if (std::size_t(level) >= levels.size()) levels.resize(std::size_t(level) + 1);
        levels[std::size_t(level)].push_back(index << 2 | (decided ? kDecided : 0) | turn);
    }
    /// A position whose value is known from its finished moves alone.
    void decide(u32 index, Color turn, Code code) {
        value[turn][index] = code;
        if (code != kDraw) at(distance(code), index, turn, true);
    }
    /// A position whose king moves are still to be heard of.
    void wait(u32 index, Color turn, const Best& men, int king_moves) {
        if (men.wins()) at(men.win, index, turn, false);
        if (men.wins() || men.draw) {
            open[turn][index] = kSaved;
            return;
        }
        open[turn][index] = u8(king_moves);
        value[turn][index] = Code(kOpen | std::max(men.loss, 0));
    }
};

template <class G, class R>
class Solver {
    static constexpr Frame F = Frame::of<G>();

    struct Scratch {
        Field fields[kFields];
    };

public:
    Solver(EndgameTables& tables, Slice& slice, const R& r, int threads, Progress& progress)
        : tables_(tables), slice_(slice), r_(r), threads_(threads), progress_(progress) {}

    bool run() {
        // The places of a unit are kept in 32 bits, two of them for the side to move and what is known.
        if (slice_.placements * u64(held_counts()) >= u64(1) << 30)
            raise(std::length_error("a material with more arrangements of its kings than the solver can number"));
        for (int width = 1;; width = 2) {
            slice_.allocate(width);
            overflow_ = false;
            if (!units()) return false;
            if (!overflow_) break;
        }
        slice_.filled = true;
        return true;
    }

private:
    /// Arrangements of the men by the steps they still have to go: each leads only to those with fewer.
    std::vector<std::vector<u64>> by_steps(Color c) const {
        std::vector<std::vector<u64>> lists;
        const int n = slice_.material.men[c];
        const u64 count = choose(popcount(F.men[c]), n);
        for (u64 i = 0; i < count; ++i) {
            const u64 men = unrank(i, n, F.men[c]);
            std::size_t steps = 0;
            for (u64 left = men; left;) {
                const int row = row_of(pop(left));
                steps += std::size_t(c == White ? G::kSize - 1 - row : row);
            }
            if (lists.size() <= steps) lists.resize(steps + 1);
            lists[steps].push_back(men);
        }
        return lists;
    }
    static int row_of(int bit) {
        for (int r = 0;; ++r)
            if (G::kLookups.row[r] >> bit & 1) return r;
    }

    bool units() {
        const auto white = by_steps(White), black = by_steps(Black);
        std::vector<Scratch> scratch(std::size_t(std::max(threads_, 1)));
        for (std::size_t steps = 0; steps < white.size() + black.size(); ++steps) {
            std::vector<std::pair<const std::vector<u64>*, const std::vector<u64>*>> pairs;
            std::vector<u64> ends;
            u64 total = 0;
            for (std::size_t w = 0; w < white.size(); ++w)
                if (steps >= w && steps - w < black.size() && !white[w].empty() && !black[steps - w].empty()) {
                    pairs.emplace_back(&white[w], &black[steps - w]);
                    ends.push_back(total += white[w].size() * black[steps - w].size());
                }
            std::atomic<u64> next{0};
            const u64 chunk = std::max<u64>(1, std::min<u64>(64, total / (u64(threads_) * 4 + 1)));
            on_threads(total > 1 ? threads_ : 1, [&](int thread) {
                Scratch& s = scratch[std::size_t(thread)];
                for (u64 from; (from = next.fetch_add(chunk)) < total;)
                    for (u64 i = from; i < std::min(total, from + chunk); ++i) {
                        if (progress_.stop || overflow_) return;
                        const auto which = std::size_t(std::upper_bound(ends.begin(), ends.end(), i) - ends.begin());
                        const u64 offset = i - (which ? ends[which - 1] : 0);
                        const auto& [w, b] = pairs[which];
                        unit((*w)[offset / b->size()], (*b)[offset % b->size()], s);
                    }
            });
            if (progress_.stop) return false;
            if (overflow_) return true;
        }
        return true;
    }

    void unit(u64 white_men, u64 black_men, Scratch& s) {
        progress_.done.fetch_add(2 * slice_.placements, std::memory_order_relaxed);
        if (white_men & black_men) return;
        if (slice_.material.mirrored() && white_men > F.turned(black_men)) return;  // kept as its mirror image
        const Unit u{{white_men, black_men}, F.board & ~white_men & ~black_men};
        for (int t = 0; t < kFields; ++t) {
            if (!asks(TableKind(t))) continue;
            int limits[2] = {1 << 14, 1 << 14};
            if (t == Limited)
                for (int c = 0; c < 2; ++c) limits[c] = slice_.law.count.in_time(Color(c));
            if (t == Started && slice_.law.starts)
                for (int c = 0; c < 2; ++c) limits[c] = slice_.law.started.in_time(Color(c));
            s.fields[t].start(slice_.placements * u64(t == Limited ? held_counts() : 1), limits);
        }
        u32 index = 0;
        each_placement(u, [&](const u64 kings[2]) {
            if (progress_.stop) return;
            const Pieces<u64> p{{u.men[0], u.men[1]}, {kings[0], kings[1]}};
            begin<White>(u, p, index, s);
            begin<Black>(u, p, index, s);
            ++index;
        });
        spread(u, s.fields[Unlimited]);
        if (asks(Started)) spread(u, s.fields[Started]);
        if (slice_.law.starts) start_on_diagonal(u, s);
        spread(u, s.fields[Limited]);
        if (slice_.law.endless_wins) by_pieces(s);
        const u64 first =
            (rank(white_men, F.men[White]) * slice_.black_men + rank(black_men, F.men[Black])) * slice_.placements;
        for (int t = 0; t < kFields; ++t)
            if (slice_.has(TableKind(t)))
                for (int c = 0; c < 2; ++c) keep(TableKind(t), Color(c), first, s.fields[t].value[c].data());
        for (int held = 1; held < held_counts(); ++held)
            for (int c = 0; c < 2; ++c)
                keep(held_for(held), Color(c), first,
                     s.fields[Limited].value[c].data() + u64(held) * slice_.placements);
    }
    int held_counts() const { return std::max(1, slice_.law.diagonal); }

    void keep(TableKind t, Color c, u64 first, const Code* values) {
        const u64 size = slice_.placements;
        for (u64 i = 0; i < size; ++i) {
            const Code code = values[i] & kOpen ? kDraw : values[i];
            if (slice_.width == 1 && code > 255) {
                overflow_ = true;
                return;
            }
            slice_.set(t, c, first + i, code);
        }
    }

    struct Unit {
        u64 men[2];
        u64 free;
    };

    template <class Fn>
    void each_placement(const Unit& u, Fn&& f) const {
        const int white = slice_.material.kings[White], black = slice_.material.kings[Black];
        const u64 sets = choose(popcount(u.free), white);
        u64 kings[2];
        Subsets whites(white, u.free);
        for (u64 i = 0; i < sets; ++i) {
            kings[White] = whites.next();
            const u64 rest = u.free & ~kings[White];
            const u64 under = choose(popcount(rest), black);
            Subsets blacks(black, rest);
            for (u64 j = 0; j < under; ++j) {
                kings[Black] = blacks.next();
                f(kings);
            }
        }
    }

    /// All sets of a size on `free`, in the order of their ranks.
    struct Subsets {
        u64 bits[64];
        u64 compressed;
        Subsets(int size, u64 free) : compressed((u64(1) << size) - 1) {
            for (int i = 0; free; ++i) {
                bits[i] = free & -free;
                free &= free - 1;
            }
        }
        u64 next() {
            u64 set = 0;
            for (u64 left = compressed; left; left &= left - 1) set |= bits[lowest(left)];
            if (compressed) {
                const u64 low = compressed & -compressed, ripple = compressed + low;
                compressed = ripple ? (((ripple ^ compressed) >> 2) / low) | ripple : 0;
            }
            return set;
        }
    };

    /// What one finished move is worth in each field that asks. `held`: for how many plies the weaker side has held the
    /// diagonal, or -1 if it does not.
    template <Color Us>
    [[gnu::always_inline]] void look(const Pieces<u64>& q, bool capture, bool by_man, bool promotes, int held,
                                     Best best[kFields]) {
        View v{{q.men[0], q.men[1]}, {q.kings[0], q.kings[1]}, ~Us};
        if (!(v.men[~Us] | v.kings[~Us])) {  // nothing left to move: the end of the game
            for (int t = 0; t < kFields; ++t) best[t].add(true, false, 1);
            return;
        }
        const Material m = normalise(F, v);
        const Slice& s = *tables_.find(m);
        const u64 index = index_of(F, s, v);
        const Code free = s.at(Unlimited, v.turn, index);
        best[Unlimited].add(is_loss(free), is_win(free), 1 + distance(free));
        Code bound;
        if (held >= 0 && s.law.diagonal && (v.kings[Black] & F.diagonal))
            bound = held + 1 < s.law.diagonal ? s.at(held_for(held + 1), v.turn, index)
                    : free == kLostNow        ? kLostNow
                                              : kDraw;
        else
            bound = s.at(Limited, v.turn, index);
        if (slice_.law.endless_wins) {
            const bool drawn = bound == kDraw;
            best[Limited].add(is_loss(bound), is_win(bound), 1);
            best[Started].add(is_loss(bound) || (drawn && Us == Black), is_win(bound) || (drawn && Us == White), 1);
            return;
        }
        const auto weigh = [&](int t, const Count& c) {
            const bool carries = c.law && c.law == s.law.count.law && !(capture && c.resets[OnCapture]) &&
                                 !(by_man && c.resets[OnManMove]) && !(promotes && c.resets[OnPromotion]);
            best[t].add(is_loss(bound), is_win(bound), carries ? 1 + distance(bound) : 1);
        };
        weigh(Limited, slice_.law.count);
        if (slice_.law.starts) weigh(Started, slice_.law.started);
    }

    template <Color Us>
    void begin(const Unit& u, const Pieces<u64>& p, u32 index, Scratch& s) {
        if (slice_.law.diagonal && (p.kings[Black] & F.diagonal))
            for (int held = 0; held < slice_.law.diagonal; ++held) begin<Us>(u, p, index, held, s);
        else
            begin<Us>(u, p, index, -1, s);
    }

    template <Color Us>
    void begin(const Unit& u, const Pieces<u64>& p, u32 index, int held, Scratch& s) {
        Best best[kFields];
        const auto each_field = [&](auto&& f) {
            for (int t = 0; t < kFields; ++t) {
                if (!asks(TableKind(t)) || (held > 0 && t != Limited)) continue;
                best[t].cut(s.fields[t].limit[Us]);
                f(t, s.fields[t], t == Limited && held > 0 ? index + u32(held) * u32(slice_.placements) : index);
            }
        };
        Results<u64, false> results;
        Captures<G, R, Us, decltype(results)> captures(r_, p, results);
        if (captures.any()) {
            captures.generate();
            for (const auto& move : results.list)
                look<Us>(after<Us>(p, move), true, (p.men[Us] >> move.from & 1) != 0, move.promotes, held, best);
            each_field([&](int t, Field& field, u32 at) { field.decide(at, Us, best[t].code()); });
            return;
        }
        const u64 empty = u.free & ~p.kings[White] & ~p.kings[Black];
        each_direction<ManMoves<Us>>(r_, [&]<Direction D>() {
            for (u64 to = G::template step<D>(p.men[Us]) & empty; to;) {
                const u64 bit = lowest_bit(to);
                to ^= bit;
                const u64 from = G::template step<opposite(D)>(bit);
                const bool promotes = (bit & G::crown_row(Us)) != 0;
                Pieces<u64> q = p;
                q.men[Us] ^= from;
                (promotes ? q.kings : q.men)[Us] |= bit;
                look<Us>(q, false, true, promotes, held, best);
            }
        });
        int king_moves = 0, in_vain = 0;
        const bool last = held >= 0 && held + 1 == slice_.law.diagonal;
        for (u64 kings = p.kings[Us]; kings;) {
            const int at = pop(kings);
            const u64 targets = king_destinations<G>(r_, at, empty);
            king_moves += popcount(targets);
            if (last) in_vain += held_too_long<Us>(p, at, targets, best[Limited]);
        }
        const bool drawn = slice_.law.immediate_draw && !(slice_.law.unavoidable && cannot_avoid_capture<Us>(p));
        each_field([&](int t, Field& field, u32 at) {
            const int open = t == Limited ? king_moves - in_vain : king_moves;
            if (t != Unlimited && drawn)
                field.decide(at, Us, kDraw);
            else if (open)
                field.wait(at, Us, best[t], open);
            else
                field.decide(at, Us, best[t].any ? best[t].code() : kLostNow);
        });
    }

    /// Whether the opponent can capture after every quiet move.
    template <Color Us>
    bool cannot_avoid_capture(const Pieces<u64>& p) {
        bool unavoidable = true;
        each_quiet<G, Us>(
            r_, p, [&](const auto& move) { unavoidable = unavoidable && can_capture<G, ~Us>(r_, after<Us>(p, move)); });
        return unavoidable;
    }

    /// King moves after which the diagonal has been held for the last ply allowed: a draw, unless the game ends there.
    template <Color Us>
    int held_too_long(const Pieces<u64>& p, int at, u64 targets, Best& best) {
        int found = 0;
        for (; targets; targets &= targets - 1) {
            Pieces<u64> q = p;
            q.kings[Us] = (q.kings[Us] ^ u64(1) << at) | lowest_bit(targets);
            if (!(q.kings[Black] & F.diagonal)) continue;
            ++found;
            Results<u64, false> none;
            const bool stuck = !Captures<G, R, ~Us, decltype(none)>(r_, q, none).any() && !count_quiet<G, ~Us>(r_, q);
            best.add(stuck, false, 1);
        }
        return found;
    }

    void spread(const Unit& u, Field& f) {
        const int white = slice_.material.kings[White], black = slice_.material.kings[Black];
        if (!white && !black) return;
        const int n = popcount(u.free);
        const u32 under = u32(choose(n - white, black)), size = u32(slice_.placements);
        u32 known_white = ~0u;
        u64 white_kings = 0;
        for (std::size_t level = 0; level < f.levels.size(); ++level) {
            // Wins by a man's move first: a king's move from this level on is a ply slower.
            for (u32& entry : f.levels[level]) {
                Code& code = f.value[entry & 1][entry >> 2];
                if (entry & kDecided) continue;
                if (!(code & kOpen))
                    entry = kNothing;
                else
                    code = won_in(int(level));
            }
            for (std::size_t i = 0; i < f.levels[level].size(); ++i) {
                if (i % 4096 == 0 && progress_.stop) return;
                const u32 entry = f.levels[level][i];
                if (entry == kNothing) continue;
                const u32 index = entry >> 2;
                const auto turn = Color(entry & 1);
                const int held = int(index / size);
                const u32 placement = index % size, wi = placement / under;
                if (wi != known_white) {
                    known_white = wi;
                    white_kings = unrank(wi, white, u.free);
                }
                const u64 kings[2] = {white_kings, unrank(placement % under, black, u.free & ~white_kings)};
                if (is_loss(f.value[turn][index]))
                    each_before(u, kings, ~turn, under, wi, held, f, [&](u32 before) {
                        if (!(f.value[~turn][before] & kOpen) || int(level) + 1 > f.limit[~turn]) return;
                        f.value[~turn][before] = won_in(int(level) + 1);
                        f.at(int(level) + 1, before, ~turn, true);
                    });
                else
                    each_before(u, kings, ~turn, under, wi, held, f, [&](u32 before) {
                        const Code code = f.value[~turn][before];
                        u8& open = f.open[~turn][before];
                        if (!(code & kOpen) || open == kSaved || --open) return;
                        const int plies = std::max(int(level) + 1, int(code & ~kOpen));
                        if (plies > f.limit[~turn]) return;
                        f.value[~turn][before] = lost_in(plies);
                        f.at(plies, before, ~turn, true);
                    });
            }
        }
    }

    /// The states from which a quiet move of one of `us`'s kings leads here.
    template <class Fn>
    [[gnu::always_inline]] void each_before(const Unit& u, const u64 kings[2], Color us, u32 under, u32 white_rank,
                                            int held, const Field& f, Fn&& visit) {
        const u64 empty = u.free & ~kings[White] & ~kings[Black];
        const bool counts_held = f.value[0].size() > slice_.placements;
        const auto arrive = [&](u32 before, u64 black) {
            if (!counts_held)
                visit(before);
            else
                each_held(before, black, kings[Black], held, visit);
        };
        if (us == White) {
            for (u64 movers = kings[White]; movers;) {
                const int at = pop(movers);
                const u64 others = kings[White] ^ u64(1) << at;
                for (u64 from = king_destinations<G>(r_, at, empty); from;) {
                    const u64 white = others | lowest_bit(from);
                    from &= from - 1;
                    arrive(u32(rank(white, u.free) * under + rank(kings[Black], u.free & ~white)), kings[Black]);
                }
            }
        } else {
            const u64 free = u.free & ~kings[White];
            const u32 first = white_rank * under;
            for (u64 movers = kings[Black]; movers;) {
                const int at = pop(movers);
                const u64 others = kings[Black] ^ u64(1) << at;
                for (u64 from = king_destinations<G>(r_, at, empty); from;) {
                    const u64 black = others | lowest_bit(from);
                    from &= from - 1;
                    arrive(first + u32(rank(black, free)), black);
                }
            }
        }
    }

    /// For how long the weaker side may have held the diagonal before a move, if now it has for `held` plies.
    template <class Fn>
    void each_held(u32 before, u64 black_before, u64 black_now, int held, Fn&& visit) {
        const auto size = u32(slice_.placements);
        const bool was = black_before & F.diagonal, is = black_now & F.diagonal;
        if (was && is) {
            if (held > 0) visit(before + u32(held - 1) * size);
        } else if (was)
            for (int k = 0; k < slice_.law.diagonal; ++k) visit(before + u32(k) * size);
        else if (held == 0)
            visit(before);
    }

    /// Where a count starts once the stronger side holds the diagonal, such positions are what the started count says;
    /// for the others reaching them is as good as any other move that ends their own count.
    void start_on_diagonal(const Unit& u, Scratch& s) {
        Field& fresh = s.fields[Limited];
        const Field& started = s.fields[Started];
        u32 index = 0;
        each_placement(u, [&](const u64 kings[2]) {
            if (kings[White] & F.diagonal)
                for (int c = 0; c < 2; ++c) {
                    const Code code = started.value[c][index] & kOpen ? kDraw : started.value[c][index];
                    fresh.value[c][index] = code;
                    if (code != kDraw) fresh.at(0, index, Color(c), true);
                }
            ++index;
        });
    }

    /// Endless play goes to the side with more pieces: the other, Black here, must force its way out. What it can force
    /// to win spreads as ever; what it can force at least to draw spreads likewise, a draw counted as its win.
    void by_pieces(Scratch& s) {
        Field& limited = s.fields[Limited];
        const Field& draws = s.fields[Started];
        const auto black_has = [](Code code, int c) {
            return !(code & kOpen) && (c == Black ? is_win(code) : is_loss(code));
        };
        for (int c = 0; c < 2; ++c)
            for (u64 i = 0; i < slice_.placements; ++i) {
                Code& code = limited.value[c][i];
                if (!unequal())
                    code = code & kOpen ? kDraw : is_win(code) ? kWon : is_loss(code) ? kLost : kDraw;
                else if (black_has(code, c))
                    code = c == Black ? kWon : kLost;
                else if (black_has(draws.value[c][i], c))
                    code = kDraw;
                else
                    code = c == Black ? kLost : kWon;
            }
    }
    bool unequal() const { return slice_.material.of(White) != slice_.material.of(Black); }
    bool asks(TableKind t) const { return slice_.has(t) || (t == Started && slice_.law.endless_wins && unequal()); }

    EndgameTables& tables_;
    Slice& slice_;
    const R& r_;
    const int threads_;
    Progress& progress_;
    std::atomic<bool> overflow_{false};
};

template <class G, class R>
bool solve_with(EndgameTables& tables, Slice& slice, const R& r, int threads, Progress& progress) {
    return Solver<G, R>(tables, slice, r, threads, progress).run();
}

#ifdef DAMAS_COMPILED_SOLVERS
template <std::size_t I = 0>
bool solve_compiled(EndgameTables& tables, Slice& slice, int threads, Progress& progress, bool& found) {
    if constexpr (I < std::size(kBuiltin)) {
        if constexpr (kBuiltin[I].size == 8 && !kBuiltin[I].all_squares)
            if (kBuiltin[I] == tables.rules) {
                found = true;
                return solve_with<Board8>(tables, slice, Compiled<kBuiltin[I]>{}, threads, progress);
            }
        return solve_compiled<I + 1>(tables, slice, threads, progress, found);
    } else
        return false;
}
#endif

}  // namespace

bool solve(EndgameTables& tables, Slice& slice, int threads, Progress& progress) {
#ifdef DAMAS_COMPILED_SOLVERS
    if (tables.kernel.compiled) {
        bool found = false;
        const bool done = solve_compiled(tables, slice, threads, progress, found);
        if (found) return done;
    }
#endif
    const Interpreted r{tables.rules};
    return tables.rules.size == 8 ? solve_with<Board8>(tables, slice, r, threads, progress)
                                  : solve_with<Board10>(tables, slice, r, threads, progress);
}

}  // namespace damas::tablebase::DAMAS_ISA
