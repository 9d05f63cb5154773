// A small network of integers that scores a quiet position for the side to move.
//
// The side to move is always "us" and moves up; seen from Black the board is turned round and the colours change
// places. Inputs: our men, our kings, their men, their kings, each by square; a man never stands on its crown row, so
// those squares are left out. One first layer; the others exist once for each bucket of material.
//
//   a0[i] = clamp(b0[i] + sum w0[feature][i] >> 3, 0, 127)         int16, 1016 = 127 * 8 is one
//   c1[j] = clamp(b1[j] + sum a0[i] * w1[i][j], 0, 32512)          int8 weights, 256 is one; 32512 = 127 * 256
//   a1[j] = c1[j] * c1[j] >> 16                                    16129 = 127 * 127 is one
//   a2[k] = clamp(b2[k] + sum a1[j] * w2[j][k], 0, 16129 << 8) >> 8  int16 weights, 256 is one
//   out   = b3 + sum a2[k] * w3[k]                                 16129 << 8 is one
//   score = out * scale >> 32                                      hundredths of a man
//
// The first layer has 256 or 512 outputs, and there are 8 or 16 buckets: the file says which.
//
// The plain loops of `infer.hpp` are the definition; whatever is faster must give the same bits.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "damas/ruleset.hpp"

namespace damas::eval {

using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr int kSecond = 16, kThird = 32;
constexpr int kMaxFirst = 512, kMaxBuckets = 16;
constexpr int kMaxPieces = 144;          // every square of every board
constexpr u32 kFixed = 1, kVersion = 2;  // the first version knew one shape, 256 outputs and 8 buckets

#ifdef __wasm_simd128__
using FirstWeight = i16;  // it multiplies these faster than bytes
#else
using FirstWeight = i8;
#endif

struct Network {
    struct Head {
        alignas(64) FirstWeight w1[kMaxFirst / 4][kSecond][4];  // four inputs at a time for all outputs
        alignas(64) i32 b1[kSecond];
        alignas(64) i16 w2[kSecond / 2][kThird][2];  // two inputs at a time
        alignas(64) i32 b2[kThird];
        alignas(64) i16 w3[kThird];
        i32 b3;
    };

    u8 size = 0;
    bool all_squares = false;
    u64 rules = 0;  // of the moves it was trained for
    u32 scale = 0;
    std::string card;  // file name of the card that describes its training
    int inputs = 0, first = 0, buckets = 0;
    std::vector<i16> w0;  // [inputs][first], aligned rows
    alignas(64) i16 b0[kMaxFirst];
    u8 crowd[kMaxPieces + 1];  // by the number of pieces, the first bucket for it
    Head heads[kMaxBuckets];
    u64 checksum = 0;

    const i16* row(int feature) const { return first_ + std::size_t(feature) * std::size_t(first); }
    const Head& head(int pieces, bool kings) const { return heads[crowd[pieces] + kings]; }

    /// Reads a file's bytes; on failure null, and `problem` names the reason in one word.
    static std::unique_ptr<Network> read(const u8* data, std::size_t size, std::string& problem);

private:
    const i16* first_ = nullptr;
};

/// Number of inputs of a board.
constexpr int inputs_of(int size, bool all_squares) {
    const int squares = all_squares ? size * size : size * size / 2;
    return 4 * squares - 2 * (all_squares ? size : size / 2);
}

/// A fingerprint of the switches that decide legal moves: equal for rulebooks that move alike.
u64 rules_fingerprint(const Ruleset& rules);

}  // namespace damas::eval
