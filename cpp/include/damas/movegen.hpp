// Legal moves. One generator for every rulebook: each question is asked of the ruleset where it arises.
//
// Captures that differ only in the squares passed over on one line are found once; captures that differ in the order
// of taking are found once each, and the list merges those with the same origin and result unless asked to keep them.
#pragma once
#include <cstdlib>
#include <type_traits>

#include "position.hpp"
#include "ruleset.hpp"
#include "threads.hpp"

namespace damas::DAMAS_ISA {

/// Sets of directions a ruleset gives: asked at compile time where it is a constant.
struct AnyCapture {
    static constexpr unsigned of(const Ruleset& r) { return r.capture_directions(); }
};
struct KingMoves {
    static constexpr unsigned of(const Ruleset& r) { return r.move_directions(); }
};
template <Color Us>
struct ManMoves {
    static constexpr unsigned of(const Ruleset& r) { return r.man_moves(Us); }
};
/// Captures of a man; `Without`: it does not turn straight back.
template <Color Us, unsigned Without = 0>
struct ManCaptures {
    static constexpr unsigned of(const Ruleset& r) { return r.man_captures(Us) & ~Without; }
};

template <class R>
constexpr bool kCompiled = !std::is_same_v<R, Interpreted>;

template <Direction D, class Set, class R, class F>
[[gnu::always_inline]] inline void if_in(const R& r, F&& f) {
    if constexpr (kCompiled<R>) {
        if constexpr (Set::of(R::rules) & bit_of(D)) {
            DAMAS_INLINED f.template operator()<D>();
        }
    } else if (Set::of(r.rules) & bit_of(D))
        f.template operator()<D>();
}

/// Calls `f.operator()<D>()` for each direction of a set; of a constant set only those calls exist.
template <class Set, class R, class F>
[[gnu::always_inline]] inline void each_direction(const R& r, F&& f) {
    if_in<North, Set>(r, f);
    if_in<NorthEast, Set>(r, f);
    if_in<NorthWest, Set>(r, f);
    if_in<East, Set>(r, f);
    if_in<South, Set>(r, f);
    if_in<SouthWest, Set>(r, f);
    if_in<SouthEast, Set>(r, f);
    if_in<West, Set>(r, f);
}

/// A list that lives on the stack until a freak position outgrows it.
template <class T, int Inline>
class List {
public:
    List() : data_(inline_) {}
    ~List() {
        if (data_ != inline_) std::free(data_);
    }
    List(const List&) = delete;
    List& operator=(const List&) = delete;

    void push(const T& value) {
        if (size_ == capacity_) grow();
        data_[size_++] = value;
    }
    void clear() { size_ = 0; }
    int size() const { return size_; }
    T& operator[](int i) { return data_[i]; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }

private:
    [[gnu::cold, gnu::noinline]] void grow() {
        T* bigger = static_cast<T*>(std::malloc(sizeof(T) * std::size_t(capacity_) * 4));
        if (!bigger) std::abort();
        for (int i = 0; i < size_; ++i) bigger[i] = data_[i];
        if (data_ != inline_) std::free(data_);
        data_ = bigger;
        capacity_ *= 4;
    }
    int size_ = 0, capacity_ = Inline;
    T* data_;
    union {
        T inline_[Inline];
    };
};

/// What a capture has taken so far.
template <class Word>
struct Taken {
    Word set;
    int pieces, kings;
    u32 kings_in_order;  // bit 31 - i: the i-th piece taken was a king

    [[gnu::always_inline]] Taken with(Word victim, bool king) const {
        return {set | victim, pieces + 1, kings + king, kings_in_order | (u32(king) << 31 >> pieces)};
    }
};

/// The rank of a capture: legal captures are those with the greatest. Frisian law weighs a king as 199 to a man's 100.
template <class R, class Word>
[[gnu::always_inline]] inline u64 rank(const R& r, const Taken<Word>& t, bool with_king) {
    u64 rank = 0;
    for (int i = 0; i < kPriorities; ++i) switch (r.rules.capture_priority[i]) {
            case Priority::None: break;
            case Priority::MostPieces: rank = rank << 6 | u64(t.pieces); break;
            case Priority::MostValue: rank = rank << 13 | u64(100 * t.pieces + 99 * t.kings); break;
            case Priority::WithKing: rank = rank << 1 | u64(with_king); break;
            case Priority::MostKings: rank = rank << 6 | u64(t.kings); break;
            case Priority::KingFirst: rank = rank << 32 | t.kings_in_order; break;
        }
    return rank;
}

/// Where captures go when only their results matter. `Keep` counts every order of taking.
template <class Word, bool Keep>
struct Results {
    List<BitMove<Word>, 64> list;
    u64 best = 0;
    unsigned work = 0;

