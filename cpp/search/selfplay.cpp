#include "selfplay.hpp"

#include <cstring>
#include <optional>

namespace damas::search {

namespace {

/// Random numbers that are the same on every machine (splitmix64).
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

using laws::Record;

std::vector<Move> legal_moves(const Rules& rules, const Board& board) {
    std::vector<Move> moves;
    damas::legal_moves(*rules.kernel, board, false, moves);
    return moves;
}

constexpr int kSmallEnding = 4;  // pieces
constexpr int kMaxGamePlies = 300;
int board_pieces(const Board& b) {
    return b.men[White].count() + b.men[Black].count() + b.kings[White].count() + b.kings[Black].count();
}

Record begin_game(const RunSettings& settings) { return {*settings.rules, settings.laws, settings.start, true}; }

/// Plays random moves to a fair position; false if there is none after many attempts.
bool open(const RunSettings& settings, Engine& engine, const Limits& limits, Chance& chance, Record& out) {
    for (int attempt = 0; attempt < 50; ++attempt) {
        out = begin_game(settings);
        const int plies = settings.min_random + chance.below(settings.max_random - settings.min_random + 1);
        for (int i = 0; i < plies; ++i) {
            const std::vector<Move> moves = legal_moves(*settings.rules, out.board());
            if (moves.empty()) break;
            out = *out.after(moves[std::size_t(chance.below(int(moves.size())))], *settings.rules, false);
        }
        if (out.length() < plies) continue;
        engine.clear();
        const Report report = engine.search(history_of(out), limits);
        if (!report.lines.empty() && !report.over && std::abs(report.lines[0].score) <= settings.fair) return true;
    }
    return false;
}

/// Adds a ply to the record; `next` is the position after it.
void extend(Record& record, const Board& next) {
    const Rules& rules = record.rules();
    for (const Move& move : legal_moves(rules, record.board()))
        if (after(record.board(), move, rules.bit_of_square[move.from], rules.bit_of_square[move.to]) == next) {
            record = *record.after(move, rules, false);
            return;
        }
    std::abort();  // the search and the generator disagree
}

/// White's result (0, 1, 2) where the side to move wins or loses.
int decided(bool wins, bool white_moves) { return wins == white_moves ? 2 : 0; }

/// White's result if the game was over before the search.
std::optional<int> ended(const Report& report, bool white_moves) {
    if (report.lines.empty()) return decided(false, white_moves);  // no move is left
    if (!report.over) return std::nullopt;
    return report.verdict ? decided(report.verdict > 0, white_moves) : 1;
}

void write_record(const Rules& rules, const Board& b, Score score, int ply, std::vector<u8>& out) {
    const int n = rules.squares, width = n <= 32 ? 4 : n <= 64 ? 8 : 16;
    u128 words[3] = {0, 0, 0};
    const Color us = b.turn, them = ~us;
    for (int s = 0; s < n; ++s) {
        const int bit = rules.bit_of_square[std::size_t(us == White ? s : n - 1 - s)];
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

/// Plays the games with an index below `count` on several threads; each calls `make_player()` and its result `(index)`.
template <class F>
void play_all(int count, int threads, Progress* progress, F&& make_player) {
    std::atomic<int> next = 0;
    on_threads(threads, [&](int) {
        auto play = make_player();
        for (int index; (index = next.fetch_add(1)) < count && !(progress && progress->stop);) {
            play(index);
            if (progress) ++progress->done;
        }
    });
}

}  // namespace

History history_of(const laws::Record& record) {
    History history;
    const int n = record.length();
    for (int ply = n - record.state().reversible; ply <= n; ++ply) history.boards.push_back(record.board(ply));
    history.counters = record.state().counters;
    laws::call_all(history.counters);
    history.ply = n;
    return history;
}

int record_bytes(const Rules& rules) { return rules.squares <= 32 ? 16 : rules.squares <= 64 ? 32 : 64; }

Harvest harvest(const RunSettings& settings, const Player& player, u64 first_game, int games, int threads) {
    const Rules& rules = *settings.rules;
    const std::size_t width = std::size_t(record_bytes(rules)), result_at = width / 4 * 3 + 2;
    std::vector<Harvest> played(static_cast<std::size_t>(games));
    play_all(games, threads, settings.progress, [&] {
        auto engine = std::make_shared<Engine>(settings.rules->ruleset, *settings.laws, settings.hash_bytes, 1);
        engine->use(player.network);
        return [&, engine](int index) {
            // One game in four is played out without the tables, so that what they know is learned as well.
            const EndgameProbe tables = (first_game + u64(index)) % 4 ? settings.tables : EndgameProbe{};
            engine->use(tables);
            Harvest& game = played[std::size_t(index)];
            Chance chance{settings.seed * 0x9e3779b97f4a7c15u + (first_game + u64(index)) * 0xd6e8feb86659fd93u};
            Record record = begin_game(settings);
            if (!open(settings, *engine, player.limits, chance, record)) return;
            engine->clear();
            int white = 1;  // White's result: 0, 1, 2
            for (;;) {
                const Board board = record.board();
                const int ply = record.length();
                if (ply >= kMaxGamePlies) break;
                Verdict verdict;
                if (board_pieces(board) <= tables.pieces &&
                    tables.ask(tables.context, board, record.state().counters, verdict)) {
                    white = verdict.wdl ? decided(verdict.wdl > 0, board.turn == White) : 1;
                    break;
                }
                const Report report = engine->search(history_of(record), player.limits);
                game.nodes += report.nodes;
                const bool white_moves = board.turn == White;
                if (const auto result = ended(report, white_moves)) {
                    white = *result;
                    break;
                }
                const Score score = report.lines[0].score;
                Board idle = board;
                idle.turn = ~idle.turn;
                // Small endings come up again and again: a quarter of them is enough.
                const bool wanted = board_pieces(board) > kSmallEnding || chance.below(4) == 0;
                if (wanted && std::abs(score) < kMaxStanding && !rules.kernel->captures(rules.ruleset, board) &&
                    (settings.threatened || !rules.kernel->captures(rules.ruleset, idle))) {
                    write_record(rules, board, score, ply, game.records);
                    game.records[game.records.size() - width + result_at] = white_moves;  // who moves, until the end
                    ++game.positions;
                }
                // The search has seen the end, or the tables know it.
                if (std::abs(score) > (tables.ask ? kDecided : kWin - kMaxPlies)) {
                    white = decided(score > 0, white_moves);
                    break;
                }
                extend(record, report.lines[0].boards[0]);
            }
            for (std::size_t at = result_at; at < game.records.size(); at += width)
                game.records[at] = u8(game.records[at] ? white : 2 - white);
            game.games = 1;
            game.plies = u64(record.length());
            ++game.results[white];
        };
    });
    Harvest all;
    for (const Harvest& game : played) {
        all.records.insert(all.records.end(), game.records.begin(), game.records.end());
        all.games += game.games;
        all.positions += game.positions;
        all.plies += game.plies;
        all.nodes += game.nodes;
        for (int i = 0; i < 3; ++i) all.results[i] += game.results[i];
    }
    return all;
}

Pairs pairs(const RunSettings& settings, const Player& first, const Player& second, u64 first_pair, int count,
            int threads) {
    std::vector<Pairs> played(static_cast<std::size_t>(count));
    play_all(count, threads, settings.progress, [&] {
        std::shared_ptr<Engine> engines[2];
        for (int i = 0; i < 2; ++i) {
            engines[i] = std::make_shared<Engine>(settings.rules->ruleset, *settings.laws, settings.hash_bytes, 1);
            engines[i]->use((i ? second : first).network);
        }
        return [&, a = engines[0], b = engines[1]](int index) {
            Engine* const engine[2] = {a.get(), b.get()};
            Pairs& pair = played[std::size_t(index)];
            Chance chance{settings.seed * 0x9e3779b97f4a7c15u + (first_pair + u64(index)) * 0xd6e8feb86659fd93u};
            Record opening = begin_game(settings);
            if (!open(settings, *engine[0], first.limits, chance, opening)) return;
            int points = 0;
            for (int game = 0; game < 2; ++game) {
                Record record = opening;
                for (Engine* e : engine) e->clear();
                int white = 1;
                for (;;) {
                    const bool white_moves = record.board().turn == White;
                    const int who = white_moves == (game == 0) ? 0 : 1;
                    if (record.length() >= kMaxGamePlies) break;
                    const Player& player = who ? second : first;
                    const Report report = engine[who]->search(history_of(record), player.limits);
                    if (const auto result = ended(report, white_moves)) {
                        white = *result;
                        break;
                    }
                    extend(record, report.lines[0].boards[0]);
                }
                const int mine = game == 0 ? white : 2 - white;
                ++pair.results[mine];
                points += mine;
            }
            ++pair.scores[points];
        };
    });
    Pairs all;
    for (const Pairs& pair : played) {
        for (int i = 0; i < 5; ++i) all.scores[i] += pair.scores[i];
        for (int i = 0; i < 3; ++i) all.results[i] += pair.results[i];
    }
    return all;
}

}  // namespace damas::search
