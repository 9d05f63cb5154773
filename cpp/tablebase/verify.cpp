// The proof of a table: every position is derived once more from the values after each of its moves. It walks forward
// with the ordinary legal moves, counts as the arbiter does, and shares nothing with the solver but the stored values.
//
// Such local agreement is enough where a distance is stored: wins and losses follow by induction on it, and a drawn
// position has no move that wins and one that keeps the draw, so the draw can be kept for ever. Where endless play goes
// to the side with more pieces there is no distance, and a ring of positions may agree on a value that none of them
// reaches. There everything that is not what endless play gives is followed to its end: see `founded`.
#include <algorithm>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "damas/tablebase.hpp"

namespace damas::tablebase {

namespace {

constexpr std::size_t kMaxMismatches = 100;  // reported for one material

bool is_same(Code one, Code other) { return is_win(one) == is_win(other) && is_loss(one) == is_loss(other); }

struct Squares {
    std::vector<int> bits;       // of the whole board
    std::vector<bool> crown[2];  // where a man of each colour would be crowned
    Bits diagonal;
};

Squares squares_of(const Ruleset& rules) {
    Squares s;
    for (int row = 0; row < rules.size; ++row)
        for (int column = row % 2; column < rules.size; column += 2) {
            const int bit = ((rules.size + 1) * row + column) / 2;
            s.bits.push_back(bit);
            s.crown[White].push_back(row == rules.size - 1);
            s.crown[Black].push_back(row == 0);
            if (row == column) s.diagonal.set(bit);
        }
    return s;
}

class Verifier {
public:
    Verifier(const EndgameTables& tables, const Material& m) : tables_(tables), squares_(squares_of(tables.rules)) {
        law_ = tables.find(m)->law;
    }

    /// Checks one board of the material, White being the stronger side.
    void look(const Board& board, std::vector<Mismatch>& out) {
        moves_.clear();
        legal_moves(tables_.kernel, board, false, moves_);
        compare(board, Unlimited, unlimited(board), out);
        if (law_.endless_wins)
            endless(board, out);
        else {
            const bool on_diagonal = holds_diagonal(board);
            if (law_.starts) {
                compare(board, Started, counted(board, law_.started, true, -1), out);
                compare(board, Limited, on_diagonal ? stored(board, Started) : counted(board, law_.count, false, -1),
                        out);
            } else if (law_.diagonal && (board.kings[Black].low & squares_.diagonal.low))
                for (int held = 0; held < law_.diagonal; ++held)
                    compare(board, held_for(held), counted(board, law_.count, false, held), out);
            else
                compare(board, Limited, counted(board, law_.count, false, -1), out);
        }
    }

private:
    Code stored(const Board& b, TableKind t) const {
        Code code;
        if (!tables_.probe(b, t, code)) throw std::runtime_error("a position has no table");
        return code;
    }
    void compare(const Board& b, TableKind t, Code derived, std::vector<Mismatch>& out) {
        const Code code = stored(b, t);
        if (code != derived) out.push_back({b, t, code, derived});
    }
    Board next(const Board& b, const Move& m) const {
        return damas::after(b, m, squares_.bits[m.from], squares_.bits[m.to]);
    }
    bool holds_diagonal(const Board& b) const { return (b.kings[White].low & squares_.diagonal.low) != 0; }

    /// Whether the opponent can capture after each of the moves.
    bool cannot_avoid_capture(const Board& b) const {
        return std::all_of(moves_.begin(), moves_.end(),
                           [&](const Move& move) { return tables_.kernel.captures(tables_.rules, next(b, move)); });
    }

    Code unlimited(const Board& b) const {
        if (moves_.empty()) return kLostNow;
        int win = -1, loss = 0;
        bool draw = false;
        for (const Move& m : moves_) {
            const Code code = stored(next(b, m), Unlimited);
            if (is_loss(code)) {
                if (win < 0 || distance(code) + 1 < win) win = distance(code) + 1;
            } else if (is_win(code))
                loss = std::max(loss, distance(code) + 1);
            else
                draw = true;
        }
        return win >= 0 ? won_in(win) : draw ? kDraw : lost_in(loss);
    }

    /// The ply with which a fresh count is complete, found by counting ply by ply: a decision no later than that is in
    /// time.
    int complete_after(const Count& count, Color turn) const {
        if (!count.law) return kNever;
        int plies = 0;
        for (int counted = 0; counted < count.need; turn = ~turn) {
            ++plies;
            if (!count.strong || turn == White) ++counted;
        }
        return plies;
    }
    static constexpr int kNever = 1 << 20;