    void enter(int) {}
    void land(int) {}
    void leave() {}
    [[gnu::always_inline]] void add(const BitMove<Word>& move, int pieces, u64 rank) {
        if ((work += 1 + unsigned(list.size()) / 64) > kMaxWork) [[unlikely]]
            raise(TooManyCaptures{});
        if (rank < best) return;
        if (rank > best) {
            best = rank;
            list.clear();
        }
        // Two orders of taking need at least three pieces to end in the same result.
        if (!Keep && pieces > 2)
            for (const auto& other : list)
                if (other == move) return;
        list.push(move);
    }
};

template <class G, class R, Color Us, class Sink>
class Captures {
    using Word = typename G::Word;
    static constexpr const auto& T = G::kLookups;
    static constexpr Color Them = ~Us;

public:
    Captures(const R& r, const Pieces<Word>& p, Sink& sink)
        : r_(r), p_(p), sink_(sink), theirs_(p.of(Them)), empty_(G::kBoard & ~p.all()) {}

    /// Men that can take something.
    [[gnu::always_inline]] Word men_that_capture() const {
        return short_takers<ManCaptures<Us>>(p_.men[Us], man_targets());
    }

    [[gnu::always_inline]] bool any() const {
        Word found = 0;
        each_direction<ManCaptures<Us>>(r_, [&]<Direction D>() { found |= landings<D>(p_.men[Us]); });
        return found || (p_.kings[Us] && kings_capture());
    }

    /// The number of legal captures where it can be read off all men at once, without following any; otherwise -1.
    /// So it can if only men capture, and none of them more than two pieces: in fewer than four jumps no chain along
    /// diagonals meets its own square or a piece it has taken.
    [[gnu::always_inline]] int count_short() const {
        if constexpr (!kCompiled<R>) return -1;  // not worth the code it would make for rules read at run time
        const Ruleset& rules = r_.rules;
        const bool only_length_counts = rules.free_choice() || (rules.capture_priority[0] == Priority::MostPieces &&
                                                                rules.capture_priority[1] == Priority::None);
        if (p_.kings[Us] || (p_.kings[Them] && !only_length_counts) || rules.capture_lines == CaptureLines::All)
            return -1;
        Word further = 0;
        int single = 0, twofold = 0;
        each_direction<ManCaptures<Us>>(r_, [&]<Direction D>() {
            const Word first = landings<D>(p_.men[Us]);
            if (rules.promotion == Promotion::Continues) further |= first & G::crown_row(Us);
            const Word going_on = rules.promotion == Promotion::Stops ? first & ~G::crown_row(Us) : first;
            Word gone_on = 0;
            each_direction<ManCaptures<Us, bit_of(opposite(D))>>(r_, [&]<Direction E>() {
                Word second = landings<E>(going_on);
                if (!second) return;
                twofold += popcount(second);
                gone_on |= G::template step<opposite(E)>(G::template step<opposite(E)>(second));
                if (rules.promotion == Promotion::Continues) further |= second & G::crown_row(Us);
                if (rules.promotion == Promotion::Stops) second &= ~G::crown_row(Us);
                each_direction<ManCaptures<Us, bit_of(opposite(E))>>(
                    r_, [&]<Direction F>() { further |= landings<F>(second); });
            });
            single += popcount(rules.longest_first() ? first : first & ~gone_on);
        });
        if (further) return -1;
        return rules.longest_first() && twofold ? twofold : single + twofold;
    }

    [[gnu::always_inline]] void generate() {
        for (Word men = men_that_capture(); men;) from_man(pop(men));
        if (p_.kings[Us]) from_kings();
    }

private:
    [[gnu::always_inline]] Word man_targets() const { return r_.rules.men_capture_kings ? theirs_ : p_.men[Them]; }

    /// Where men on `from` land that take a neighbour in one direction.
    template <Direction D>
    [[gnu::always_inline]] Word landings(Word from) const {
        return G::template step<D>(G::template step<D>(from) & man_targets()) & empty_;
    }

