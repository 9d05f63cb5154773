// The input and the result of a search: plain values, the same for every board and rulebook.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <vector>

#include "hash_table.hpp"
#include "laws/laws.hpp"

namespace damas::eval {
struct Network;
}

namespace damas::search {

using Score = int;  // hundredths of a man, for the side to move

constexpr Score kWin = 30000;          // won on the board now; each ply until then takes one off
constexpr Score kTableWin = 28000;     // won by the tables, less the plies they still need
constexpr Score kLawWin = 26500;       // won by a law that counts pieces
constexpr Score kDecided = 25000;      // beyond this a score says who wins, not how one stands
constexpr Score kMaxStanding = 15000;  // no evaluation goes further

constexpr int kMaxPlies = 200;  // from the root, extensions and captures included
constexpr int kMaxDepth = 120;

/// What an endgame table says of a position for the side to move.
struct Verdict {
    int wdl;       // -1 lost, 0 drawn, 1 won, under the laws with these counters
    int distance;  // plies to the end or to a zeroing move; only used to prefer the quicker way
};

/// Endgame tables, if there are any. `ask` must be safe to call from several threads.
struct EndgameProbe {
    int pieces = 0;  // the most pieces they know
    void* context = nullptr;
    bool (*ask)(void* context, const Board& board, const laws::Counters& counters, Verdict& out) = nullptr;
};

/// The game so far, as much of it as the laws look back on.
struct History {
    std::vector<Board> boards;  // since the last ply that cannot be undone; the last one is to be searched
    laws::Counters counters;
    int ply = 0;  // plies played so far
};

using Clock = std::chrono::steady_clock;
inline i64 now_us() {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now().time_since_epoch()).count();
}

struct Limits {
    int depth = kMaxDepth;
    u64 nodes = 0;            // 0: no limit
    i64 soft_us = 0;          // think about so long; 0: no limit
    i64 hard_us = 0;          // and never longer than this
    int lines = 1;            // best lines wanted (MultiPV)
    bool ponder = false;      // the clock does not run until the expected move is played
    std::vector<Board> only;  // what the first move may lead to; none: all that is legal
};

/// What makes a player weaker; the same `seed` gives the same play on every machine.
struct Handicap {
    int noise = 0;            // hundredths of a man, roughly normal, the same for the same position
    int network_share = 256;  // out of 256; the rest is plain material
    int horizon = kMaxPlies;  // own moves ahead within which a sacrifice is understood
    u64 seed = 0;
};

struct Line {
    Score score = -kWin;
    int depth = 0;
    std::vector<Board> boards;  // after each move of the line
};

struct Report {
    int depth = 0, deepest = 0;
    u64 nodes = 0, table_hits = 0;
    double seconds = 0;
    int hash_full = 0;
    std::vector<Line> lines;  // best first; none if the game is over on the board
    bool over = false;        // a law had ended the game before the search; `verdict` is its score
    Score verdict = 0;
};

/// One search: shared by its threads.
struct Job {
    const Ruleset* rules = nullptr;
    const laws::Laws* laws = nullptr;
    const eval::Network* network = nullptr;  // null: material alone
    HashTable* hash_table = nullptr;
    EndgameProbe tables;
    History history;
    Limits limits;
    Handicap handicap;
    std::function<void(const Report&)> on_report;  // after each iteration of the first thread

    std::atomic<bool>* stop = nullptr;       // any thread may set it
    bool (*interrupted)() = nullptr;         // asked now and then where no other thread could set it
    std::atomic<bool>* pondering = nullptr;  // cleared when the expected move was played
    std::atomic<u64>* nodes = nullptr;       // of all threads, now and then
    std::atomic<i64>* clock = nullptr;       // when the clock began to run, by `now_us`
    i64 started = 0;                         // when the search began
};

/// Runs one thread of a job to its end. Thread 0 reports.
struct Searcher {
    virtual ~Searcher() = default;
    /// Forgets what it has learned about the order of moves.
    virtual void forget() = 0;
    virtual Report run(const Job& job, int thread) = 0;
    /// The static score of a position, for its side to move.
    virtual Score standing(const Job& job, const Board& board) = 0;
};

/// The fastest searcher this machine can run for these rules.
std::unique_ptr<Searcher> searcher_for(const Ruleset& rules, bool interpreted = false, bool baseline = false);

}  // namespace damas::search
