#include "game_state.hpp"

#include <algorithm>

namespace damas::laws {

namespace {

constexpr int kShortestRound = 4;  // plies in which a position can come back: each side goes away and returns

bool meet(const Bits& a, const Bits& b) { return (a.low & b.low) | (a.high & b.high); }

Scene scene_of(const Rules& rules, const Board& b) {
    return {{{b.men[White].count(), b.men[Black].count()}, {b.kings[White].count(), b.kings[Black].count()}},
            {meet(b.kings[White], rules.main_diagonal), meet(b.kings[Black], rules.main_diagonal)},
            White,
            ~b.turn};
}

/// Whether the limit is silent here, because of a capture.
bool silenced(Unless unless, const Rules& rules, const Board& board) {
    const auto captures = [&](const Board& b) { return rules.kernel->captures(rules.ruleset, b); };
    if (unless == Unless::Never) return false;
    if (captures(board)) return true;
    if (unless == Unless::CaptureDue) return false;
    thread_local std::vector<Move> moves;
    moves.clear();
    rules.kernel->quiet(rules.ruleset, board, moves);
    return std::all_of(moves.begin(), moves.end(), [&](const Move& move) {
        return captures(after(board, move, rules.bit_of_square[move.from], rules.bit_of_square[move.to]));
    });
}

/// How many runs of the most repeated cycle end here, and its length; 0 if none has been repeated.
Progress longest_cycle(const GameState& s, const u64* key, int need) {
    Progress best{0, need};
    for (int length = kShortestRound; length <= s.reversible / 2; length += 2) {
        if (key[-length] != *key) continue;
        // Since the last irreversible ply two positions tell the move between them.
        int same = 0;
        while (same + length < s.reversible && key[-same - 1] == key[-same - 1 - length]) ++same;
        const int runs = 1 + same / length;
        if (runs > 1 && runs > best.have) best = {runs, need, length};
    }
    return best;
}

}  // namespace

GameState begin(const Laws& laws, const Rules& rules, const Board& start, bool recorded) {
    GameState state;
    state.counters = begin(laws, scene_of(rules, start), recorded);
    return state;
}

GameState advance(const Laws& laws, const Rules& rules, const GameState& before, const Played& played,
                  const Board& board, const u64* key) {
    GameState state = before;
    ++state.ply;
    state.counters =
        advance(laws, before.counters, {played.capture, played.by_king, played.promotes}, scene_of(rules, board));
    // In turca men also go sideways, and can be driven back.
    const int squares_a_row = rules.squares / rules.ruleset.size;
    const bool same_row = played.from / squares_a_row == played.to / squares_a_row;
    state.reversible = !played.capture && (played.by_king || same_row) ? before.reversible + 1 : 0;
    state.times = 1;
    for (int i = kShortestRound; i <= state.reversible; i += 2) state.times += key[-i] == *key;
    KingRun& run = state.runs[~board.turn];
    if (played.capture || !played.by_king)
        run.moves = 0;
    else {
        run.moves = run.moves && run.square == played.from ? run.moves + 1 : 1;
        run.square = played.to;
    }
    return state;
}

std::optional<Progress> progress(const Laws& laws, const Rules& rules, const GameState& s, const Board& board,
                                 const u64* key, int index) {
    const Law& law = laws.laws[std::size_t(index)];
    if (law.off_during >= 0 && progress(laws, rules, s, board, key, law.off_during)) return {};
    switch (law.kind) {
        case Kind::Length: return Progress{s.ply, law.need};
        case Kind::Repetition:
            if (s.times < 2 && law.need > 1) return {};
            return Progress{s.times, law.need};
        case Kind::Cycle: {
            if (s.times < 2) return {};
            const Progress longest = longest_cycle(s, key, law.need);
            if (!longest.have) return {};
            return longest;
        }
        case Kind::Limit: break;
    }
    if (!s.counters.counting(law.limit)) return {};
    if (silenced(laws.limits[std::size_t(law.limit)].unless, rules, board)) return {};
    return Progress{s.counters.counts[law.limit], law.need};
}

int ended_by(const Laws& laws, const Rules& rules, const GameState& s, const Board& board, const u64* key,
             const Customs& customs) {
    for (int i = 0; i < int(laws.laws.size()); ++i) {
        const Law& law = laws.laws[std::size_t(i)];
        if (law.platform && !customs.platform_rules) continue;
        if (law.kind == Kind::Limit && s.counters.counts[law.limit] < law.need) continue;
        if (laws.waits_for_claim(law, customs)) continue;
        const auto found = progress(laws, rules, s, board, key, i);
        if (found && found->have >= found->need) return i;
    }
    return kGoesOn;
}

int resting_king(const Laws& laws, const GameState& s, const Board& board, int rule) {
    const KingRun& run = s.runs[board.turn];
    const int limit = laws.rests[std::size_t(rule)];
    return run.moves >= limit && run.moves && board.men[board.turn].any() ? run.square : kNoKing;
}

int resting_king(const Laws& laws, const GameState& s, const Board& board) {
    for (int i = 0; i < int(laws.rests.size()); ++i)
        if (const int square = resting_king(laws, s, board, i); square != kNoKing) return square;
    return kNoKing;
}

}  // namespace damas::laws
