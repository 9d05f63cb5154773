#include "endings.hpp"

#include "tablebase/archive.hpp"

namespace damas::search {

using namespace tablebase;

namespace {
constexpr int kFar = 800;  // endless play that wins has no distance

Verdict verdict_of(Code code) {
    return {code == kDraw ? 0 : is_win(code) ? 1 : -1, code == kDraw ? 0 : distance(code)};
}
}  // namespace

void Endings::add(const tablebase::Material& material, const Counted& counted) {
    counted_[std::size_t(material.id())] = counted;
    counted_[std::size_t(material.id())].there = true;
}

bool Endings::ask(const Board& board, const laws::Counters& counters, Verdict& out) const {
#ifdef __wasm__  // its tables are all in memory
    return look_up(board, counters, out);
#else
    try {
        return look_up(board, counters, out);
    } catch (const Damaged&) {
        return false;  // a damaged file never answers; commands that read the file itself report it
    }
#endif
}

bool Endings::look_up(const Board& board, const laws::Counters& counters, Verdict& out) const {
    const Place place = tables_.place(board);
    if (place.material.pieces() > kMaxPieces || !place.material.of(Black)) return false;
    const Counted& counted = counted_[std::size_t(place.material.id())];
    if (!counted.there) return false;
    const Law& law = tables_.find(place.material)->law;
    Code code;
    if (law.endless_wins) {
        if (!tables_.probe(board, Limited, code)) return false;
        out = verdict_of(code);
        Code free;
        if (out.wdl) {
            if (!tables_.probe(board, Unlimited, free)) return false;
            out.distance = verdict_of(free).wdl == out.wdl ? distance(free) : kFar;
        }
        return true;
    }
    tablebase::TableKind table = Limited;
    int in_force = counted.count;
    if (counted.started >= 0 && counters.counting(counted.started)) {
        table = Started;
        in_force = counted.started;
    } else if (counted.diagonal >= 0 && counters.counts[counted.diagonal] > 0)
        table = held_for(counters.counts[counted.diagonal]);
    if (!tables_.probe(board, table, code)) return false;
    out = verdict_of(code);
    if (!out.wdl) return true;
    const bool strong_to_move = place.turn == White;  // the stronger side is White in what is stored
    for (int i = 0; i < int(laws_.limits.size()); ++i) {
        const laws::Limit& limit = laws_.limits[std::size_t(i)];
        if (!counters.counting(i) || (i != in_force && (counted.inside >> i & 1))) continue;
        if (limit.off_during >= 0 && counters.counting(limit.off_during)) continue;
        const int spent = !limit.strong_only ? out.distance : strong_moves(out.distance, strong_to_move);
        if (counters.counts[i] + spent <= limit.need) continue;
        if (i != in_force) return false;
        out = {0, 0};
        return true;
    }
    return true;
}

}  // namespace damas::search
