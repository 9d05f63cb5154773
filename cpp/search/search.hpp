// Alpha-beta for one board and one set of rules. One object is one thread.
//
// Captures are compulsory, so a position with a capture pending is never scored as it stands: the quiescence plays
// them all. Having to move is often the whole problem, so there is no null move.
#pragma once
#include <algorithm>
#include <cmath>

#include "damas/movegen.hpp"
#include "damas/perft.hpp"
#include "eval/infer.hpp"
#include "eval/material.hpp"
#include "job.hpp"
#include "view.hpp"

namespace damas::DAMAS_ISA {

namespace search {
using namespace damas::search;
using namespace damas::laws;

constexpr int kNearLimit = 24;   // so many counted plies before a limit, its count becomes part of the position's key
constexpr int kThreatPlies = 1;  // full plies the quiescence grants a side that is threatened
constexpr int kMaxLine = 64;
constexpr int kRemembered = 1 << 15;  // static scores
constexpr u64 kNoEvaluator = ~u64(0);
constexpr int kLastIndex = 0x7fffffff;
constexpr int kUnsure = 32768;  // rate of a move without history: half of all cut-offs

template <class G, class R>
class Worker final : public Searcher {
    using Word = typename G::Word;
    using P = Pieces<Word>;
    using M = BitMove<Word>;
    using Moves = Results<Word, false>;

    struct Frame {
        P p;
        u64 key, table_key;
        Counters counters;
        u16 limits;      // bits of those that apply to the material
        int reversible;  // plies since which every earlier position may come back
        int line_length;
        M line[kMaxLine];
    };
    struct Root {
        M move;
        Score score, previous;
        Score proved;  // what it is worth if it is looked at again and that is not finished
        std::vector<M> line;
        u16 index;
    };

public:
    explicit Worker(const Ruleset& rules) : rules_(rules), r_(rules_as<R>(rules_)), frames_(kMaxPlies + 4) { forget(); }

    void forget() override {
        for (auto& side : history_)
            for (auto& from : side)
                for (u16& rate : from) rate = kUnsure;
        evaluator_ = kNoEvaluator;
    }

    Score standing(const Job& job, const Board& board) override {
        prepare(job);
        frames_[0].p = view_of<G>(board);
        frames_[0].key = key_of(frames_[0].p);
        return evaluate(0);
    }

    Report run(const Job& job, int thread) override {
        prepare(job);
        thread_ = thread;
        stopped_ = false;
        nodes_ = flushed_ = shared_nodes_ = hits_ = 0;
        deepest_ = 0;
        // Older cut-offs fade: they belong to other positions.
        for (auto& side : history_)
            for (auto& from : side)
                for (u16& rate : from) rate = u16((rate + kUnsure) / 2);
        replay(job.history);

        roots_.clear();
        Moves moves;
        generate(frames_[0].p, moves);
        u16 index = 0;
        const auto& only = job.limits.only;
        const auto allowed = [&](const M& move) {
            const Board next = board_of<G>(turned<G>(after<White>(frames_[0].p, move)), white_to_move_ ? Black : White);
            return only.empty() || std::find(only.begin(), only.end(), next) != only.end();
        };
        for (const M& move : moves.list) {
            if (allowed(move)) roots_.push_back({move, -kWin, -kWin, -kWin, {move}, index});
            ++index;
        }
        Report report;
        if (roots_.empty()) return report;
        report.over = ended(0, report.verdict);
        const int lines = std::clamp(job.limits.lines, 1, int(roots_.size()));

        double patience = 1;
        for (int depth = 1; depth <= std::min(job.limits.depth, kMaxDepth) && !stopped_; ++depth) {
            root_depth_ = depth;
            const int searched = std::min(depth + (thread & 1), kMaxDepth);
            for (Root& root : roots_) root.previous = root.proved = root.score;
            const Word best_before = roots_[0].move.captured;
            const int from_before = roots_[0].move.from, to_before = roots_[0].move.to;
            for (int k = 0; k < lines && !stopped_; ++k) aspire(searched, k, lines);
            // Of several lines an unfinished round says nothing; of one, it says which move it began with.
            if (thread_ == 0 && (!stopped_ || lines == 1)) {
                make_report(report, depth, lines);
                if (job.on_report && !stopped_) job.on_report(report);
            }
            if (stopped_) break;
            const bool same = roots_[0].move.captured == best_before && roots_[0].move.from == from_before &&
                              roots_[0].move.to == to_before;
            patience = depth == 1 ? 1 : same ? std::max(0.6, patience * 0.9) : std::min(2.0, patience * 1.2);
            if (thread_ == 0 && enough(patience, lines)) break;
        }
        flush();
        if (thread_ == 0) {
            job.stop->store(true, std::memory_order_relaxed);
            report.nodes = job.nodes->load(std::memory_order_relaxed);
        }
        return report;
    }

private:
    void prepare(const Job& job) {
        job_ = &job;
        const u64 evaluator = job.network ? job.network->checksum ^ u64(job.handicap.network_share) : 0;
        if (evaluator != evaluator_) {
            standing_.assign(kRemembered, 0);
            if (job.network) accumulators_.assign(frames_.size(), empty_accumulator<G>(*job.network));
        }
        evaluator_ = evaluator;
        network_ = job.network;
    }

