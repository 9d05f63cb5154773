#include "selfplay.hpp"

#include <cstring>
#include <optional>
#include <thread>

namespace damas::search {

namespace {

/// The same numbers everywhere (splitmix64).
struct Chance {
    u64 state;
    u64 next() {
        u64 z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    int below(int n) { return int(next() % u64(n)); }
};

/// The squares of a board, whatever its bits.
struct Squares {
    int size, count;
    u8 bit[144];

    explicit Squares(const Ruleset& r) : size(r.size), count(0) {
        for (int row = 0; row < size; ++row)
            for (int column = 0; column < size; ++column)
                if (r.all_squares || (row + column) % 2 == 0)
                    bit[count++] = u8(r.all_squares ? row * size + column : ((size + 1) * row + column) / 2);
    }
};

struct Table8 {
    const Contest& contest;
    const Kernel& kernel;
    Squares squares;
};

Board play(const Table8& t, const Board& board, const Move& move) {
    return after(board, move, t.squares.bit[move.from], t.squares.bit[move.to]);
}

constexpr int kSmall = 4;
int board_pieces(const Board& b) {
    return b.men[White].count() + b.men[Black].count() + b.kings[White].count() + b.kings[Black].count();
}

/// A line of chance that both sides may like, or false if the number of this game leads nowhere.
bool open(const Table8& t, Engine& engine, const Limits& limits, Chance& chance, History& out) {
    std::vector<Move> moves;
    for (int attempt = 0; attempt < 50; ++attempt) {
        out.boards.assign(1, t.contest.start);
        out.plies.clear();
        const int plies = t.contest.least_random + chance.below(t.contest.most_random - t.contest.least_random + 1);
        for (int i = 0; i < plies; ++i) {
            moves.clear();
            t.kernel.legal(t.contest.rules, out.boards.back(), false, moves);
            if (moves.empty()) break;
            const Move& move = moves[std::size_t(chance.below(int(moves.size())))];
            out.plies.push_back({move.taken > 0, move.by_king, move.promotes});
            out.boards.push_back(play(t, out.boards.back(), move));
        }
        if (int(out.plies.size()) < plies) continue;
        engine.clear();
        const Report report = engine.search(out, limits);
        if (!report.lines.empty() && !report.over && std::abs(report.lines[0].score) <= t.contest.fair) return true;
    }
    return false;
}

/// Adds a ply to the record; `next` is the position after it.
void extend(const Table8& t, History& history, const Board& next, std::vector<Move>& scratch) {
    scratch.clear();
    t.kernel.legal(t.contest.rules, history.boards.back(), false, scratch);
    for (const Move& move : scratch)
        if (play(t, history.boards.back(), move) == next) {
            history.plies.push_back({move.taken > 0, move.by_king, move.promotes});
            history.boards.push_back(next);
            return;
        }
    std::abort();  // the search and the generator disagree
}

/// White's result (0, 1, 2) where the side to move wins or loses.
int decided(bool wins, bool white_moves) { return wins == white_moves ? 2 : 0; }

/// White's result if the game is over where the search was asked.
std::optional<int> ended(const Report& report, bool white_moves) {
    if (report.lines.empty()) return decided(false, white_moves);  // no move is left
    if (!report.over) return std::nullopt;
    return report.verdict ? decided(report.verdict > 0, white_moves) : 1;
}

void write_record(const Table8& t, const Board& b, Score score, int ply, std::vector<u8>& out) {
    const int n = t.squares.count, width = n <= 32 ? 4 : n <= 64 ? 8 : 16;
    u128 words[3] = {0, 0, 0};
    const Color us = b.turn, them = ~us;
    for (int s = 0; s < n; ++s) {
        const int bit = t.squares.bit[us == White ? s : n - 1 - s];
        const u128 one = u128(1) << s;
        if (b.men[us].test(bit) || b.kings[us].test(bit)) words[0] |= one;
        if (b.men[them].test(bit) || b.kings[them].test(bit)) words[1] |= one;
        if (b.kings[us].test(bit) || b.kings[them].test(bit)) words[2] |= one;
    }
    const std::size_t at = out.size();
    out.resize(at + std::size_t(4 * width), 0);
    for (int i = 0; i < 3; ++i) std::memcpy(out.data() + at + i * width, &words[i], std::size_t(width));
    u8* tail = out.data() + at + 3 * width;
    const i16 value = i16(std::clamp(score, -32000, 32000));
    std::memcpy(tail, &value, 2);
    tail[3] = u8(std::min(ply, 255));
}

/// Runs `work(index)` for every index below `count`, on so many threads, in any order.
template <class F>
void spread(int count, int threads, const std::atomic<bool>* stop, F&& worker) {
    std::atomic<int> next = 0;
    std::vector<std::thread> crew;
    for (int i = 0; i < threads; ++i)
        crew.emplace_back([&] {
            auto work = worker();
            for (int index; (index = next.fetch_add(1)) < count && !(stop && stop->load());) work(index);
        });
    for (auto& thread : crew) thread.join();
}

}  // namespace

int record_bytes(const Ruleset& rules) {
    const int n = Squares(rules).count;
    return n <= 32 ? 16 : n <= 64 ? 32 : 64;
}

Harvest harvest(const Contest& contest, const Player& player, u64 first_game, int games, int threads) {
    const Table8 t{contest, kernel_for(contest.rules, false), Squares(contest.rules)};
    const std::size_t width = std::size_t(record_bytes(contest.rules)), result_at = width / 4 * 3 + 2;
    std::vector<Harvest> crops(static_cast<std::size_t>(games));
    spread(games, threads, contest.stop, [&] {
        auto engine = std::make_shared<Engine>(contest.rules, contest.laws, contest.table_bytes, 1);
        engine->use(player.network);
        return [&, engine](int index) {
            // One game in four is played out without the tables, so that what they know is learned as well.
            const Tables tables = (first_game + u64(index)) % 4 ? contest.tables : Tables{};
            engine->use(tables);
            Harvest& crop = crops[std::size_t(index)];
            Chance chance{contest.seed * 0x9e3779b97f4a7c15u + (first_game + u64(index)) * 0xd6e8feb86659fd93u};
            History history;
            std::vector<Move> scratch;
            if (!open(t, *engine, player.limits, chance, history)) return;
            engine->clear();
            int white = 1;  // White's result: 0, 1, 2
            for (;;) {
                const Board board = history.boards.back();
                const int ply = int(history.plies.size());
                if (ply >= contest.most_plies) break;
                Verdict known;
                if (board_pieces(board) <= tables.pieces &&
                    tables.ask(tables.context, board, engine->counters(history), known)) {
                    white = known.wdl ? decided(known.wdl > 0, board.turn == White) : 1;
                    break;
                }
                const Report report = engine->search(history, player.limits);
                crop.nodes += report.nodes;
                const bool white_moves = board.turn == White;
                if (const auto result = ended(report, white_moves)) {
                    white = *result;
                    break;
                }
                const Score score = report.lines[0].score;
                Board idle = board;
                idle.turn = ~idle.turn;
                // Small endings come up again and again: a quarter of them is enough.
                const bool wanted = board_pieces(board) > kSmall || chance.below(4) == 0;
                if (wanted && std::abs(score) < kMostStanding && !t.kernel.captures(contest.rules, board) &&
                    (contest.threatened || !t.kernel.captures(contest.rules, idle))) {
                    write_record(t, board, score, ply, crop.records);
                    crop.records[crop.records.size() - width + result_at] = white_moves;  // who moves, until the end
                    ++crop.positions;
                }
                // The search has seen the end, or the tables know it.
                if (std::abs(score) > (tables.ask ? kDecided : kWin - kMostPlies)) {
                    white = decided(score > 0, white_moves);
                    break;
                }
                extend(t, history, report.lines[0].boards[0], scratch);
            }
            for (std::size_t at = result_at; at < crop.records.size(); at += width)
                crop.records[at] = u8(crop.records[at] ? white : 2 - white);
            crop.games = 1;
            crop.plies = history.plies.size();
            ++crop.results[white];
            if (contest.done) contest.done->fetch_add(1);
        };
    });
    Harvest all;
    for (const Harvest& crop : crops) {
        all.records.insert(all.records.end(), crop.records.begin(), crop.records.end());
        all.games += crop.games;
        all.positions += crop.positions;
        all.plies += crop.plies;
        all.nodes += crop.nodes;
        for (int i = 0; i < 3; ++i) all.results[i] += crop.results[i];
    }
    return all;
}

Pairs pairs(const Contest& contest, const Player& first, const Player& second, u64 first_pair, int count, int threads) {
    const Table8 t{contest, kernel_for(contest.rules, false), Squares(contest.rules)};
    std::vector<Pairs> played(static_cast<std::size_t>(count));
    spread(count, threads, contest.stop, [&] {
        std::shared_ptr<Engine> engines[2];
        for (int i = 0; i < 2; ++i) {
            engines[i] = std::make_shared<Engine>(contest.rules, contest.laws, contest.table_bytes, 1);
            engines[i]->use((i ? second : first).network);
        }
        return [&, a = engines[0], b = engines[1]](int index) {
            Engine* const engine[2] = {a.get(), b.get()};
            Pairs& pair = played[std::size_t(index)];
            Chance chance{contest.seed * 0x9e3779b97f4a7c15u + (first_pair + u64(index)) * 0xd6e8feb86659fd93u};
            History opening;
            std::vector<Move> scratch;
            if (!open(t, *engine[0], first.limits, chance, opening)) return;
            int points = 0;
            for (int game = 0; game < 2; ++game) {
                History history = opening;
                for (Engine* e : engine) e->clear();
                int white = 1;
                for (;;) {
                    const bool white_moves = history.boards.back().turn == White;
                    const int who = white_moves == (game == 0) ? 0 : 1;
                    if (int(history.plies.size()) >= contest.most_plies) break;
                    const Player& player = who ? second : first;
                    const Report report = engine[who]->search(history, player.limits);
                    pair.nodes[who] += report.nodes;
                    if (const auto result = ended(report, white_moves)) {
                        white = *result;
                        break;
                    }
                    extend(t, history, report.lines[0].boards[0], scratch);
                    ++pair.plies;
                }
                const int mine = game == 0 ? white : 2 - white;
                ++pair.results[mine];
                points += mine;
            }
            ++pair.scores[points];
            if (contest.done) contest.done->fetch_add(1);
        };
    });
    Pairs all;
    for (const Pairs& pair : played) {
        for (int i = 0; i < 5; ++i) all.scores[i] += pair.scores[i];
        for (int i = 0; i < 3; ++i) all.results[i] += pair.results[i];
        for (int i = 0; i < 2; ++i) all.nodes[i] += pair.nodes[i];
        all.plies += pair.plies;
    }
    return all;
}

}  // namespace damas::search
