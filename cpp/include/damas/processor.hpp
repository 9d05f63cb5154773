/// What the processor of this machine can do.
#pragma once
#if defined(_WIN32) && defined(__x86_64__)
#include <cpuid.h>
/// From windows.h, which would bring a thousand macros.
extern "C" __declspec(dllimport) int __stdcall IsProcessorFeaturePresent(unsigned long feature);
#endif

namespace damas {

#if defined(_WIN32) && defined(__x86_64__)
/// Whether it runs what is compiled for x86-64-v3. clang-cl links no library with `__builtin_cpu_supports`.
inline bool has_x86_64_v3() {
    constexpr unsigned long kAvx2 = 40;  // PF_AVX2_INSTRUCTIONS_AVAILABLE: the system keeps its registers too
    constexpr unsigned kBmi = 1u << 3, kBmi2 = 1u << 8, kPopcnt = 1u << 23;
    unsigned a, features, popcnt, d, b, c;
    return IsProcessorFeaturePresent(kAvx2) && __get_cpuid_count(7, 0, &a, &features, &c, &d) && (features & kBmi) &&
           (features & kBmi2) && __get_cpuid(1, &a, &b, &popcnt, &d) && (popcnt & kPopcnt);
}
#elif defined(__x86_64__)
/// Whether it runs what is compiled for x86-64-v3.
inline bool has_x86_64_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#endif

}  // namespace damas
