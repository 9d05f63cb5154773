#include "damas/kernel.hpp"

#include <deque>
#include <mutex>

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
    static const bool yes = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
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
    static std::mutex mutex;
    static std::deque<Kernel> kernels;
    const std::lock_guard lock(mutex);
    for (const auto& kernel : kernels)
        if (kernel.rules == rules) return kernel;
    return kernels.emplace_back(interpreted(rules));
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