    /// Under a count that is fresh: each move either ends the count, or uses one ply of it. `held`: for how many plies
    /// the weaker side has held the diagonal, -1 if it does not.
    Code counted(const Board& b, const Count& count, bool started, int held) const {
        if (moves_.empty()) return kLostNow;
        if (law_.immediate_draw && moves_.front().taken == 0 && !(law_.unavoidable && cannot_avoid_capture(b)))
            return kDraw;
        const int last = complete_after(count, b.turn);
        int win = -1, loss = 0;
        bool draw = false;
        for (const Move& m : moves_) {
            const Board after = next(b, m);
            const bool same_material = m.taken == 0 && !m.promotes;
            bool goes_on;  // the same count runs on after the move
            TableKind table = Limited;
            if (same_material) {
                goes_on = count.law ? !(!m.by_king && count.resets[OnManMove]) : m.by_king;
                if (started)
                    table = Started;
                else if (law_.starts && holds_diagonal(after))
                    goes_on = false;
            } else {
                const Slice* slice = slice_after(after);
                goes_on = slice && count.law && slice->law.count.law == count.law && !slice->law.starts && !started &&
                          !(m.taken && count.resets[OnCapture]) && !(!m.by_king && count.resets[OnManMove]) &&
                          !(m.promotes && count.resets[OnPromotion]);
            }
            Code code;
            if (held < 0 || !still_held(after))
                code = stored(after, table);
            else if (held + 1 < law_.diagonal)
                code = stored(after, held_for(held + 1));
            else
                code = tables_.kernel.count(tables_.rules, after) ? kDraw : kLostNow;
            const int plies = goes_on ? distance(code) + 1 : 1;
            // The end of the game on the board is in time whenever the move is.
            const bool in_time = plies <= last;
            if (is_loss(code) && in_time) {
                if (win < 0 || plies < win) win = plies;
            } else if (is_win(code) && in_time)
                loss = std::max(loss, plies);
            else
                draw = true;
        }
        return win >= 0 ? won_in(win) : draw ? kDraw : lost_in(loss);
    }

    bool still_held(const Board& b) const {
        const Slice* slice = slice_after(b);
        const Color weak = slice && slice->material.of(White) == b.men[White].count() + b.kings[White].count() &&
                                   slice->material.kings[White] == b.kings[White].count()
                               ? Black
                               : White;
        return slice && slice->law.diagonal && (b.kings[weak].low & squares_.diagonal.low);
    }

    const Slice* slice_after(const Board& b) const {
        Material m{{u8(b.men[0].count()), u8(b.men[1].count())}, {u8(b.kings[0].count()), u8(b.kings[1].count())}};
        if (!m.of(White) || !m.of(Black)) return nullptr;
        return tables_.find(m.canonical() ? m : m.opposite());
    }

    /// Endless play goes to the side with more pieces: a value is the best of those after its moves.
    void endless(const Board& b, std::vector<Mismatch>& out) {
        bool win = false, draw = false;
        for (const Move& m : moves_) {
            const Code code = stored(next(b, m), Limited);
            win |= is_loss(code);
            draw |= code == kDraw;
        }
        compare(b, Limited, win ? kWon : draw ? kDraw : kLost, out);
    }

public:
    /// What endless play is worth to the side to move.
    Code of_endless_play(const Board& b) const {
        const int white = b.men[White].count() + b.kings[White].count();
        const int black = b.men[Black].count() + b.kings[Black].count();
        if (white == black) return kDraw;
        return (white > black) == (b.turn == White) ? kWon : kLost;
    }

