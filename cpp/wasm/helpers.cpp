// Threads of the module with shared memory: workers that JavaScript starts, each with its own stack and an instance of
// the same module on the same memory. Without them the caller does everything itself.
#include <cstdlib>
#include <new>

#include "border.hpp"
#include "damas/parallel.hpp"
#include "damas/threads.hpp"

#ifdef __wasm_atomics__

namespace damas {

namespace {

constexpr int kMaxThreads = 8;
enum State : int { kAbsent, kIdle, kAsked, kEnding };
State states[kMaxThreads];  // of each helper by its number; the first is the caller and has none
const std::function<void(int)>* current_work;

State state_of(int thread) { return __atomic_load_n(&states[thread], __ATOMIC_SEQ_CST); }
bool change(int thread, State from, State to) {
    const bool done =
        __atomic_compare_exchange_n(&states[thread], &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (done) __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&states[thread]), 1);
    return done;
}
void sleep_while(int thread, State state) {
    while (state_of(thread) == state)
        __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&states[thread]), state, -1);
}

}  // namespace

/// Leaves out the threads that are not there: `work(0)` is done in any case.
void on_threads(int threads, const std::function<void(int)>& work) {
    current_work = &work;
    bool asked[kMaxThreads] = {};
    for (int t = 1; t < threads && t < kMaxThreads; ++t) asked[t] = change(t, kIdle, kAsked);
    work(0);
    for (int t = 1; t < kMaxThreads; ++t)
        if (asked[t]) sleep_while(t, kAsked);
}

/// Serves as this thread until it is asked to end.
DAMAS_EXPORT("help") void help(int thread) {
    while (change(thread, kAbsent, kIdle) || change(thread, kAsked, kIdle)) {
        sleep_while(thread, kIdle);
        if (state_of(thread) != kAsked) break;
        (*current_work)(thread);
    }
    change(thread, kEnding, kAbsent);
}
/// The thread has failed or could not be started: nobody waits for it.
DAMAS_EXPORT("lose_helper") void lose_helper(int thread) {
    for (const State state : {kIdle, kAsked, kEnding}) change(thread, state, kAbsent);
}
/// Lets a thread end that is asleep or just being started. Called when no work is done.
DAMAS_EXPORT("end_helper") void end_helper(int thread) {
    if (!change(thread, kIdle, kEnding)) change(thread, kAbsent, kEnding);
}
DAMAS_EXPORT("count_helpers") int count_helpers() {
    int count = 0;
    for (int t = 1; t < kMaxThreads; ++t) count += state_of(t) == kIdle || state_of(t) == kAsked;
    return count;
}

namespace {

/// The allocator of the C library is made for one thread. It is asked seldom, and never for long.
class AllocatorLock {
public:
    AllocatorLock() {
        while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE)) __builtin_wasm_memory_atomic_wait32(&taken, 1, -1);
    }
    ~AllocatorLock() {
        __atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
        __builtin_wasm_memory_atomic_notify(&taken, 1);
    }

private:
    static inline int taken = 0;
};

void* allocate(std::size_t size, std::size_t boundary) {
    const AllocatorLock lock;
    size = size ? (size + boundary - 1) / boundary * boundary : boundary;
    return boundary > alignof(std::max_align_t) ? std::aligned_alloc(boundary, size) : std::malloc(size);
}
void* allocate_or_fail(std::size_t size, std::size_t boundary) {
    void* memory = allocate(size, boundary);
    if (!memory) fail(Failure::Memory);
    return memory;
}
void free_memory(void* memory) {
    const AllocatorLock lock;
    std::free(memory);
}

}  // namespace

DAMAS_EXPORT("alloc") void* alloc(std::size_t size) { return allocate(size, 1); }
DAMAS_EXPORT("release") void release(void* memory) { free_memory(memory); }

}  // namespace damas

void* operator new(std::size_t size) { return damas::allocate_or_fail(size, 1); }
void* operator new[](std::size_t size) { return damas::allocate_or_fail(size, 1); }
void* operator new(std::size_t size, std::align_val_t boundary) {
    return damas::allocate_or_fail(size, std::size_t(boundary));
}
void* operator new[](std::size_t size, std::align_val_t boundary) {
    return damas::allocate_or_fail(size, std::size_t(boundary));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return damas::allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return damas::allocate(size, 1); }
void operator delete(void* memory) noexcept { damas::free_memory(memory); }
void operator delete[](void* memory) noexcept { damas::free_memory(memory); }
void operator delete(void* memory, std::size_t) noexcept { damas::free_memory(memory); }
void operator delete[](void* memory, std::size_t) noexcept { damas::free_memory(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { damas::free_memory(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { damas::free_memory(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { damas::free_memory(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { damas::free_memory(memory); }

#endif
