// A search with its threads and its memory: the interface of this folder.
#pragma once
#include "damas/threads.hpp"
#include "eval/network.hpp"
#include "job.hpp"

namespace damas::search {

class Engine {
public:
    Engine(const Ruleset& rules, laws::Laws laws, std::size_t hash_bytes, int threads, bool interpreted = false,
           bool baseline = false);

    /// Without a network it counts pieces. The network must be of this board.
    void use(std::shared_ptr<const eval::Network> network) { network_ = std::move(network); }
    void use(const EndgameProbe& tables) { tables_ = tables; }
    /// Asked by a search now and then: true ends it. For one thread alone, where nobody could call `stop`.
    void use(bool (*interrupted)()) { interrupted_ = interrupted; }
    const EndgameProbe& tables() const { return tables_; }

    /// Announces a search: `stop` and `ponder_hit` reach it from now on, even before it has begun.
    u64 ticket();
    /// Thinks until a limit is met or `stop` is called. One search at a time.
    Report search(History history, const Limits& limits, const Handicap& handicap = {},
                  std::function<void(const Report&)> on_report = {}, u64 ticket = 0);
    /// From any thread: the search in progress, and each that was announced, ends within a few milliseconds.
    void stop();
    /// From any thread: the expected move was played, and the clock runs from now on.
    void ponder_hit();

    /// Forgets everything learned in earlier searches.
    void clear();
    Score standing(const Board& board, const Handicap& handicap = {});

    const laws::Laws& laws() const { return laws_; }

private:
    Job job(const Limits& limits, const Handicap& handicap);
    void help(const Job& job, int thread);

    Ruleset rules_;
    laws::Laws laws_;
    HashTable hash_table_;
    std::vector<std::unique_ptr<Searcher>> searchers_;
    std::shared_ptr<const eval::Network> network_;
    EndgameProbe tables_;
    bool (*interrupted_)() = nullptr;
    Mutex one_at_a_time_;
    Mutex orders_;  // guards the tickets
    u64 issued_ = 0, stopped_through_ = 0, hit_through_ = 0;
    std::atomic<bool> stop_ = false, pondering_ = false;
    std::atomic<u64> nodes_ = 0;
    std::atomic<i64> clock_ = 0;
};

}  // namespace damas::search
