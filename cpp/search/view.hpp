// The board as the side to move sees it: index 0 is us, and we move up. Seen so, one search serves both colours.
#pragma once
#ifdef __AVX2__
#include <immintrin.h>
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "damas/instances.hpp"

namespace damas::DAMAS_ISA {

/// The bits of a board in the opposite order, which is the board turned round.
template <class G>
[[gnu::always_inline]] inline typename G::Word reversed(typename G::Word w) {
    const auto reverse64 = [](u64 x) {
        x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
        x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
        x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
        return byte_reversed(x);
    };
    if constexpr (sizeof(w) == 16)
        return (u128(reverse64(u64(w))) << 64 | reverse64(u64(w >> 64))) >> (128 - G::kBits);
    else
        return reverse64(w) >> (64 - G::kBits);
}

/// The same position with the other side as us.
template <class G>
[[gnu::always_inline]] inline Pieces<typename G::Word> turned(const Pieces<typename G::Word>& p) {
#ifdef __AVX2__
    if constexpr (sizeof(typename G::Word) == 8) {
        // Reversing 16 bytes turns both boards round and changes their places: the colours too.
        const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&p));
        const __m256i nibble = _mm256_set1_epi8(0x0f);
        const __m256i mirrored = _mm256_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15, 0, 8, 4, 12, 2,
                                                  10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
        const __m256i order = _mm256_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11,
                                               10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        const __m256i low = _mm256_shuffle_epi8(mirrored, _mm256_and_si256(v, nibble));
        const __m256i high = _mm256_shuffle_epi8(mirrored, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble));
        const __m256i bytes = _mm256_or_si256(_mm256_slli_epi16(low, 4), high);
        const __m256i turned = _mm256_srli_epi64(_mm256_shuffle_epi8(bytes, order), 64 - G::kBits);
        Pieces<typename G::Word> out;
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(&out), turned);
        return out;
    }
#endif
#ifdef __wasm_simd128__
    if constexpr (sizeof(typename G::Word) == 8) {
        Pieces<typename G::Word> out;
        const v128_t nibble = wasm_i8x16_const_splat(0x0f);
        const v128_t mirrored = wasm_i8x16_const(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
        const auto reverse = [&](const typename G::Word* from, typename G::Word* to) {
            const v128_t v = wasm_v128_load(from);
            const v128_t low = wasm_i8x16_swizzle(mirrored, wasm_v128_and(v, nibble));
            const v128_t high = wasm_i8x16_swizzle(mirrored, wasm_u8x16_shr(v, 4));
            const v128_t bytes = wasm_v128_or(wasm_i8x16_shl(low, 4), high);
            const v128_t turned =
                wasm_i8x16_shuffle(bytes, bytes, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            wasm_v128_store(to, wasm_u64x2_shr(turned, 64 - G::kBits));
        };
        reverse(p.men, out.men);
        reverse(p.kings, out.kings);
        return out;
    }
#endif
    return {{reversed<G>(p.men[1]), reversed<G>(p.men[0])}, {reversed<G>(p.kings[1]), reversed<G>(p.kings[0])}};
}

/// From a board and back; `turn` is the colour that index 0 stands for.
template <class G>
Pieces<typename G::Word> view_of(const Board& b) {
    const auto p = pieces_of<typename G::Word>(b);
    return b.turn == White ? p : turned<G>(p);
}
template <class G>
Board board_of(const Pieces<typename G::Word>& view, Color turn) {
    const auto p = turn == White ? view : turned<G>(view);
    Board b;
    for (const Color c : {White, Black}) {
        b.men[c] = bits_of(p.men[c]);
        b.kings[c] = bits_of(p.kings[c]);
    }
    b.turn = turn;
    return b;
}

/// 64 bits that tell positions apart, from the side to move.
template <class Word>
[[gnu::always_inline]] inline u64 key_of(const Pieces<Word>& p) {
    const auto mix = [](u64 a, u64 b) {
        const u128 product = u128(a) * b;
        return u64(product) ^ u64(product >> 64);
    };
    u64 h = mix(u64(p.men[0]) ^ 0xa0761d6478bd642fu, u64(p.men[1]) ^ 0xe7037ed1a0b428dbu) ^
            mix(u64(p.kings[0]) ^ 0x8ebc6af09c88c6e3u, u64(p.kings[1]) ^ 0x589965cc75374cc3u) * 0x9e3779b97f4a7c15u;
    if constexpr (sizeof(Word) == 16)
        h ^= mix(u64(p.men[0] >> 64) ^ u64(p.kings[0] >> 64) << 32 ^ 0x1d8e4e27c47d124fu,
                 u64(p.men[1] >> 64) ^ u64(p.kings[1] >> 64) << 32 ^ 0xeb44accab455d165u);
    return h;
}

}  // namespace damas::DAMAS_ISA