    // --- the game so far -------------------------------------------------------------------------------------

    Scene scene(const P& p, bool white_to_move) const {
        const Word d = diagonal();
        return {{{popcount(p.men[0]), popcount(p.men[1])}, {popcount(p.kings[0]), popcount(p.kings[1])}},
                {(p.kings[0] & d) != 0, (p.kings[1] & d) != 0},
                white_to_move ? 0 : 1,
                1};
    }
    static constexpr Word diagonal() {
        Word d = 0;
        for (int i = 0; i < G::kSize; ++i) d |= Word(1) << G::bit(i, i);
        return d;
    }

    void replay(const History& history) {
        const int n = int(history.boards.size()) - 1;
        keys_.assign(std::size_t(n) + kMaxPlies + 8, 0);
        base_ = n;
        game_ply_ = history.ply;
        for (int i = 0; i <= n; ++i) keys_[std::size_t(i)] = key_of(view_of<G>(history.boards[std::size_t(i)]));
        Frame& root = frames_[0];
        root.p = view_of<G>(history.boards.back());
        root.key = keys_[std::size_t(n)];
        root.reversible = n;
        root.counters = history.counters;
        white_to_move_ = history.boards.back().turn == White;
        root.limits = job_->laws->by_material(scene(root.p, white_to_move_).material);
        root.table_key = table_key(root, game_ply_);
    }

    /// Near a limit the same position with another count is another position.
    u64 table_key(const Frame& f, int game_ply) const {
        u64 key = f.key;
        const auto& limits = job_->laws->limits;
        for (std::size_t i = 0; i < limits.size(); ++i)
            if (f.counters.counting(int(i)) && limits[i].need - f.counters.counts[i] <= kNearLimit)
                key ^= u64(f.counters.counts[i] + 1 + 512 * i) * 0x9e3779b97f4a7c15u;
        if (job_->laws->length && job_->laws->length - game_ply <= kNearLimit)
            key ^= u64(game_ply + 1) * 0xc2b2ae3d27d4eb4fu;
        return key;
    }

    /// `depth` is what is left after it: the quiescence does not ask the table.
    [[gnu::always_inline]] void play(int ply, const M& move, int depth) {
        const Frame& f = frames_[std::size_t(ply)];
        Frame& g = frames_[std::size_t(ply) + 1];
        const bool by_king = (f.p.kings[0] >> move.from & 1) != 0;
        g.p = turned<G>(after<White>(f.p, move));
        g.key = key_of(g.p);
        if (depth > 0) job_->hash_table->prefetch(g.key);
        const bool back = !move.captured && (by_king || sideways(move));
        g.reversible = back ? f.reversible + 1 : 0;
        if (!job_->laws->limits.empty()) {
            const Scene now = scene(g.p, white_to_move_ == ((ply & 1) != 0));
            g.limits = move.captured || move.promotes ? job_->laws->by_material(now.material) : f.limits;
            g.counters = advance(*job_->laws, g.limits, f.counters, {move.captured != 0, by_king, move.promotes}, now);
        }
        keys_[std::size_t(base_ + ply + 1)] = g.key;
        g.table_key = table_key(g, game_ply_ + ply + 1);
    }
    static bool sideways(const M& move) {
        return G::kAllSquares &&
               G::kLookups.square_of_bit[move.from] / G::kSize == G::kLookups.square_of_bit[move.to] / G::kSize;
    }