    /// Whether the value of a board, better for one side than endless play, is one that this side reaches: by a move of
    /// its own, or whatever the other does, to boards of fewer pieces or men, or to boards already found to be so.
    template <class Found>
    bool founded(const Board& b, Code value, Found&& found) {
        moves_.clear();
        legal_moves(tables_.kernel, b, false, moves_);
        if (moves_.empty()) return true;
        const Code none = of_endless_play(b);
        const bool mover = is_win(value) || (value == kDraw && is_loss(none));  // the side to move has to reach it
        const Code wanted = is_win(value) ? kLost : is_loss(value) ? kWon : kDraw;
        for (const Move& m : moves_) {
            const Board after = next(b, m);
            const bool there = m.taken || m.promotes || found(after);
            if (mover && there && is_same(stored(after, Limited), wanted)) return true;
            if (!mover && !there) return false;
        }
        return !mover;
    }

private:
    const EndgameTables& tables_;
    const Squares squares_;
    Law law_;
    std::vector<Move> moves_;
};

/// Every value that is not what endless play gives must be reached: again and again all boards not yet found to be
/// founded are looked at, until that finds no more. What is left rests on itself alone.
void follow(const EndgameTables& tables, const Material& m, int threads, const Progress& progress,
            std::vector<Mismatch>& mismatches) {
    const Slice& slice = *tables.find(m);
    const u64 size = slice.size();
    std::vector<std::atomic<u8>> founded(2 * size);
    const auto cell = [&](const Board& b) -> std::atomic<u8>& {
        const Place place = tables.place(b);
        return founded[2 * place.index + place.turn];
    };
    std::vector<std::vector<Board>> waiting(std::size_t(threads), std::vector<Board>{});
    const auto value = [&](const Board& b) {
        Code code = kDraw;
        if (!tables.probe(b, Limited, code)) throw std::runtime_error("a position has no table");
        return code;
    };
    on_threads(threads, [&](int thread) {
        Verifier verifier(tables, m);
        for (u64 i = u64(thread); i < 2 * size && !progress.stop; i += u64(threads)) {
            const Board b = tables.board({m, Color(i % 2), i / 2});
            if (b.men[White].low & b.men[Black].low) continue;  // no such position
            const Place place = tables.place(b);
            if (place.index != i / 2 || place.turn != Color(i % 2)) continue;  // kept as its mirror image
            if (is_same(value(b), verifier.of_endless_play(b)))
                founded[i] = 1;
            else
                waiting[std::size_t(thread)].push_back(b);
        }
    });
    for (std::atomic<bool> more{true}; more && !progress.stop;) {
        more = false;
        on_threads(threads, [&](int thread) {
            Verifier verifier(tables, m);
            auto& mine = waiting[std::size_t(thread)];
            std::erase_if(mine, [&](const Board& b) {
                if (progress.stop) return false;
                const auto found = [&](const Board& after) {
                    return cell(after) && !is_same(value(after), verifier.of_endless_play(after));
                };
                if (!verifier.founded(b, value(b), found)) return false;
                cell(b) = 1;
                more = true;
                return true;
            });
        });
    }
    if (progress.stop) return;
    const Verifier verifier(tables, m);
    for (const auto& left : waiting)
        for (const Board& b : left)
            if (mismatches.size() < kMaxMismatches)
                mismatches.push_back({b, Limited, value(b), verifier.of_endless_play(b)});
}

}  // namespace

u64 EndgameTables::verify(const Material& m, u64 samples, int threads, Progress& progress,
                          std::vector<Mismatch>& mismatches) const {
    const Squares squares = squares_of(rules);
    const int n = int(squares.bits.size());
    std::mutex mutex;
    std::atomic<u64> looked{0};

    // Pieces in the order white men, white kings, black men, black kings, each kind on rising squares.
    const int kinds[4] = {m.men[White], m.kings[White], m.men[Black], m.kings[Black]};
    std::vector<int> kind;
    for (int k = 0; k < 4; ++k) kind.insert(kind.end(), std::size_t(kinds[k]), k);
    const auto put = [&](Board& b, int k, int square) {
        const auto color = Color(k / 2);
        if (k % 2 == 0 && squares.crown[color][std::size_t(square)]) return false;
        (k % 2 ? b.kings : b.men)[color].set(squares.bits[std::size_t(square)]);
        return true;
    };
    const auto both_turns = [&](Verifier& v, Board& b, std::vector<Mismatch>& found) {
        for (const Color turn : {White, Black}) {
            b.turn = turn;
            v.look(b, found);
        }
        looked += 2;
        progress.done += 2;
    };

    std::atomic<int> next{0};
    const auto work = [&](int thread) {
        Verifier verifier(*this, m);
        std::vector<Mismatch> found;
        if (samples) {
            u64 state = 0x9e3779b97f4a7c15u * u64(thread + 1) + u64(m.id());
            const auto random = [&](u64 below) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                return state % below;
            };
            const u64 share = (samples + u64(threads) - 1) / u64(threads);
            for (u64 mine = 0; mine < share && found.size() < kMaxMismatches && !progress.stop;) {
                Board b;
                u64 used = 0;
                bool good = true;
                for (const int k : kind) {
                    u64 square;
                    do square = random(u64(n));
                    while (used >> square & 1);
                    used |= u64(1) << square;
                    good = good && put(b, k, int(square));
                }
                if (!good) continue;
                both_turns(verifier, b, found);
                mine += 2;
            }
        } else {
            const std::function<void(std::size_t, int, u64, const Board&)> place = [&](std::size_t piece, int from,
                                                                                       u64 used, const Board& b) {
                if (progress.stop || found.size() >= kMaxMismatches) return;
                if (piece == kind.size()) {
                    Board whole = b;
                    both_turns(verifier, whole, found);
                    return;
                }
                for (int square = from; square < n; ++square) {
                    if (used >> square & 1) continue;
                    Board more = b;
                    if (!put(more, kind[piece], square)) continue;
                    const bool same = piece + 1 < kind.size() && kind[piece + 1] == kind[piece];
                    place(piece + 1, same ? square + 1 : 0, used | u64(1) << square, more);
                }
            };
            // One first square at a time for each thread.
            for (int first; (first = next++) < n;) {
                Board b;
                if (!put(b, kind[0], first)) continue;
                const bool same = kind.size() > 1 && kind[1] == kind[0];
                place(1, same ? first + 1 : 0, u64(1) << first, b);
            }
        }
        const std::lock_guard lock(mutex);
        mismatches.insert(mismatches.end(), found.begin(), found.end());
    };
    on_threads(threads, work);
    if (!samples && find(m)->law.endless_wins && mismatches.empty() && !progress.stop)
        follow(*this, m, threads, progress, mismatches);
    return looked;
}

}  // namespace damas::tablebase
