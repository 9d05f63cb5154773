// Codes packed tightly: neighbours are mostly equal, so each is stored as whether it repeats the one before and, if
// not, bit by bit; every such question learns from its past answers, within a block.
#pragma once
#include <cstddef>
#include <vector>

#include "damas/bits.hpp"

namespace damas::tablebase {

/// Appends `count` codes of `width` bytes to `out`.
void pack(const u8* codes, std::size_t count, int width, std::vector<u8>& out);
/// The reverse; false if the bytes cannot have come from `pack`.
bool unpack(const u8* bytes, std::size_t size, std::size_t count, int width, u8* codes);

u32 crc32(const u8* bytes, std::size_t size, u32 start = 0);

}  // namespace damas::tablebase