    Score by(Decides decides, const P& p, int ply) const {
        if (decides == Decides::Draw) return 0;
        const int more = popcount(p.men[0] | p.kings[0]) - popcount(p.men[1] | p.kings[1]);
        return more > 0 ? kLawWin - ply : more < 0 ? ply - kLawWin : 0;
    }

    /// Whether a law ends the game here; the end on the board comes before every draw.
    bool ended(int ply, Score& score) {
        const Frame& f = frames_[std::size_t(ply)];
        const Laws& laws = *job_->laws;
        const int limit =
            laws.limits.empty() ? -1 : complete(laws, f.counters, [&](Unless unless) { return silenced(unless, f.p); });
        const bool long_enough = laws.length && game_ply_ + ply >= laws.length;
        if ((limit >= 0 || long_enough) && can_move(f.p)) {
            score = by(limit >= 0 ? laws.limits[std::size_t(limit)].decides : laws.length_decides, f.p, ply);
            return true;
        }
        if (f.reversible >= 4) {
            // A position that comes back inside the line will come back again; before the root it must have its full
            // number. Without a law about repetition it counts as a draw.
            int seen = 0;
            const int off = laws.repetition_off_during;
            const bool repeating = laws.repetitions && !(off >= 0 && f.counters.counting(off));
            const u64* now = keys_.data() + base_ + ply;
            for (int i = 4; i <= f.reversible; i += 2)
                if (now[-i] == f.key) {
                    ++seen;
                    if (i < ply || (repeating && seen + 1 >= laws.repetitions)) {
                        score = by(laws.repetition, f.p, ply);
                        return true;
                    }
                }
        }
        return false;
    }

    /// Whether the endgame tables contain the position; then `score` is its value.
    bool probe_endgames(int ply, Score& score) {
        const Frame& f = frames_[std::size_t(ply)];
        const EndgameProbe& tables = job_->tables;
        if (!tables.ask || popcount(f.p.all()) > tables.pieces) return false;
        Verdict verdict;
        const Color turn = white_to_move_ == ((ply & 1) == 0) ? White : Black;
        if (!tables.ask(tables.context, board_of<G>(f.p, turn), f.counters, verdict)) return false;
        // A game of fixed length may end first.
        const int length = job_->laws->length;
        if (length && verdict.wdl && game_ply_ + ply + verdict.distance > length) return false;
        ++hits_;
        const Score won = kTableWin - ply - std::min(verdict.distance, 900);
        score = verdict.wdl > 0 ? won : verdict.wdl < 0 ? -won : 0;
        return true;
    }

    /// Whether a limit is silent here, because of a capture.
    [[gnu::noinline]] bool silenced(Unless unless, const P& p) const {
        if (can_capture<G, White>(r_, p)) return true;
        if (unless == Unless::CaptureDue) return false;
        bool unavoidable = true;
        each_quiet<G, White>(r_, p, [&](const M& move) {
            unavoidable = unavoidable && can_capture<G, White>(r_, turned<G>(after<White>(p, move)));
        });
        return unavoidable;
    }

    bool can_move(const P& p) const { return can_capture<G, White>(r_, p) || count_quiet<G, White>(r_, p) != 0; }

    // --- moves -----------------------------------------------------------------------------------------------

    /// All legal moves, always in the same order; true if they are captures.
    [[gnu::noinline]] bool generate(const P& p, Moves& out) const {
        Captures<G, R, White, Moves> captures(r_, p, out);
        if (captures.any()) {
            captures.generate();
            return true;
        }
        each_quiet<G, White>(r_, p, [&](const M& move) { out.list.push(move); });
        return false;
    }
    [[gnu::noinline]] bool threatened(const P& p) const { return can_capture<G, Black>(r_, p); }

    u16& rate(const P& p, const M& move) { return history_[(p.kings[0] >> move.from & 1) != 0][move.from][move.to]; }

    // --- evaluation ------------------------------------------------------------------------------------------

