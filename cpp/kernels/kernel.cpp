#include "damas/kernel.hpp"

#include <deque>

#include "damas/position.hpp"
#include "damas/processor.hpp"
#include "damas/threads.hpp"

namespace damas {

namespace baseline {
const Kernel* compiled_kernel(const Ruleset&);
Kernel interpreted_kernel(const Ruleset&);
}  // namespace baseline
#ifdef DAMAS_X86_64_V3
namespace x86_64_v3 {
const Kernel* compiled_kernel(const Ruleset&);
Kernel interpreted_kernel(const Ruleset&);
}  // namespace x86_64_v3
#endif

bool modern_processor() {
#ifdef DAMAS_X86_64_V3
    static const bool yes = has_x86_64_v3();
    return yes;
#else
    return false;
#endif
}

namespace {
const Kernel* compiled(const Ruleset& rules) {
#ifdef DAMAS_X86_64_V3
    if (modern_processor()) return x86_64_v3::compiled_kernel(rules);
#endif
    return baseline::compiled_kernel(rules);
}

Kernel interpreted(const Ruleset& rules) {
#ifdef DAMAS_X86_64_V3
    if (modern_processor()) return x86_64_v3::interpreted_kernel(rules);
#endif
    return baseline::interpreted_kernel(rules);
}
}  // namespace

const Kernel& kernel_for(const Ruleset& rules, bool want_interpreted) {
    if (!want_interpreted)
        if (const Kernel* kernel = compiled(rules)) return *kernel;
    // House rules are few and live as long as the process: positions point at them.
    static Mutex mutex;
    static std::deque<Kernel> kernels;
    const Lock lock(mutex);
    for (const auto& kernel : kernels)
        if (kernel.rules == rules) return kernel;
    return kernels.emplace_back(interpreted(rules));
}

namespace {

constexpr unsigned kQuickWork = 1 << 13;  // about a millisecond
constexpr int kManyPieces = 7;            // listing the captures of fewer opposing pieces never takes long

/// The moves of the last few boards whose listing took long; the oldest list goes first.
class Remembered {
public:
    /// Whether the board is known. Throws `TooManyCaptures` again where that was the answer.
    bool find(const Kernel& kernel, const Board& board, bool keep, std::vector<Move>& out) {
        const Lock lock(mutex_);
        for (const Entry& entry : entries_)
            if (entry.kernel == &kernel && entry.keep == keep && entry.board == board) {
                if (entry.too_many) raise(TooManyCaptures{});
                out.insert(out.end(), entry.moves.begin(), entry.moves.end());
                return true;
            }
        return false;
    }
    void add(const Kernel& kernel, const Board& board, bool keep, const std::vector<Move>& moves, bool too_many) {
        if (moves.size() > kMostMoves / 4) return;
        const Lock lock(mutex_);
        entries_.push_back({&kernel, board, keep, too_many, moves});
        moves_ += moves.size();
        while (entries_.size() > kMostEntries || moves_ > kMostMoves) {
            moves_ -= entries_.front().moves.size();
            entries_.pop_front();
        }
    }

private:
    static constexpr std::size_t kMostEntries = 512, kMostMoves = 1 << 16;  // six megabytes
    struct Entry {
        const Kernel* kernel;
        Board board;
        bool keep;
        bool too_many;
        std::vector<Move> moves;
    };
    Mutex mutex_;
    std::deque<Entry> entries_;
    std::size_t moves_ = 0;
};

Remembered& remembered() {
    static Remembered lists;
    return lists;
}

}  // namespace

bool may_take_long(const Ruleset& rules, const Board& board) {
    const Color us = board.turn;
    if (!rules.flying_king || (!board.kings[us].any() && rules.promotion != Promotion::Continues)) return false;
    return board.men[~us].count() + board.kings[~us].count() >= kManyPieces;
}

bool quick_legal_moves(const Kernel& kernel, const Board& board, bool keep, std::vector<Move>& out) {
    if (!may_take_long(kernel.rules, board)) {
        kernel.legal(kernel.rules, board, keep, out, kMaxWork);
        return true;
    }
    if (remembered().find(kernel, board, keep, out)) return true;
#ifdef __wasm__
    kernel.legal(kernel.rules, board, keep, out, kMaxWork);  // nobody else waits meanwhile
    return true;
#else
    try {
        kernel.legal(kernel.rules, board, keep, out, kQuickWork);
        return true;
    } catch (const TooManyCaptures&) {
        out.clear();
        return false;
    }
#endif
}

void legal_moves(const Kernel& kernel, const Board& board, bool keep, std::vector<Move>& out) {
    if (quick_legal_moves(kernel, board, keep, out)) return;
#ifndef __wasm__
    try {
        kernel.legal(kernel.rules, board, keep, out, kMaxWork);
    } catch (const TooManyCaptures&) {
        remembered().add(kernel, board, keep, {}, true);
        throw;
    }
    remembered().add(kernel, board, keep, out, false);
#endif
}

Board after(const Board& board, const Move& move, int from_bit, int to_bit) {
    Board next = board;
    const Color us = board.turn;
    const bool king = board.kings[us].test(from_bit);
    (king ? next.kings : next.men)[us].clear(from_bit);
    (king || move.promotes ? next.kings : next.men)[us].set(to_bit);
    for (Bits* theirs : {&next.men[~us], &next.kings[~us]}) {
        theirs->low &= ~move.captured.low;
        theirs->high &= ~move.captured.high;
    }
    next.turn = ~us;
    return next;
}

u64 hash(const Board& b) {
    // Each word is folded in with a multiplication of full width; equal on every platform.
    u64 h = 0x9e3779b97f4a7c15u ^ u64(b.turn);
    const auto mix = [&h](u64 word) {
        const u128 product = u128(h ^ word) * 0xd6e8feb86659fd93u;
        h = (u64(product) ^ u64(product >> 64)) + 0x9e3779b97f4a7c15u;
    };
    for (const Bits* side : {b.men, b.kings})
        for (int c = 0; c < 2; ++c) {
            mix(side[c].low);
            if (side[c].high) mix(~side[c].high);
        }
    return h;
}

}  // namespace damas
