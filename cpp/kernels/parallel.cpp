#include "damas/parallel.hpp"

#ifndef __wasm__
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace damas {

#ifdef __wasm__

#ifndef __wasm_atomics__  // wasm/helpers.cpp has the threads of the other module
void on_threads(int threads, const std::function<void(int)>& work) {
    for (int t = 0; t < threads; ++t) work(t);
}
#endif

#else

void on_threads(int threads, const std::function<void(int)>& work) {
    std::mutex mutex;
    std::exception_ptr failure;
    const auto guarded = [&](int thread) {
        try {
            work(thread);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(guarded, t);
    guarded(0);
    for (auto& thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

#endif

}  // namespace damas