    Score evaluate(int ply) {
        const Frame& f = frames_[std::size_t(ply)];
        const Handicap& handicap = job_->handicap;
        Score score = 0;
        if (!network_)
            score = material<G>(r_.rules, f.p);
        else {
            // The last position scored at this ply was a sibling or a cousin; two plies ago the same side was to move.
            Accumulator<G>& here = accumulators_[std::size_t(ply)];
            score = infer<G>(*network_, f.p, here, ply >= 2 ? accumulators_[std::size_t(ply) - 2] : here);
            if (handicap.network_share != 256)
                score = (handicap.network_share * score + (256 - handicap.network_share) * material<G>(r_.rules, f.p)) /
                        256;
        }
        if (handicap.noise) {
            u64 h = (f.key ^ handicap.seed) * 0xd6e8feb86659fd93u;
            h ^= h >> 32;
            h *= 0xd6e8feb86659fd93u;
            // Four bytes: mean 510, deviation 148.
            const int sum = int(h >> 56) + int(h >> 48 & 255) + int(h >> 40 & 255) + int(h >> 32 & 255);
            score += (sum - 510) * handicap.noise / 148;
        }
        return std::clamp(score, -kMaxStanding, kMaxStanding);
    }

    // --- the tree --------------------------------------------------------------------------------------------

    /// True when the search must end at once.
    [[gnu::always_inline]] bool check() {
        ++nodes_;
        if (job_->limits.nodes && nodes_ + shared_nodes_ >= job_->limits.nodes && root_depth_ > 1) stopped_ = true;
        if ((nodes_ & 511) == 0) look_up();
        return stopped_;
    }
    [[gnu::noinline, gnu::cold]] void look_up() {
        // The first round is always finished: it is short, and every line has a score after it.
        if (root_depth_ > 1 && job_->stop->load(std::memory_order_relaxed)) stopped_ = true;
        if (root_depth_ > 1 && job_->interrupted && job_->interrupted()) stopped_ = true;
        if (thread_ != 0) {
            if ((nodes_ & 4095) == 0) flush();
            return;
        }
        if ((nodes_ & 4095) == 0) {
            flush();
            // What the other threads have searched counts as well.
            shared_nodes_ = job_->nodes->load(std::memory_order_relaxed) - nodes_;
        }
        if (job_->limits.hard_us && !job_->pondering->load(std::memory_order_relaxed) &&
            clock_us() >= job_->limits.hard_us && root_depth_ > 1)
            stopped_ = true;
    }
    void flush() {
        job_->nodes->fetch_add(nodes_ - flushed_, std::memory_order_relaxed);
        flushed_ = nodes_;
    }
    i64 clock_us() const { return now_us() - job_->clock->load(std::memory_order_relaxed); }

    bool enough(double patience, int lines) const {
        const Limits& limits = job_->limits;
        if (job_->pondering->load(std::memory_order_relaxed)) return false;
        const bool analysing = !limits.nodes && !limits.soft_us && !limits.hard_us;
        if (!analysing && lines == 1) {
            if (roots_.size() == 1 && limits.soft_us) return true;
            // The end of the game is found, and no shorter way can be.
            if (std::abs(roots_[0].score) > kWin - root_depth_) return true;
        }
        // An iteration costs about as much as all before it: half way is the last moment to begin one.
        return limits.soft_us && double(clock_us()) >= double(limits.soft_us) * patience * 0.6;
    }

    void aspire(int depth, int k, int lines) {
        const Score expected = roots_[std::size_t(k)].previous;
        Score window = 15, alpha = -kWin, beta = kWin;
        if (depth >= 4 && std::abs(expected) < kDecided) {
            alpha = expected - window;
            beta = expected + window;
        }
        for (;;) {
            const Score score = search_root(depth, alpha, beta, k);
            std::stable_sort(roots_.begin() + k, roots_.end(),
                             [](const Root& a, const Root& b) { return a.score > b.score; });
            Root& first = roots_[std::size_t(k)];
            if (stopped_) {
                // Beyond its window a search that was not finished proves nothing.
                first.score = std::clamp(first.score, alpha, beta);
                break;
            }
            window *= 2;
            if (score <= alpha && alpha > -kWin)
                alpha = window > 500 ? -kWin : std::max(-kWin, score - window);
            else if (score >= beta && beta < kWin) {
                first.previous = score;
                first.proved = beta;
                beta = window > 500 ? kWin : std::min(kWin, score + window);
            } else
                break;
        }
        if (lines > 1)
            std::stable_sort(roots_.begin(), roots_.begin() + k + 1,
                             [](const Root& a, const Root& b) { return a.score > b.score; });
    }