    /// Pieces that jump a neighbour: all lines at once.
    template <class Set>
    [[gnu::always_inline]] Word short_takers(Word movers, Word targets) const {
        Word takers = 0;
        each_direction<Set>(r_, [&]<Direction D>() {
            const Word landings = G::template step<D>(G::template step<D>(movers) & targets) & empty_;
            takers |= G::template step<opposite(D)>(G::template step<opposite(D)>(landings));
        });
        return takers;
    }

    [[gnu::noinline]] bool kings_capture() const {
        if (!r_.rules.flying_king) return short_takers<AnyCapture>(p_.kings[Us], theirs_) != 0;
        for (Word kings = p_.kings[Us]; kings;) {
            const int at = pop(kings);
            for (unsigned dirs = r_.rules.capture_directions(); dirs;) {
                const auto d = Direction(pop(dirs));
                const Word blockers = T.ray[d][at] & ~empty_;
                if (!blockers) continue;
                const int victim = G::first(d, blockers);
                if (!(theirs_ >> victim & 1) || !T.ray[d][victim]) continue;
                if (empty_ >> G::first(d, T.ray[d][victim]) & 1) return true;
            }
        }
        return false;
    }

    [[gnu::noinline]] void from_man(int from) {
        from_ = from;
        king_ = false;
        const Word at = Word(1) << from;
        short_chain(at, {}, empty_ | at, false);
    }

    [[gnu::noinline]] void from_kings() {
        king_ = true;
        for (Word kings = p_.kings[Us]; kings;) {
            from_ = pop(kings);
            const Word at = Word(1) << from_;
            if (r_.rules.flying_king)
                flying_chain(from_, r_.rules.capture_directions(), {}, empty_ | at, false);
            else
                short_chain(at, {}, empty_ | at, false);
        }
    }

    void finish(int to, const Taken<Word>& taken, bool promotes) {
        sink_.land(to);
        sink_.add({taken.set, u8(from_), u8(to), promotes}, taken.pieces, rank(r_, taken, king_));
    }

    Word emptied(Word empty, Word victim) const { return r_.rules.removal == Removal::AtOnce ? empty | victim : empty; }

    /// Jumps over a neighbour, by a man or a short king (`crowned`: the man became one on the way).
    bool short_chain(Word at, const Taken<Word>& taken, Word empty, bool crowned) {
        bool went_on = false;
        if (king_ || crowned)
            each_direction<AnyCapture>(r_,
                                       [&]<Direction D>() { went_on |= jump<D>(at, theirs_, taken, empty, crowned); });
        else
            each_direction<ManCaptures<Us>>(
                r_, [&]<Direction D>() { went_on |= jump<D>(at, man_targets(), taken, empty, false); });
        return went_on;
    }

    /// One jump in one direction and all that follows from it; false if there is nothing to jump.
    template <Direction D>
    [[gnu::always_inline]] bool jump(Word at, Word targets, const Taken<Word>& taken, Word empty, bool crowned) {
        const Word victim = G::template step<D>(at) & targets & ~taken.set;
        const Word landing = G::template step<D>(victim) & empty;
        if (!landing) return false;
        const int to = lowest(landing);
        const Taken<Word> now = taken.with(victim, (victim & p_.kings[Them]) != 0);
        const Word left = emptied(empty, victim);
        const bool crown = !king_ && !crowned && (landing & G::crown_row(Us));
        sink_.enter(lowest(victim));
        sink_.land(to);
        if (crown && r_.rules.promotion == Promotion::Stops)
            finish(to, now, true);
        else if (crown && r_.rules.promotion == Promotion::Continues) {
            const bool further =
                r_.rules.flying_king
                    ? flying_chain(to, r_.rules.capture_directions() & ~bit_of(opposite(D)), now, left, true)
                    : short_chain(landing, now, left, true);
            if (!further) finish(to, now, true);
        } else if (!short_chain(landing, now, left, crowned))
            finish(to, now, crown || crowned);
        sink_.leave();
        return true;
    }

    /// Captures of a flying king from `at` along the given lines.
    bool flying_chain(int at, unsigned directions, const Taken<Word>& taken, Word empty, bool crowned) {
        bool went_on = false;
        for (unsigned dirs = directions; dirs;) {
            const auto d = Direction(pop(dirs));
            const Word blockers = T.ray[d][at] & ~empty;
            if (!blockers) continue;
            const int victim = G::first(d, blockers);
            if (theirs_ & ~taken.set & (Word(1) << victim)) went_on |= fly_over(d, victim, taken, empty, crowned);
        }
        return went_on;
    }

