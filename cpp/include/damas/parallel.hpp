// Work on several threads.
#pragma once
#include <atomic>
#include <functional>

#include "bits.hpp"

namespace damas {

/// How far long work is, and the way to stop it; both may be used from another thread.
struct Progress {
    std::atomic<u64> done{0};
    std::atomic<bool> stop{false};
};

/// Calls `work(thread)` for the threads 0 to `threads` - 1 at the same time; the first exception is thrown again.
void on_threads(int threads, const std::function<void(int)>& work);

}  // namespace damas