    Score search_root(int depth, Score alpha, Score beta, int k) {
        Score best = -kWin;
        const bool capture = roots_[0].move.captured != 0;
        const int extension = roots_.size() == 1;
        for (std::size_t i = std::size_t(k); i < roots_.size(); ++i) roots_[i].score = -kWin;
        for (std::size_t i = std::size_t(k); i < roots_.size(); ++i) {
            Root& root = roots_[i];
            const int next = depth - 1 + extension;
            play(0, root.move, next);
            Score score;
            if (i == std::size_t(k))
                score = -search(1, next, -beta, -alpha, false);
            else {
                const int reduction = !capture && !root.move.promotes && depth >= 3 && i >= std::size_t(k) + 3;
                score = -search(1, next - reduction, -alpha - 1, -alpha, true);
                if (score > alpha && !stopped_ && (reduction || score < beta))
                    score = -search(1, next, -beta, -alpha, false);
            }
            if (stopped_) {
                // An unfinished move is worth nothing; those before it are.
                if (i == std::size_t(k)) root.score = root.proved;
                break;
            }
            if (i == std::size_t(k) || score > alpha) {
                root.score = score;
                root.line.assign(1, root.move);
                root.line.insert(root.line.end(), frames_[1].line, frames_[1].line + frames_[1].line_length);
            }
            if (score > best) best = score;
            if (score > alpha) {
                alpha = score;
                if (score >= beta) break;
            }
        }
        return best;
    }

    Score search(int ply, int depth, Score alpha, Score beta, bool cut, u16 excluded = kNoMove) {
        if (depth <= 0) return quiesce(ply, alpha, beta, kThreatPlies);
        Frame& f = frames_[std::size_t(ply)];
        f.line_length = 0;
        if (check()) return 0;
        deepest_ = std::max(deepest_, ply);
        const bool pv = beta - alpha > 1, again = excluded != kNoMove;
        if (!again) {
            Score score;
            if (ended(ply, score) || probe_endgames(ply, score)) return score;
            alpha = std::max(alpha, ply - kWin);
            beta = std::min(beta, kWin - ply - 1);
            if (alpha >= beta) return alpha;
        }
        if (ply >= kMaxPlies) return evaluate(ply);

        Entry entry;
        const bool found = !again && job_->hash_table->find(f.table_key, entry);
        if (found) {
            entry.score = from_table(entry.score, ply);
            if (!pv && entry.depth >= depth && cuts(entry, alpha, beta)) return entry.score;
        }
        u16 table_move = found ? entry.move : kNoMove;
        Score still = found ? entry.standing : kNoScore;

        Moves moves;
        const bool capture = generate(f.p, moves);
        const int n = moves.list.size();
        if (n == 0) return ply - kWin;

        int extension = 0;
        if (n == 1 && ply < 2 * root_depth_) extension = 1;

        const bool danger = capture || threatened(f.p);
        if (!pv && !again && std::abs(beta) < kDecided && n > 1) {
            if (!danger && depth <= 3) {
                if (still == kNoScore) still = stand(ply);
                if (still - 40 * depth >= beta) return still;
            }
            // The same node, much shallower: what is far above the window there will be above it here.
            if (depth >= 4) {
                const Score bound = beta + 20 + 6 * depth;
                const Score score = search_same(ply, depth * 2 / 5, bound - 1, bound, cut);
                if (stopped_) return 0;
                if (score >= bound) return score;
                f.line_length = 0;
                Entry fresh;
                if (table_move == kNoMove && job_->hash_table->find(f.table_key, fresh)) table_move = fresh.move;
            }
        }
        if (table_move == kNoMove && depth >= 4 && !again) --depth;  // without a move to begin with, search less deeply

        if (depth >= 7 && table_move < n && found && !again && extension == 0 && n > 1 && entry.bound != Bound::Upper &&
            entry.depth + 3 >= depth && std::abs(entry.score) < kDecided && ply < 2 * root_depth_) {
            const Score bound = entry.score - 2 * depth - 10;
            const Score score = search(ply, (depth - 1) / 2, bound - 1, bound, cut, table_move);
            if (stopped_) return 0;
            f.line_length = 0;
            if (score < bound)
                extension = 1;
            else if (!pv && bound >= beta)
                return bound;
        }

        List<i64, 64> order;  // the rate, and below it the index counted down: of equals the first is greater
        for (int i = 0; i < n; ++i) {
            const M& move = moves.list[i];
            const int first = i == table_move ? 1 << 20 : int(rate(f.p, move)) + (move.promotes ? 1 << 17 : 0);
            order.push(i64(first) << 32 | (kLastIndex - i));
        }
        // Beyond its horizon a player gives nothing away in the hope of more.
        if (!capture && ply / 2 >= job_->handicap.horizon) forgo_sacrifices(f.p, moves, order);

        const Score alpha_before = alpha;
        Score best = -kWin;
        u16 best_move = kNoMove;
        List<u8, 64> tried;
        for (int i = 0; i < n; ++i) {
            i64 top = -1;
            for (const i64 other : order) top = std::max(top, other);
            if (top < 0) break;
            const int pick = kLastIndex - int(top & kLastIndex);
            order[pick] = -1;
            if (u16(pick) == excluded) continue;
            const M move = moves.list[pick];
            const int next = depth - 1 + (i == 0 || n == 1 ? extension : 0);
            play(ply, move, next);
            Score score;
            if (best == -kWin)
                score = -search(ply + 1, next, -beta, -alpha, !pv && !cut);
            else {
                int reduction = 0;
                if (depth >= 2 && !capture && !move.promotes && i >= (pv ? 3 : 1)) {
                    reduction = 1 + (i >= 4) + (i >= 4 && depth >= 8) + (cut && i >= 2);
                    // A move that threatens a capture is not reduced, nor one that may answer a threat, so much.
                    if (threatened(frames_[std::size_t(ply) + 1].p))
                        reduction = 0;
                    else if (danger || pv)
                        --reduction;
                    reduction = std::min(reduction, next);
                }
                score = -search(ply + 1, next - reduction, -alpha - 1, -alpha, true);
                if (reduction && score > alpha && !stopped_) score = -search(ply + 1, next, -alpha - 1, -alpha, !cut);
                if (pv && score > alpha && score < beta && !stopped_)
                    score = -search(ply + 1, next, -beta, -alpha, false);
            }
            if (stopped_) return 0;
            if (score > best) {
                best = score;
                if (score > alpha) {
                    best_move = u16(pick);
                    alpha = score;
                    if (pv) extend_line(ply, move);
                    if (score >= beta) {
                        if (!capture) learn(f.p, moves, pick, tried);
                        break;
                    }
                }
            }
            if (!capture && pick < 256) tried.push(u8(pick));
        }
        if (!again) {
            const Bound bound = best >= beta ? Bound::Lower : best > alpha_before ? Bound::Exact : Bound::Upper;
            job_->hash_table->keep(f.table_key, {best_move == kNoMove ? table_move : best_move, to_table(best, ply),
                                                 i16(still), u8(std::min(depth, 255)), bound});
        }
        return best;
    }