    /// Takes `victim` in direction `d`: from the squares behind it the king goes straight on, turns, or rests.
    bool fly_over(Direction d, int victim, const Taken<Word>& taken, Word empty, bool crowned) {
        Word landings = T.ray[d][victim];
        const Word blockers = landings & ~empty;
        int next = -1;
        if (blockers) {
            next = G::first(d, blockers);
            landings &= ~(T.ray[d][next] | Word(1) << next);
        }
        if (!landings) return false;
        const int nearest = G::first(d, landings);
        if (r_.rules.king_landing == Landing::Behind) landings = Word(1) << nearest;

        const Word victim_bit = Word(1) << victim;
        const Taken<Word> now = taken.with(victim_bit, (victim_bit & p_.kings[Them]) != 0);
        const Word left = emptied(empty, victim_bit);
        sink_.enter(victim);
        bool straight_on = false;
        if (next >= 0 && (theirs_ & ~now.set & (Word(1) << next))) {
            sink_.land(nearest);
            straight_on = fly_over(d, next, now, left, crowned);
        }
        const unsigned turns = r_.rules.capture_directions() & ~bit_of(d) & ~bit_of(opposite(d));
        Word rests = 0;
        bool turned = false;
        for (Word squares = landings; squares;) {
            const int at = pop(squares);
            sink_.land(at);
            if (flying_chain(at, turns, now, left, crowned))
                turned = true;
            else
                rests |= Word(1) << at;
        }
        // A capture that can go on must. Where some landing squares allow more and others do not, the law may ask for
        // those that do; where the longest capture wins anyway the shorter ones need not be kept.
        const bool only_continuing = r_.rules.king_landing == Landing::Continuing || r_.rules.longest_first();
        if (!straight_on && !(turned && only_continuing))
            while (rests) finish(pop(rests), now, crowned);
        sink_.leave();
        return true;
    }

    const R& r_;
    const Pieces<Word>& p_;
    Sink& sink_;
    const Word theirs_, empty_;
    int from_ = 0;
    bool king_ = false;
};

/// Squares a king on `at` may slide or step to.
template <class G, class R>
[[gnu::always_inline]] inline typename G::Word king_destinations(const R& r, int at, typename G::Word empty) {
    using Word = typename G::Word;
    Word squares = 0;
    if (!r.rules.flying_king) {
        each_direction<KingMoves>(r, [&]<Direction D>() { squares |= G::template step<D>(Word(1) << at) & empty; });
        return squares;
    }
    for (unsigned dirs = r.rules.move_directions(); dirs;) {
        const auto d = Direction(pop(dirs));
        Word ray = G::kLookups.ray[d][at];
        if (const Word blockers = ray & ~empty) {
            const int blocker = G::first(d, blockers);
            ray &= ~(G::kLookups.ray[d][blocker] | Word(1) << blocker);
        }
        squares |= ray;
    }
    return squares;
}

/// Calls `f(move)` for every move without capture, legal or not.
template <class G, Color Us, class R, class F>
[[gnu::always_inline]] inline void each_quiet(const R& r, const Pieces<typename G::Word>& p, F&& f) {
    using Word = typename G::Word;
    const Word empty = G::kBoard & ~p.all();
    each_direction<ManMoves<Us>>(r, [&]<Direction D>() {
        for (Word to = G::template step<D>(p.men[Us]) & empty; to;) {
            const Word bit = lowest_bit(to);
            to ^= bit;
            const BitMove<Word> move{0, u8(lowest(G::template step<opposite(D)>(bit))), u8(lowest(bit)),
                                     (bit & G::crown_row(Us)) != 0};
            if constexpr (kCompiled<R>) {
                DAMAS_INLINED f(move);
            } else
                f(move);
        }
    });
    for (Word kings = p.kings[Us]; kings;) {
        const int at = pop(kings);
        for (Word to = king_destinations<G>(r, at, empty); to;) f(BitMove<Word>{0, u8(at), u8(pop(to)), false});
    }
}

template <class G, Color Us, class R>
[[gnu::always_inline]] inline u64 count_quiet(const R& r, const Pieces<typename G::Word>& p) {
    using Word = typename G::Word;
    const Word empty = G::kBoard & ~p.all();
    u64 count = 0;
    each_direction<ManMoves<Us>>(
        r, [&]<Direction D>() { count += u64(popcount(G::template step<D>(p.men[Us]) & empty)); });
    for (Word kings = p.kings[Us]; kings;) count += u64(popcount(king_destinations<G>(r, pop(kings), empty)));
    return count;
}

}  // namespace damas::DAMAS_ISA
