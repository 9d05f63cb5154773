#include "engine.hpp"

#include "damas/parallel.hpp"

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
    job.interrupted = interrupted_;
    job.pondering = &pondering_;
    job.nodes = &nodes_;
    job.clock = &clock_;
    job.started = now_us();
    return job;
}

void Engine::help(const Job& job, int thread) {
#ifdef __wasm__
    searchers_[std::size_t(thread)]->run(job, thread);
#else
    try {
        searchers_[std::size_t(thread)]->run(job, thread);
    } catch (...) {  // a helper that fails ends; an error of the first thread is reported
    }
#endif
}

namespace {
struct Ends {
    std::atomic<bool>& stop;
    ~Ends() { stop.store(true); }
};
}  // namespace

Report Engine::search(History history, const Limits& limits, const Handicap& handicap,
                      std::function<void(const Report&)> on_report, u64 ticket) {
    const Lock lock(one_at_a_time_);
    {
        const Lock order(orders_);
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
    Report report;
    on_threads(int(searchers_.size()), [&](int thread) {
        if (thread) return help(job, thread);
        const Ends ends{stop_};  // by a result or an error, the others end too
        report = searchers_[0]->run(job, 0);
    });
    report.nodes = nodes_.load();
    report.seconds = double(now_us() - job.started) / 1e6;
    return report;
}

u64 Engine::ticket() {
    const Lock order(orders_);
    return ++issued_;
}

void Engine::stop() {
    const Lock order(orders_);
    stopped_through_ = issued_;
    stop_.store(true);
}

void Engine::ponder_hit() {
    const Lock order(orders_);
    hit_through_ = issued_;
    if (!pondering_.load()) return;
    clock_.store(now_us());
    pondering_.store(false);
}

void Engine::clear() {
    const Lock lock(one_at_a_time_);
    hash_table_.clear();
    for (auto& searcher : searchers_) searcher->forget();
}

Score Engine::standing(const Board& board, const Handicap& handicap) {
    const Lock lock(one_at_a_time_);
    return searchers_[0]->standing(job({}, handicap), board);
}

}  // namespace search
}  // namespace damas
