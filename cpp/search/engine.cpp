#include "engine.hpp"

#include <thread>

namespace damas {

namespace baseline {
std::unique_ptr<search::Searcher> make_searcher(const Ruleset&, bool interpreted);
}
#ifdef DAMAS_X86_64_V3
namespace x86_64_v3 {
std::unique_ptr<search::Searcher> make_searcher(const Ruleset&, bool interpreted);
}
#endif

namespace search {

std::unique_ptr<Searcher> searcher_for(const Ruleset& rules, bool interpreted, [[maybe_unused]] bool baseline) {
#ifdef DAMAS_X86_64_V3
    if (modern_processor() && !baseline) return x86_64_v3::make_searcher(rules, interpreted);
#endif
    return baseline::make_searcher(rules, interpreted);
}

Engine::Engine(const Ruleset& rules, laws::Laws laws, std::size_t hash_bytes, int threads, bool interpreted,
               bool baseline)
    : rules_(rules), laws_(std::move(laws)), hash_table_(hash_bytes) {
    for (int i = 0; i < threads; ++i) searchers_.push_back(searcher_for(rules_, interpreted, baseline));
}

Job Engine::job(const Limits& limits, const Handicap& handicap) {
    Job job;
    job.rules = &rules_;
    job.laws = &laws_;
    job.network = network_.get();
    job.hash_table = &hash_table_;
    job.tables = tables_;
    job.limits = limits;
    job.handicap = handicap;
    job.stop = &stop_;
    job.pondering = &pondering_;
    job.nodes = &nodes_;
    job.clock = &clock_;
    job.started = now_us();
    return job;
}

Report Engine::search(History history, const Limits& limits, const Handicap& handicap,
                      std::function<void(const Report&)> on_report, u64 ticket) {
    const std::lock_guard lock(one_at_a_time_);
    {
        const std::lock_guard order(orders_);
        if (!ticket) ticket = ++issued_;
        stop_.store(ticket <= stopped_through_);
        pondering_.store(limits.ponder && ticket > hit_through_);
        clock_.store(now_us());
    }
    nodes_.store(0);
    hash_table_.grow_old();
    Job job = this->job(limits, handicap);
    job.history = std::move(history);
    job.on_report = std::move(on_report);
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < searchers_.size(); ++i)
        others.emplace_back([&, i] {
            try {
                searchers_[i]->run(job, int(i));
            } catch (...) {  // a helper that fails ends; an error of the first thread is reported
            }
        });
    Report report;
    try {
        report = searchers_[0]->run(job, 0);
    } catch (...) {
        stop_.store(true);
        for (auto& thread : others) thread.join();
        throw;
    }
    stop_.store(true);
    for (auto& thread : others) thread.join();
    report.nodes = nodes_.load();
    report.seconds = double(now_us() - job.started) / 1e6;
    return report;
}

u64 Engine::ticket() {
    const std::lock_guard order(orders_);
    return ++issued_;
}

void Engine::stop() {
    const std::lock_guard order(orders_);
    stopped_through_ = issued_;
    stop_.store(true);
}

void Engine::ponder_hit() {
    const std::lock_guard order(orders_);
    hit_through_ = issued_;
    if (!pondering_.load()) return;
    clock_.store(now_us());
    pondering_.store(false);
}

void Engine::clear() {
    const std::lock_guard lock(one_at_a_time_);
    hash_table_.clear();
    for (auto& searcher : searchers_) searcher->forget();
}

Score Engine::standing(const Board& board, const Handicap& handicap) {
    const std::lock_guard lock(one_at_a_time_);
    return searchers_[0]->standing(job({}, handicap), board);
}

}  // namespace search
}  // namespace damas
