// What WebAssembly does without: exceptions and threads. There an error leaves the module at once, thrown by the
// JavaScript around it, and one thread needs no lock.
#pragma once
#ifdef __wasm__
#include <new>
#include <type_traits>
#else
#include <mutex>
#endif

namespace damas {

#ifdef __wasm__

enum class Failure { Memory, TooManyCaptures, Other };
[[noreturn]] void fail(Failure failure);
struct TooManyCaptures;
template <class E>
[[noreturn]] void raise(const E&) {
    fail(std::is_same_v<E, TooManyCaptures>  ? Failure::TooManyCaptures
         : std::is_same_v<E, std::bad_alloc> ? Failure::Memory
                                             : Failure::Other);
}

struct Mutex {};
struct Lock {
    explicit Lock(Mutex&) {}
    ~Lock() {}
};

#else

template <class E>
[[noreturn]] void raise(const E& error) {
    throw error;
}

using Mutex = std::mutex;
using Lock = std::lock_guard<Mutex>;

#endif

}  // namespace damas
