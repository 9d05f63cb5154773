// The network's arithmetic, for the instruction set DAMAS_ISA. See network.hpp for its definition.
//
// `add_rows` and `propagate` are all that an instruction set may do in its own way.
#pragma once
#include <algorithm>
#include <cstring>
#ifdef __AVX2__
#include <immintrin.h>
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "damas/position.hpp"
#include "network.hpp"

namespace damas::DAMAS_ISA {

/// The first layer's sums of a position. Those of a position that differs in a few pieces follow from them.
template <class G>
struct Accumulator {
    Pieces<typename G::Word> p{};
    alignas(64) eval::i16 sum[eval::kMaxFirst];
};

/// The accumulator of the empty board.
template <class G>
Accumulator<G> empty_accumulator(const eval::Network& net) {
    Accumulator<G> empty;
    std::copy(net.b0, net.b0 + net.first, empty.sum);
    return empty;
}

/// Rows of the first layer to add or to take away.
struct Rows {
    const eval::i16* row[eval::kMaxPieces];
    int count = 0;
};

/// The inputs that are on in `p` and not in `q`, for the side to move (index 0).
template <class G>
[[gnu::always_inline]] inline void rows_of(const eval::Network& net, const Pieces<typename G::Word>& p,
                                           const Pieces<typename G::Word>& q, Rows& out) {
    using Word = typename G::Word;
    constexpr int row = G::kAllSquares ? G::kSize : G::kSize / 2, squares = G::kSquares, men = squares - row;
    const auto add = [&](Word set, int offset) {
        while (set) out.row[out.count++] = net.row(offset + G::kLookups.square_of_bit[pop(set)]);
    };
    add(p.men[0] & ~q.men[0], 0);
    add(p.kings[0] & ~q.kings[0], men);
    add(p.men[1] & ~q.men[1], men + squares - row);
    add(p.kings[1] & ~q.kings[1], 2 * men + squares);
}

/// `to` = `from` + the rows of `on` - the rows of `off`; `from` and `to` may be the same.
inline void add_rows(const eval::i16* from, eval::i16* to, int first, const Rows& on, const Rows& off) {
#ifdef __AVX2__
    constexpr int kRegisters = 8, kPart = 16 * kRegisters;
    for (int part = 0; part < first; part += kPart) {
        __m256i sum[kRegisters];
        const auto at = [part](const eval::i16* row) { return reinterpret_cast<const __m256i*>(row + part); };
        for (int i = 0; i < kRegisters; ++i) sum[i] = _mm256_load_si256(at(from) + i);
        for (int f = 0; f < on.count; ++f)
            for (int i = 0; i < kRegisters; ++i)
                sum[i] = _mm256_add_epi16(sum[i], _mm256_load_si256(at(on.row[f]) + i));
        for (int f = 0; f < off.count; ++f)
            for (int i = 0; i < kRegisters; ++i)
                sum[i] = _mm256_sub_epi16(sum[i], _mm256_load_si256(at(off.row[f]) + i));
        for (int i = 0; i < kRegisters; ++i) _mm256_store_si256(reinterpret_cast<__m256i*>(to + part) + i, sum[i]);
    }
#elif defined(__wasm_simd128__)
    constexpr int kRegisters = 8, kPart = 8 * kRegisters;
    for (int part = 0; part < first; part += kPart) {
        v128_t sum[kRegisters];
        for (int i = 0; i < kRegisters; ++i) sum[i] = wasm_v128_load(from + part + 8 * i);
        for (int f = 0; f < on.count; ++f)
            for (int i = 0; i < kRegisters; ++i)
                sum[i] = wasm_i16x8_add(sum[i], wasm_v128_load(on.row[f] + part + 8 * i));
        for (int f = 0; f < off.count; ++f)
            for (int i = 0; i < kRegisters; ++i)
                sum[i] = wasm_i16x8_sub(sum[i], wasm_v128_load(off.row[f] + part + 8 * i));
        for (int i = 0; i < kRegisters; ++i) wasm_v128_store(to + part + 8 * i, sum[i]);
    }
#else
    if (from != to) std::copy(from, from + first, to);
    for (int f = 0; f < on.count; ++f)
        for (int i = 0; i < first; ++i) to[i] = eval::i16(to[i] + on.row[f][i]);
    for (int f = 0; f < off.count; ++f)
        for (int i = 0; i < first; ++i) to[i] = eval::i16(to[i] - off.row[f][i]);
#endif
}

/// The output of the layers behind the first, whose sums are given.
template <int First>
inline eval::i64 propagate(const eval::Network::Head& head, const eval::i16* sums) {
    using namespace eval;
    constexpr int kOne = 127, kOne1 = 127 * 256, kOne2 = (127 * 127) << 8;
#ifdef __AVX2__
    alignas(64) u8 a0[First];
    {
        const auto* in = reinterpret_cast<const __m256i*>(sums);
        auto* out = reinterpret_cast<__m256i*>(a0);
        const __m256i one = _mm256_set1_epi8(kOne);
        for (int i = 0; i < First / 16; i += 2) {
            // Packing saturates to 0..255 and works in halves of a register: put them in order again.
            const __m256i a = _mm256_srai_epi16(_mm256_load_si256(in + i), 3);
            const __m256i b = _mm256_srai_epi16(_mm256_load_si256(in + i + 1), 3);
            const __m256i packed = _mm256_min_epu8(_mm256_packus_epi16(a, b), one);
            _mm256_store_si256(out + i / 2, _mm256_permute4x64_epi64(packed, 0xd8));
        }
    }
    __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(head.b1));
    __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(head.b1) + 1);
    const __m256i ones = _mm256_set1_epi16(1), zero = _mm256_setzero_si256();
    for (int c = 0; c < First / 4; ++c) {
        i32 four;
        std::memcpy(&four, a0 + 4 * c, 4);
        const __m256i a = _mm256_set1_epi32(four);
        const auto* w = reinterpret_cast<const __m256i*>(head.w1[c]);
        low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_maddubs_epi16(a, w[0]), ones));
        high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_maddubs_epi16(a, w[1]), ones));
    }
    alignas(32) i16 a1[kSecond];
    {
        const __m256i one = _mm256_set1_epi32(kOne1);
        low = _mm256_min_epi32(_mm256_max_epi32(low, zero), one);
        high = _mm256_min_epi32(_mm256_max_epi32(high, zero), one);
        low = _mm256_srli_epi32(_mm256_mullo_epi32(low, low), 16);
        high = _mm256_srli_epi32(_mm256_mullo_epi32(high, high), 16);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);
        _mm256_store_si256(reinterpret_cast<__m256i*>(a1), packed);
    }
    __m256i sum[kThird / 8];
    for (int i = 0; i < kThird / 8; ++i) sum[i] = _mm256_load_si256(reinterpret_cast<const __m256i*>(head.b2) + i);
    for (int j = 0; j < kSecond / 2; ++j) {
        i32 two;
        std::memcpy(&two, a1 + 2 * j, 4);
        const __m256i a = _mm256_set1_epi32(two);
        const auto* w = reinterpret_cast<const __m256i*>(head.w2[j]);
        for (int i = 0; i < kThird / 8; ++i) sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(a, w[i]));
    }
    const __m256i one = _mm256_set1_epi32(kOne2);
    __m256i out = zero;
    for (int i = 0; i < kThird / 8; i += 2) {
        const __m256i x = _mm256_srli_epi32(_mm256_min_epi32(_mm256_max_epi32(sum[i], zero), one), 8);
        const __m256i y = _mm256_srli_epi32(_mm256_min_epi32(_mm256_max_epi32(sum[i + 1], zero), one), 8);
        const __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(x, y), 0xd8);
        out = _mm256_add_epi32(
            out, _mm256_madd_epi16(packed, _mm256_load_si256(reinterpret_cast<const __m256i*>(head.w3) + i / 2)));
    }
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(out), _mm256_extracti128_si256(out, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1));
    return i64(_mm_cvtsi128_si32(four)) + head.b3;
