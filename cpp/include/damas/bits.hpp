// Words of bits: the few operations the board needs, for 64 and 128 squares' worth of them. GCC, Clang and clang-cl
// have the integer of 128 bits and the built-in functions used here and nowhere else.
#pragma once
#include <cstdint>

namespace damas {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ using u128 = unsigned __int128;  // the 12x12 board has more squares than a u64 has bits

template <class W>
[[gnu::always_inline]] constexpr int popcount(W w) {
    if constexpr (sizeof(W) == 16)
        return __builtin_popcountll(u64(w)) + __builtin_popcountll(u64(w >> 64));
    else
        return __builtin_popcountll(w);
}

/// Index of the lowest set bit; `w` must not be zero.
template <class W>
[[gnu::always_inline]] constexpr int lowest(W w) {
    if constexpr (sizeof(W) == 16)
        return u64(w) ? __builtin_ctzll(u64(w)) : 64 + __builtin_ctzll(u64(w >> 64));
    else
        return __builtin_ctzll(w);
}

/// Index of the highest set bit; `w` must not be zero.
template <class W>
[[gnu::always_inline]] constexpr int highest(W w) {
    if constexpr (sizeof(W) == 16)
        return u64(w >> 64) ? 127 - __builtin_clzll(u64(w >> 64)) : 63 - __builtin_clzll(u64(w));
    else
        return 63 - __builtin_clzll(w);
}

/// The bytes of `w` in the opposite order.
[[gnu::always_inline]] constexpr u64 byte_reversed(u64 w) { return __builtin_bswap64(w); }

/// Before a call: it is inlined. Clang for WebAssembly takes a lambda for larger than the rules of a compiled rulebook
/// leave it, and would call it.
#ifdef __wasm__
#define DAMAS_INLINED [[clang::always_inline]]
#else
#define DAMAS_INLINED
#endif

/// Asks for the cache line of an address before it is needed.
[[gnu::always_inline]] inline void prefetch(const void* address) { __builtin_prefetch(address); }

template <class W>
[[gnu::always_inline]] constexpr W lowest_bit(W w) {
    return w & (~w + 1);
}

/// Removes the lowest set bit and returns its index.
template <class W>
[[gnu::always_inline]] constexpr int pop(W& w) {
    const int index = lowest(w);
    w &= w - 1;
    return index;
}

}  // namespace damas
