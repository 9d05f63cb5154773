#include "codec.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace damas::tablebase {

namespace {

constexpr int kBits = 12, kRate = 4;
constexpr u32 kTop = 1u << 24;

/// The probability that the next bit is 0, out of 4096.
using Chance = u16;
constexpr Chance kEven = 1 << (kBits - 1);

class Encoder {
public:
    explicit Encoder(std::vector<u8>& out) : out_(out) {}
    void put(bool bit, Chance& chance) {
        const u32 bound = (range_ >> kBits) * chance;
        if (bit) {
            low_ += bound;
            range_ -= bound;
            chance = Chance(chance - (chance >> kRate));
        } else {
            range_ = bound;
            chance = Chance(chance + (((1 << kBits) - chance) >> kRate));
        }
        while (range_ < kTop) {
            range_ <<= 8;
            shift();
        }
    }
    void finish() {
        for (int i = 0; i < 5; ++i) shift();
    }

private:
    void shift() {
        if (u32(low_) < 0xff000000u || low_ >> 32) {
            const u8 carry = u8(low_ >> 32);
            if (started_) out_.push_back(u8(cache_ + carry));
            for (; pending_; --pending_) out_.push_back(u8(0xff + carry));
            cache_ = u8(low_ >> 24);
            started_ = true;
        } else
            ++pending_;
        low_ = (low_ & 0x00ffffffu) << 8;
    }
    std::vector<u8>& out_;
    u64 low_ = 0;
    u32 range_ = 0xffffffffu;
    u8 cache_ = 0;
    u64 pending_ = 0;
    bool started_ = false;
};

class Decoder {
public:
    Decoder(const u8* bytes, std::size_t size) : at_(bytes), end_(bytes + size) {
        for (int i = 0; i < 4; ++i) code_ = code_ << 8 | byte();
    }
    bool get(Chance& chance) {
        const u32 bound = (range_ >> kBits) * chance;
        bool bit;
        if (code_ < bound) {
            range_ = bound;
            chance = Chance(chance + (((1 << kBits) - chance) >> kRate));
            bit = false;
        } else {
            code_ -= bound;
            range_ -= bound;
            chance = Chance(chance - (chance >> kRate));
            bit = true;
        }
        while (range_ < kTop) {
            range_ <<= 8;
            code_ = code_ << 8 | byte();
        }
        return bit;
    }
    /// Read to the end and not beyond it.
    bool whole() const { return !beyond_ && at_ == end_; }

private:
    u32 byte() {
        if (at_ == end_) {
            beyond_ = true;
            return 0;
        }
        return *at_++;
    }
    const u8 *at_, *end_;
    u32 range_ = 0xffffffffu, code_ = 0;
    bool beyond_ = false;
};

/// The contexts of the coder with their adaptive probabilities.
struct Model {
    std::array<std::array<Chance, 8>, 512> repeats;
    std::array<std::array<Chance, 512>, 3> high, low;  // the first node of a tree of 256 leaves is 1
    unsigned previous = 0, run = 0;

    Model() {
        for (auto& row : repeats) row.fill(kEven);
        for (auto& row : high) row.fill(kEven);
        for (auto& row : low) row.fill(kEven);
    }
    std::size_t kind() const { return previous == 0 ? 0 : 1 + previous % 2; }
    Chance& repeat() { return repeats[previous & 511][std::min(7u, unsigned(std::bit_width(run)))]; }
    void saw(unsigned code) {
        run = code == previous ? run + 1 : 0;
        previous = code;
    }
};

template <class Ask>
void code_all(std::size_t count, Ask&& ask) {
    Model m;
    for (std::size_t i = 0; i < count; ++i) m.saw(ask(m, i));
}

unsigned load(const u8* codes, std::size_t i, int width) {
    return width == 1 ? codes[i] : unsigned(codes[2 * i] | codes[2 * i + 1] << 8);
}

}  // namespace

void pack(const u8* codes, std::size_t count, int width, std::vector<u8>& out) {
    Encoder to(out);
    const auto tree = [&](std::array<Chance, 512>& chances, unsigned byte) {
        unsigned node = 1;
        for (int b = 7; b >= 0; --b) {
            const bool bit = byte >> b & 1;
            to.put(bit, chances[node]);
            node = node * 2 + bit;
        }
    };
    code_all(count, [&](Model& m, std::size_t i) {
        const unsigned code = load(codes, i, width);
        to.put(code == m.previous, m.repeat());
        if (code != m.previous) {
            if (width == 2) tree(m.high[m.kind()], code >> 8);
            tree(m.low[m.kind()], code & 255);
        }
        return code;
    });
    to.finish();
}

bool unpack(const u8* bytes, std::size_t size, std::size_t count, int width, u8* codes) {
    Decoder from(bytes, size);
    const auto tree = [&](std::array<Chance, 512>& chances) {
        unsigned node = 1;
        while (node < 256) node = node * 2 + from.get(chances[node]);
        return node - 256;
    };
    code_all(count, [&](Model& m, std::size_t i) {
        unsigned code = m.previous;
        if (!from.get(m.repeat())) {
            code = width == 2 ? tree(m.high[m.kind()]) << 8 : 0;
            code |= tree(m.low[m.kind()]);
        }
        if (width == 1)
            codes[i] = u8(code);
        else {
            codes[2 * i] = u8(code);
            codes[2 * i + 1] = u8(code >> 8);
        }
        return code;
    });
    return from.whole();
}

u32 crc32(const u8* bytes, std::size_t size, u32 start) {
    static const auto table = [] {
        std::array<u32, 256> t{};
        for (u32 i = 0; i < 256; ++i) {
            u32 c = i;
            for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
            t[i] = c;
        }
        return t;
    }();
    u32 c = ~start;
    for (std::size_t i = 0; i < size; ++i) c = table[(c ^ bytes[i]) & 255] ^ c >> 8;
    return ~c;
}

}  // namespace damas::tablebase
