/// What the processor of this machine can do.
#pragma once

namespace damas {

#if defined(__x86_64__)
/// Whether it runs what is compiled for x86-64-v3.
inline bool has_x86_64_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#endif

}  // namespace damas