#elif defined(__wasm_simd128__)
    const v128_t zero = wasm_i32x4_const_splat(0);
    alignas(16) i16 a0[First];
    for (int i = 0; i < First; i += 8) {
        const v128_t a = wasm_i16x8_max(wasm_i16x8_shr(wasm_v128_load(sums + i), 3), zero);
        wasm_v128_store(a0 + i, wasm_i16x8_min(a, wasm_i16x8_const_splat(kOne)));
    }
    // Each register: two halves of the sum of one output, and of the next.
    v128_t halves[kSecond / 2];
    for (v128_t& two : halves) two = zero;
    for (int c = 0; c < First / 4; ++c) {
        const v128_t a = wasm_v128_load64_splat(a0 + 4 * c);
        const i16* w = &head.w1[c][0][0];
        for (int i = 0; i < kSecond / 2; ++i)
            halves[i] = wasm_i32x4_add(halves[i], wasm_i32x4_dot_i16x8(a, wasm_v128_load(w + 8 * i)));
    }
    alignas(16) i16 a1[kSecond];
    for (int j = 0; j < kSecond; j += 8) {
        v128_t squared[2];
        for (int i = 0; i < 2; ++i) {
            const v128_t x = halves[j / 2 + 2 * i], y = halves[j / 2 + 2 * i + 1];
            v128_t s = wasm_i32x4_add(wasm_i32x4_shuffle(x, y, 0, 2, 4, 6), wasm_i32x4_shuffle(x, y, 1, 3, 5, 7));
            s = wasm_i32x4_add(s, wasm_v128_load(head.b1 + j + 4 * i));
            s = wasm_i32x4_min(wasm_i32x4_max(s, zero), wasm_i32x4_const_splat(kOne1));
            squared[i] = wasm_u32x4_shr(wasm_i32x4_mul(s, s), 16);
        }
        wasm_v128_store(a1 + j, wasm_i16x8_narrow_i32x4(squared[0], squared[1]));
    }
    v128_t sum[kThird / 4];
    for (int i = 0; i < kThird / 4; ++i) sum[i] = wasm_v128_load(head.b2 + 4 * i);
    for (int j = 0; j < kSecond / 2; ++j) {
        const v128_t a = wasm_v128_load32_splat(a1 + 2 * j);
        const i16* w = &head.w2[j][0][0];
        for (int i = 0; i < kThird / 4; ++i)
            sum[i] = wasm_i32x4_add(sum[i], wasm_i32x4_dot_i16x8(a, wasm_v128_load(w + 8 * i)));
    }
    v128_t out = zero;
    const v128_t one = wasm_i32x4_const_splat(kOne2);
    for (int i = 0; i < kThird / 4; i += 2) {
        const v128_t x = wasm_u32x4_shr(wasm_i32x4_min(wasm_i32x4_max(sum[i], zero), one), 8);
        const v128_t y = wasm_u32x4_shr(wasm_i32x4_min(wasm_i32x4_max(sum[i + 1], zero), one), 8);
        out = wasm_i32x4_add(out, wasm_i32x4_dot_i16x8(wasm_i16x8_narrow_i32x4(x, y), wasm_v128_load(head.w3 + 4 * i)));
    }
    const i32 total = wasm_i32x4_extract_lane(out, 0) + wasm_i32x4_extract_lane(out, 1) +
                      wasm_i32x4_extract_lane(out, 2) + wasm_i32x4_extract_lane(out, 3);
    return i64(total) + head.b3;
