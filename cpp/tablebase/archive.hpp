// A slice on disk: a header, the place of every block, and blocks of packed codes, each with its checksum.
// Blocks are read and unpacked when first asked for, and kept; a damaged one never answers. Files are read and not
// mapped, so that one cut short while it is in use is reported as any other.
#pragma once
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "damas/tablebase.hpp"
#include "damas/threads.hpp"

namespace damas::tablebase {

/// A file that is not what it should be; says where.
struct Damaged : std::runtime_error {
    using runtime_error::runtime_error;
};

/// A file that could not be written; `error` is the system's number for why.
struct NotWritten : std::runtime_error {
    NotWritten(const std::string& path, int number) : runtime_error(path), error(number) {}
    int error;
};

/// `key`: 32 bytes, the hash of the rules that the values obey. Throws NotWritten.
void write_archive(const Slice& slice, const std::string& key, const std::string& path, int threads);

class Archive {
public:
    /// Checks header and length; throws Damaged. `slice` says what is expected.
    Archive(const Slice& slice, const std::string& key, const std::string& path);
    ~Archive();
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    Code at(TableKind table, Color turn, u64 index);
    /// Unpacks everything into the slice.
    void expand(Slice& slice, int threads);
    /// Reads every block and checks it.
    void check(int threads);
    int width() const { return width_; }

    /// Unpacked blocks that all archives of this process may keep, in bytes.
    static std::atomic<u64> budget;

private:
    std::unique_ptr<u8[]> unpacked(u64 block) const;
    std::vector<u8> read(u64 from, u64 bytes) const;
    [[noreturn]] void fail(const std::string& what) const { raise(Damaged(path_ + ": " + what)); }

    std::string path_;
    u64 count_ = 0, blocks_ = 0;
    int width_ = 1, order_[kTableKinds] = {};
    u64 size_ = 0;           // bytes of the whole file
    std::vector<u64> ends_;  // of every block, from the first
    std::unique_ptr<std::atomic<const u8*>[]> cache_;
};

}  // namespace damas::tablebase
