#define DAMAS_ISA baseline
#include <algorithm>
#include <cstdlib>
#include <new>

#include "archive.hpp"
#include "damas/threads.hpp"
#include "ranks.hpp"

namespace damas::tablebase {

namespace baseline {
bool solve(EndgameTables&, Slice&, int, Progress&);
}
#ifdef DAMAS_X86_64_V3
namespace x86_64_v3 {
bool solve(EndgameTables&, Slice&, int, Progress&);
}
#endif

namespace {
constexpr baseline::Frame kFrame8 = baseline::Frame::of<Board8>();
constexpr baseline::Frame kFrame10 = baseline::Frame::of<Board10>();

const baseline::Frame& frame(const Ruleset& rules) { return rules.size == 8 ? kFrame8 : kFrame10; }

baseline::View view(const Board& b) {
    return {{b.men[White].low, b.men[Black].low}, {b.kings[White].low, b.kings[Black].low}, b.turn};
}
}  // namespace

void Slice::Free::operator()(u8* p) const { std::free(p); }

void Slice::allocate(int bytes) {
    width = bytes;
    for (int t = 0; t < kTableKinds; ++t)
        for (int c = 0; c < 2; ++c) {
            data[t][c].reset();
            if (!has(TableKind(t))) continue;
            data[t][c].reset(static_cast<u8*>(std::calloc(size(), std::size_t(bytes))));
            if (!data[t][c]) raise(std::bad_alloc());
        }
}

void Slice::release() {
    filled = false;
    for (auto& table : data)
        for (auto& side : table) side.reset();
}

EndgameTables::EndgameTables(const Ruleset& r, bool interpreted, std::string key)
    : rules(r), kernel(kernel_for(r, interpreted)), key_(std::move(key)), slices_(std::size_t(1) << 16) {}
EndgameTables::~EndgameTables() = default;

Slice& EndgameTables::declare(const Material& m, const Law& law) {
    const auto& f = frame(rules);
    auto& slot = slices_[std::size_t(m.id())];
    slot = std::make_unique<Slice>();
    slot->material = m;
    slot->law = law;
    slot->white_men = baseline::choose(popcount(f.men[White]), m.men[White]);
    slot->black_men = baseline::choose(popcount(f.men[Black]), m.men[Black]);
    const int free = popcount(f.board) - m.men[White] - m.men[Black];
    slot->placements = baseline::choose(free, m.kings[White]) * baseline::choose(free - m.kings[White], m.kings[Black]);
    return *slot;
}

bool EndgameTables::solve(const Material& m, int threads, Progress& progress) {
    Slice& slice = *find(m);
#ifdef DAMAS_X86_64_V3
    if (modern_processor()) return x86_64_v3::solve(*this, slice, threads, progress);
#endif
    return baseline::solve(*this, slice, threads, progress);
}

void EndgameTables::save(const Material& m, const std::string& path, int threads) const {
    write_archive(*find(m), key_, path, threads);
}

void EndgameTables::open(const Material& m, const std::string& path) {
    archives_[m.id()] = std::make_unique<Archive>(*find(m), key_, path);
}

void EndgameTables::load(const Material& m, int threads) { archives_.at(m.id())->expand(*find(m), threads); }

void EndgameTables::check(const Material& m, int threads) { archives_.at(m.id())->check(threads); }

bool EndgameTables::available(const Material& m) const {
    const Slice* s = find(m);
    return s && (s->filled || archives_.count(m.id()));
}

Place EndgameTables::place(const Board& b) const {
    auto v = view(b);
    const Material m = baseline::normalise(frame(rules), v);
    const Slice* s = m.pieces() <= kMaxPieces ? find(m) : nullptr;
    return {m, v.turn, s ? baseline::index_of(frame(rules), *s, v) : 0};
}

Board EndgameTables::board(const Place& place) const {
    const auto& f = frame(rules);
    const Slice& s = *find(place.material);
    const u64 unit = place.index / s.placements, kings = place.index % s.placements;
    Board b;
    b.turn = place.turn;
    b.men[White].low = baseline::unrank(unit / s.black_men, s.material.men[White], f.men[White]);
    b.men[Black].low = baseline::unrank(unit % s.black_men, s.material.men[Black], f.men[Black]);
    const u64 free = f.board & ~b.men[White].low & ~b.men[Black].low;
    const u64 under =
        baseline::choose(popcount(f.board) - s.material.men[White] - s.material.men[Black] - s.material.kings[White],
                         s.material.kings[Black]);
    if (b.men[White].low & b.men[Black].low) return b;  // a hole: no such position
    b.kings[White].low = baseline::unrank(kings / under, s.material.kings[White], free);
    b.kings[Black].low = baseline::unrank(kings % under, s.material.kings[Black], free & ~b.kings[White].low);
    return b;
}

bool EndgameTables::probe(const Board& b, TableKind table, Code& code) const {
    if (!(b.men[b.turn].any() || b.kings[b.turn].any())) {
        code = kLostNow;
        return true;
    }
    auto v = view(b);
    const Material m = baseline::normalise(frame(rules), v);
    if (m.pieces() > kMaxPieces) return false;
    const Slice* s = find(m);
    if (!s || !s->has(table)) return false;
    const u64 index = baseline::index_of(frame(rules), *s, v);
    if (s->filled)
        code = s->at(table, v.turn, index);
    else if (const auto archive = archives_.find(m.id()); archive != archives_.end())
        code = archive->second->at(table, v.turn, index);
    else
        return false;
    return true;
}

std::vector<Tally> EndgameTables::tally(const Material& m) const {
    const auto& f = frame(rules);
    const Slice& s = *find(m);
    // A material and its opposite, White to move in both; a mirrored one is its own opposite.
    std::vector<Tally> found(m.mirrored() ? 1 : 2);
    found[0].material = m;
    if (!m.mirrored()) found[1].material = m.opposite();
    for (u64 w = 0; w < s.white_men; ++w)
        for (u64 b = 0; b < s.black_men; ++b) {
            const u64 white = baseline::unrank(w, m.men[White], f.men[White]);
            const u64 black = baseline::unrank(b, m.men[Black], f.men[Black]);
            if (white & black) continue;
            const u64 image = f.turned(black);
            if (m.mirrored() && white > image) continue;
            for (int c = 0; c < 2; ++c) {
                if (m.mirrored() && c == Black && white == image) continue;  // the same positions again
                Tally& t = found[m.mirrored() ? 0 : std::size_t(c)];
                const u64 first = (w * s.black_men + b) * s.placements;
                for (u64 i = first; i < first + s.placements; ++i)
                    for (int limited = 0; limited < 2; ++limited) {
                        const Code code = s.at(TableKind(limited), Color(c), i);
                        (is_win(code) ? t.wins : is_loss(code) ? t.losses : t.draws)[limited]++;
                        if (code != kDraw && distance(code) > t.longest[limited]) {
                            t.longest[limited] = distance(code);
                            t.longest_index[limited] = i;
                            t.longest_turn[limited] = Color(c);
                        }
                    }
            }
        }
    return found;
}

}  // namespace damas::tablebase