#else
    i32 b[kSecond];
    for (int j = 0; j < kSecond; ++j) b[j] = head.b1[j];
    for (int c = 0; c < First / 4; ++c) {
        i32 a[4];
        for (int i = 0; i < 4; ++i) a[i] = std::clamp<i32>(sums[4 * c + i] >> 3, 0, kOne);
        for (int j = 0; j < kSecond; ++j)
            for (int i = 0; i < 4; ++i) b[j] += a[i] * head.w1[c][j][i];
    }
    i32 a1[kSecond];
    for (int j = 0; j < kSecond; ++j) {
        const i32 c = std::clamp(b[j], 0, kOne1);
        a1[j] = c * c >> 16;
    }
    i32 out = 0;
    for (int k = 0; k < kThird; ++k) {
        i32 s = head.b2[k];
        for (int j = 0; j < kSecond; ++j) s += a1[j] * head.w2[j / 2][k][j % 2];
        out += (std::clamp(s, 0, kOne2) >> 8) * head.w3[k];
    }
    return i64(out) + head.b3;
#endif
}

/// The score of a position for its side to move, in hundredths of a man. `here` becomes the position's accumulator: it
/// is updated from itself or from `near`, whichever differs in fewer pieces, or built anew.
template <class G>
[[gnu::noinline]] int infer(const eval::Network& net, const Pieces<typename G::Word>& p, Accumulator<G>& here,
                            const Accumulator<G>& near) {
    using P = Pieces<typename G::Word>;
    const auto differing = [&p](const P& q) {
        return popcount(p.men[0] ^ q.men[0]) + popcount(p.men[1] ^ q.men[1]) + popcount(p.kings[0] ^ q.kings[0]) +
               popcount(p.kings[1] ^ q.kings[1]);
    };
    const int pieces = popcount(p.all()), from_here = differing(here.p), from_near = differing(near.p);
    const bool nearer = from_near < from_here;
    const bool anew = pieces < (nearer ? from_near : from_here);
    const P before = anew ? P{} : nearer ? near.p : here.p;
    Rows on, off;
    rows_of<G>(net, p, before, on);
    rows_of<G>(net, before, p, off);
    add_rows(anew ? net.b0 : nearer ? near.sum : here.sum, here.sum, net.first, on, off);
    here.p = p;
    const auto& head = net.head(pieces, (p.kings[0] | p.kings[1]) != 0);
    const eval::i64 out = net.first == 256 ? propagate<256>(head, here.sum) : propagate<512>(head, here.sum);
    return int(out * eval::i64(net.scale) >> 32);
}

}  // namespace damas::DAMAS_ISA