    static int worth(const P& p) {
        return 100 * (popcount(p.men[0]) - popcount(p.men[1])) + 300 * (popcount(p.kings[0]) - popcount(p.kings[1]));
    }
    /// What the pieces are worth, for the side to move, once every capture has been played out.
    int settled(const P& p) const {
        Moves moves;
        if (!can_capture<G, White>(r_, p)) return worth(p);
        generate(p, moves);
        int best = -kWin;
        for (const M& move : moves.list) best = std::max(best, -settled(turned<G>(after<White>(p, move))));
        return best;
    }

    /// Strikes out the moves that lose something at once, where not all of them do.
    void forgo_sacrifices(const P& p, const Moves& moves, List<i64, 64>& order) const {
        List<int, 64> left;
        int most = -kWin;
        for (const M& move : moves.list) {
            left.push(-settled(turned<G>(after<White>(p, move))));
            most = std::max(most, left[left.size() - 1]);
        }
        most = std::min(most, worth(p));
        for (int i = 0; i < left.size(); ++i)
            if (left[i] < most) order[i] = -1;
    }

    /// A shallower search of a node from within itself: its frame is the same.
    Score search_same(int ply, int depth, Score alpha, Score beta, bool cut) {
        return depth <= 0 ? quiesce(ply, alpha, beta, kThreatPlies) : search(ply, depth, alpha, beta, cut);
    }

