#include "archive.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>

#include "codec.hpp"
#include "files.hpp"

namespace damas::tablebase {

namespace {

constexpr char kMagic[8] = {'d', 'a', 'm', 'a', 's', 't', 'b', '1'};
constexpr u64 kBlock = 1 << 15;  // codes

#pragma pack(push, 1)
struct Header {
    char magic[8];
    u8 key[32];
    u8 men[2], kings[2];
    u8 width, unused;
    u16 tables;
    u64 count;   // codes of one table, one side to move
    u64 blocks;  // of all tables
};
#pragma pack(pop)

u64 blocks_per_side(u64 count) { return (count + kBlock - 1) / kBlock; }

/// Calls `work(i)` for every i below `count` on several threads; the first exception is thrown again.
void for_each_block(u64 count, int threads, const std::function<void(u64)>& work) {
    std::atomic<u64> next{0};
    on_threads(int(std::min(u64(threads), count)), [&](int) {
        for (u64 i; (i = next++) < count;) work(i);
    });
}

}  // namespace

std::atomic<u64> Archive::budget{u64(1) << 30};

void write_archive(const Slice& s, const std::string& key, const std::string& path, int threads) {
    Header header{};
    std::memcpy(header.magic, kMagic, 8);
    std::memcpy(header.key, key.data(), 32);
    for (int c = 0; c < 2; ++c) {
        header.men[c] = s.material.men[c];
        header.kings[c] = s.material.kings[c];
    }
    header.width = u8(s.width);
    header.count = s.size();
    for (int t = 0; t < kTableKinds; ++t) header.tables |= u16(s.has(TableKind(t)) << t);
    const u64 side = blocks_per_side(s.size());
    const int tables = popcount(u64(header.tables));
    header.blocks = side * 2 * u64(tables);

    std::vector<std::vector<u8>> packed(header.blocks);
    for_each_block(header.blocks, threads, [&](u64 i) {
        int table = 0;
        for (u64 left = i / (2 * side);; ++table)
            if (s.has(TableKind(table)) && left-- == 0) break;
        const auto turn = Color(i / side % 2);
        const u64 first = i % side * kBlock;
        const u64 count = std::min(kBlock, s.size() - first);
        auto& out = packed[i];
        pack(s.data[table][turn].get() + first * u64(s.width), count, s.width, out);
        const u32 crc = crc32(out.data(), out.size());
        for (int b = 0; b < 4; ++b) out.push_back(u8(crc >> (8 * b)));
    });
    std::vector<u64> ends(header.blocks);
    u64 end = 0;
    for (u64 i = 0; i < header.blocks; ++i) ends[i] = end += packed[i].size();

    u32 crc = crc32(reinterpret_cast<const u8*>(&header), sizeof header);
    crc = crc32(reinterpret_cast<const u8*>(ends.data()), ends.size() * 8, crc);
    int error = 0;  // the first that went wrong
    const auto good = [&](bool done) {
        if (!done && !error) error = errno ? errno : EIO;
        return done && !error;
    };
    errno = 0;
    std::FILE* file = open_for_writing(path);
    if (!file) throw NotWritten(path, errno);
    const auto write = [&](const void* bytes, std::size_t size) {
        if (!error) good(std::fwrite(bytes, 1, size, file) == size);
    };
    write(&header, sizeof header);
    write(ends.data(), ends.size() * 8);
    write(&crc, 4);
    for (const auto& block : packed) write(block.data(), block.size());
    good(std::fflush(file) == 0);
    good(sync(file));
    good(std::fclose(file) == 0);
    if (error) throw NotWritten(path, error);
}

std::vector<u8> Archive::read(u64 from, u64 bytes) const {
    std::ifstream file(native(path_), std::ios::binary);
    std::vector<u8> found(bytes);
    if (!file.seekg(std::streamoff(from))) fail("cannot be read");
    file.read(reinterpret_cast<char*>(found.data()), std::streamsize(bytes));
    if (u64(file.gcount()) != bytes) fail("is cut short");
    return found;
}

Archive::Archive(const Slice& s, const std::string& key, const std::string& path) : path_(path), count_(s.size()) {
    std::ifstream file(native(path), std::ios::binary | std::ios::ate);
    if (!file) fail("cannot be read");
    size_ = u64(file.tellg());
    file.close();
    Header header;
    if (size_ < sizeof header) fail(size_ ? "is cut short" : "is empty");
    std::memcpy(&header, read(0, sizeof header).data(), sizeof header);
    if (std::memcmp(header.magic, kMagic, 8) != 0) fail("is not a table, or of another version");
    const u64 side = blocks_per_side(count_);
    const u64 directory = sizeof header + header.blocks * 8;
    if (header.blocks > (u64(1) << 40) || size_ < directory + 4) fail("is cut short");
    const auto front = read(0, directory + 4);
    u32 crc;
    std::memcpy(&crc, front.data() + directory, 4);
    if (crc != crc32(front.data(), directory)) fail("its header is damaged");
    if (std::memcmp(header.key, key.data(), 32) != 0) fail("was made for other rules");
    u16 tables = 0;
    for (int t = 0; t < kTableKinds; ++t) {
        order_[t] = popcount(u64(tables));
        tables |= u16(s.has(TableKind(t)) << t);
    }
    for (int c = 0; c < 2; ++c)
        if (header.men[c] != s.material.men[c] || header.kings[c] != s.material.kings[c])
            fail("is of another material");
    if (header.count != count_ || header.tables != tables || header.blocks != side * 2 * u64(popcount(u64(tables))) ||
        header.width < 1 || header.width > 2)
        fail("its header is damaged");
    width_ = header.width;
    blocks_ = header.blocks;
    ends_.resize(blocks_);
    std::memcpy(ends_.data(), front.data() + sizeof header, blocks_ * 8);
    if (size_ != directory + 4 + ends_.back()) fail("is cut short or too long");
    cache_ = std::make_unique<std::atomic<const u8*>[]>(blocks_);
}

Archive::~Archive() {
    if (cache_)
        for (u64 i = 0; i < blocks_; ++i)
            if (const u8* block = cache_[i].load()) {
                budget += kBlock * u64(width_);
                delete[] block;
            }
}

std::unique_ptr<u8[]> Archive::unpacked(u64 block) const {
    const u64 from = block ? ends_[block - 1] : 0, to = ends_[block];
    const auto damaged = [&] { fail("block " + std::to_string(block) + " is damaged"); };
    if (to < from + 4 || to > ends_.back()) damaged();
    const u64 size = to - from - 4;
    const auto packed = read(sizeof(Header) + blocks_ * 8 + 4 + from, size + 4);
    u32 crc;
    std::memcpy(&crc, packed.data() + size, 4);
    if (crc != crc32(packed.data(), size)) damaged();
    const u64 side = blocks_per_side(count_), first = block % side * kBlock;
    auto codes = std::make_unique<u8[]>(kBlock * u64(width_));
    if (!unpack(packed.data(), size, std::min(kBlock, count_ - first), width_, codes.get())) damaged();
    return codes;
}

Code Archive::at(TableKind table, Color turn, u64 index) {
    const u64 block = (u64(order_[table]) * 2 + turn) * blocks_per_side(count_) + index / kBlock;
    const auto read = [&](const u8* codes) {
        const u64 i = index % kBlock;
        return width_ == 1 ? Code(codes[i]) : Code(codes[2 * i] | codes[2 * i + 1] << 8);
    };
    if (const u8* codes = cache_[block].load(std::memory_order_acquire)) return read(codes);
    auto fresh = unpacked(block);
    const Code code = read(fresh.get());
    const u64 cost = kBlock * u64(width_);
    u64 left = budget.load();
    while (left >= cost && !budget.compare_exchange_weak(left, left - cost)) {
    }
    if (left < cost) return code;  // nothing more is kept
    const u8* expected = nullptr;
    if (cache_[block].compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel))
        fresh.release();
    else
        budget += cost;
    return code;
}

void Archive::expand(Slice& s, int threads) {
    s.allocate(width_);
    const u64 side = blocks_per_side(count_);
    for_each_block(blocks_, threads, [&](u64 i) {
        int table = 0;
        while (!s.has(TableKind(table)) || order_[table] != int(i / (2 * side))) ++table;
        const u64 first = i % side * kBlock, count = std::min(kBlock, count_ - first);
        const auto codes = unpacked(i);
        std::memcpy(s.data[table][i / side % 2].get() + first * u64(width_), codes.get(), count * u64(width_));
    });
    s.filled = true;
}

void Archive::check(int threads) {
    for_each_block(blocks_, threads, [&](u64 i) { (void)unpacked(i); });
}

}  // namespace damas::tablebase
