#include "network.hpp"

#include <algorithm>
#include <cstring>

namespace damas::eval {

namespace {
constexpr char kMagic[8] = {'D', 'A', 'M', 'A', 'S', 'N', 'E', 'T'};

u64 fnv(const u8* data, std::size_t size) {
    u64 h = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < size; ++i) h = (h ^ data[i]) * 0x100000001b3u;
    return h;
}

/// Reads little-endian numbers from the front of a file.
struct Source {
    const u8* at;
    std::size_t left;
    bool ended = false;  // a number was read beyond the end

    template <class T>
    T take() {
        std::make_unsigned_t<T> value = 0;
        if (left < sizeof(T)) {
            ended = true;
            return 0;
        }
        for (std::size_t i = 0; i < sizeof(T); ++i)
            value = std::make_unsigned_t<T>(value | std::make_unsigned_t<T>(at[i]) << (8 * i));
        at += sizeof(T);
        left -= sizeof(T);
        return T(value);
    }
};
}  // namespace

u64 rules_fingerprint(const Ruleset& r) {
    // Where a king that does not fly may land is no answer of its own.
    u8 bytes[10 + kPriorities] = {r.size,
                                  r.all_squares,
                                  u8(r.capture_lines),
                                  r.men_capture_backward,
                                  r.men_capture_kings,
                                  r.flying_king,
                                  r.flying_king ? u8(r.king_landing) : u8(0),
                                  u8(r.promotion),
                                  u8(r.removal),
                                  0};
    for (int i = 0; i < kPriorities; ++i) bytes[10 + i] = u8(r.capture_priority[i]);
    return fnv(bytes, sizeof bytes);
}

std::unique_ptr<Network> Network::read(const u8* data, std::size_t size, std::string& problem) {
    const auto refuse = [&](const char* why) {
        problem = why;
        return nullptr;
    };
    if (size < 64 || std::memcmp(data, kMagic, sizeof kMagic) != 0) return refuse("magic");
    u64 checksum = 0;
    for (int i = 0; i < 8; ++i) checksum |= u64(data[size - 8 + std::size_t(i)]) << (8 * i);
    if (fnv(data, size - 8) != checksum) return refuse("checksum");
    Source in{data + sizeof kMagic, size - sizeof kMagic - 8};
    const u32 version = in.take<u32>();
    if (version != kFixed && version != kVersion) return refuse("version");
    auto net = std::make_unique<Network>();
    net->checksum = checksum;
    net->size = in.take<u8>();
    net->all_squares = in.take<u8>() != 0;
    net->inputs = in.take<u16>();
    const int first = in.take<u16>(), second = in.take<u16>(), third = in.take<u16>(), buckets = in.take<u16>();
    const bool fixed = first == 256 && buckets == 8;
    const bool known = version == kVersion && (first == 256 || first == 512) && (buckets == 8 || buckets == 16);
    if (!(fixed || known) || second != kSecond || third != kThird ||
        net->inputs != inputs_of(net->size, net->all_squares))
        return refuse("shape");
    net->first = first;
    net->buckets = buckets;
    net->rules = in.take<u64>();
    // The most pieces of each pair of buckets but the last, which has no bound.
    int pieces = 0;
    for (int pair = 0; pair < buckets; pair += 2) {
        const int most = in.take<u8>();
        for (; pieces <= (pair + 2 < buckets ? std::min(most, kMaxPieces) : kMaxPieces); ++pieces)
            net->crowd[pieces] = u8(pair);
    }
    net->scale = in.take<u32>();
    for (u16 length = in.take<u16>(); length && !in.ended; --length) net->card += char(in.take<u8>());

    net->w0.resize(std::size_t(net->inputs) * std::size_t(first) + 32);
    auto address = reinterpret_cast<std::uintptr_t>(net->w0.data());
    i16* const rows = net->w0.data() + (64 - address % 64) % 64 / sizeof(i16);
    net->first_ = rows;
    for (int i = 0; i < first; ++i) net->b0[i] = in.take<i16>();
    for (int i = 0; i < net->inputs * first; ++i) rows[i] = in.take<i16>();
    for (int bucket = 0; bucket < buckets; ++bucket) {
        Head& head = net->heads[bucket];
        for (int j = 0; j < kSecond; ++j) head.b1[j] = in.take<i32>();
        for (int j = 0; j < kSecond; ++j)
            for (int i = 0; i < first; ++i) head.w1[i / 4][j][i % 4] = in.take<i8>();
        for (int k = 0; k < kThird; ++k) head.b2[k] = in.take<i32>();
        for (int k = 0; k < kThird; ++k)
            for (int j = 0; j < kSecond; ++j) head.w2[j / 2][k][j % 2] = in.take<i16>();
        head.b3 = in.take<i32>();
        for (int k = 0; k < kThird; ++k) head.w3[k] = in.take<i16>();
    }
    if (in.ended || in.left) return refuse("length");
    return net;
}

}  // namespace damas::eval