    Score quiesce(int ply, Score alpha, Score beta, int threats) {
        Frame& f = frames_[std::size_t(ply)];
        f.line_length = 0;
        if (check()) return 0;
        deepest_ = std::max(deepest_, ply);
        Score score;
        if (ended(ply, score) || probe_endgames(ply, score)) return score;
        if (ply >= kMaxPlies) return evaluate(ply);
        const bool pv = beta - alpha > 1;

        Moves moves;
        if (!can_capture<G, White>(r_, f.p)) {
            const bool danger = threatened(f.p);
            if (!danger || threats == 0) {
                if (count_quiet<G, White>(r_, f.p) == 0) return ply - kWin;
                return stand(ply);
            }
            --threats;
        }
        generate(f.p, moves);
        const int n = moves.list.size();
        if (n == 0) return ply - kWin;
        Score best = -kWin;
        for (int i = 0; i < n; ++i) {
            const M move = moves.list[i];
            play(ply, move, 0);
            score = -quiesce(ply + 1, -beta, -alpha, threats);
            if (stopped_) return 0;
            if (score > best) {
                best = score;
                if (score > alpha) {
                    alpha = score;
                    if (pv) extend_line(ply, move);
                    if (score >= beta) break;
                }
            }
        }
        return best;
    }

    /// The static score. The last ones are remembered, in the processor's own cache: the table is so large that asking
    /// it takes longer than the network does.
    Score stand(int ply) {
        if (!network_ || job_->handicap.noise) return evaluate(ply);
        const u64 key = frames_[std::size_t(ply)].key;
        u64& slot = standing_[key >> 20 & (kRemembered - 1)];
        if (((slot ^ key) >> 16) == 0) return i16(u16(slot));
        const Score score = evaluate(ply);
        slot = (key & ~u64(0xffff)) | u16(i16(score));
        return score;
    }

    static bool cuts(const Entry& e, Score alpha, Score beta) {
        return (e.score >= beta && (u8(e.bound) & u8(Bound::Lower))) ||
               (e.score <= alpha && (u8(e.bound) & u8(Bound::Upper)));
    }
    // Decided scores count plies from the root; the table, from the node.
    static i16 to_table(Score s, int ply) { return i16(s > kDecided ? s + ply : s < -kDecided ? s - ply : s); }
    static i16 from_table(Score s, int ply) { return i16(s > kDecided ? s - ply : s < -kDecided ? s + ply : s); }

    void extend_line(int ply, const M& move) {
        Frame& f = frames_[std::size_t(ply)];
        const Frame& g = frames_[std::size_t(ply) + 1];
        f.line[0] = move;
        f.line_length = 1 + std::min(g.line_length, kMaxLine - 1);
        std::copy(g.line, g.line + f.line_length - 1, f.line + 1);
    }

    void learn(const P& p, Moves& moves, int good, const List<u8, 64>& tried) {
        u16& up = rate(p, moves.list[good]);
        up = u16(up + ((65535 - up) >> 5));
        for (const u8 bad : tried) {
            u16& down = rate(p, moves.list[bad]);
            down = u16(down - (down >> 5));
        }
    }

    void make_report(Report& report, int depth, int lines) {
        flush();
        report.depth = depth;
        report.deepest = deepest_;
        report.nodes = job_->nodes->load(std::memory_order_relaxed);
        report.table_hits = hits_;
        report.seconds = double(now_us() - job_->started) / 1e6;
        report.hash_full = job_->hash_table->full();
        report.lines.clear();
        for (int k = 0; k < lines; ++k) {
            const Root& root = roots_[std::size_t(k)];
            Line line;
            line.score = root.score;
            line.depth = depth;
            P p = frames_[0].p;
            bool white = white_to_move_;
            for (const M& move : root.line) {
                p = turned<G>(after<White>(p, move));
                white = !white;
                line.boards.push_back(board_of<G>(p, white ? White : Black));
            }
            report.lines.push_back(std::move(line));
        }
    }

    Ruleset rules_;
    R r_;
    const Job* job_ = nullptr;
    const eval::Network* network_ = nullptr;
    std::vector<Frame> frames_;
    std::vector<Accumulator<G>> accumulators_;  // by ply
    std::vector<u64> keys_;
    std::vector<u64> standing_;     // upper bits of a position's key, and its static score
    u64 evaluator_ = kNoEvaluator;  // identifies the network and its share that gave these scores
    std::vector<Root> roots_;
    u16 history_[2][G::kBits][G::kBits];
    u64 nodes_ = 0, flushed_ = 0, shared_nodes_ = 0, hits_ = 0;
    int base_ = 0;      // index of the root among the keys
    int game_ply_ = 0;  // plies played before the root
    int root_depth_ = 0, deepest_ = 0, thread_ = 0;
    bool white_to_move_ = true, stopped_ = false;
};

}  // namespace search
}  // namespace damas::DAMAS_ISA
