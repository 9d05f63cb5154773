// The transposition table: 16-byte entries in clusters of four, one cluster a cache line. Threads share it without
// locks: an entry's key is stored mixed with its data, so that a half-written one is recognised and ignored.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "damas/bits.hpp"

namespace damas::search {

using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

enum class Bound : u8 { None, Upper, Lower, Exact };  // a set of bits: Exact is both
constexpr u16 kNoMove = 0xffff;
constexpr i16 kNoScore = 0x7fff;

struct Entry {
    u16 move = kNoMove;  // index into the generator's list, which is the same everywhere
    i16 score = 0;
    i16 standing = kNoScore;  // the static score, if it was asked for
    u8 depth = 0;
    Bound bound = Bound::None;
};

class HashTable {
public:
    /// The largest power of two of clusters that fits; at least 64 KiB.
    explicit HashTable(std::size_t bytes) {
        while (clusters_ * 2 * sizeof(Cluster) <= bytes) clusters_ *= 2;
        store_ = allocate(clusters_);
        clear();
    }
    void clear() {
        for (std::size_t i = 0; i < clusters_; ++i)
            for (Slot& slot : store_[i].slots) {
                slot.check.store(0, std::memory_order_relaxed);
                slot.data.store(0, std::memory_order_relaxed);
            }
        age_ = 0;
    }
    /// A new search begins: older entries are the first to go.
    void grow_old() { age_ = (age_ + 1) & 63; }

    void prefetch(u64 key) const { damas::prefetch(&store_[key & (clusters_ - 1)]); }

    bool find(u64 key, Entry& out) const {
        for (const Slot& slot : store_[key & (clusters_ - 1)].slots) {
            const u64 data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) == key && data) {
                out = unpack(data);
                return true;
            }
        }
        return false;
    }

    void keep(u64 key, const Entry& entry) {
        Cluster& cluster = store_[key & (clusters_ - 1)];
        Slot* worst = nullptr;
        int worst_value = 1 << 30;
        for (Slot& slot : cluster.slots) {
            const u64 data = slot.data.load(std::memory_order_relaxed);
            if ((slot.check.load(std::memory_order_relaxed) ^ data) == key || !data) {
                worst = &slot;
                break;
            }
            const int value = int(u8(data >> 48)) - 8 * int((age_ - u8(data >> 58)) & 63);
            if (value < worst_value) {
                worst_value = value;
                worst = &slot;
            }
        }
        const u64 data = pack(entry);
        worst->check.store(key ^ data, std::memory_order_relaxed);
        worst->data.store(data, std::memory_order_relaxed);
    }

    /// Thousandths of the table that this search has filled, from a sample.
    int full() const {
        int used = 0;
        for (std::size_t i = 0; i < 250; ++i)
            for (const Slot& slot : store_[i].slots) {
                const u64 data = slot.data.load(std::memory_order_relaxed);
                used += data && u8(data >> 58) == age_;
            }
        return used;
    }

private:
    struct Slot {
        std::atomic<u64> check, data;
    };
    struct alignas(64) Cluster {
        Slot slots[4];
    };

    struct Free {
        Free() : Free(std::align_val_t(alignof(std::max_align_t))) {}
        explicit Free(std::align_val_t boundary) : aligned(boundary) {}
        std::align_val_t aligned;
        void operator()(Cluster* clusters) const { ::operator delete(clusters, aligned); }
    };
    /// Entries are asked for all over the table: without large pages the processor spends half its time looking up
    /// where their memory is.
    static std::unique_ptr<Cluster[], Free> allocate(std::size_t clusters) {
        constexpr std::size_t kPage = std::size_t(2) << 20;
        const std::size_t bytes = clusters * sizeof(Cluster), aligned = bytes < kPage ? sizeof(Cluster) : kPage;
        void* memory = ::operator new(bytes, std::align_val_t(aligned));
#ifdef MADV_HUGEPAGE
        if (aligned == kPage) madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: nothing depends on it
#endif
        return std::unique_ptr<Cluster[], Free>(new (memory) Cluster[clusters], Free(std::align_val_t(aligned)));
    }

    u64 pack(const Entry& e) const {
        return u64(e.move) | u64(u16(e.score)) << 16 | u64(u16(e.standing)) << 32 | u64(e.depth) << 48 |
               u64(u8(e.bound)) << 56 | u64(age_) << 58;
    }
    static Entry unpack(u64 d) {
        return {u16(d), i16(u16(d >> 16)), i16(u16(d >> 32)), u8(d >> 48), Bound(u8(d >> 56) & 3)};
    }

    std::unique_ptr<Cluster[], Free> store_;
    std::size_t clusters_ = 1024;
    u8 age_ = 0;
};

}  // namespace damas::search
