// Files as each system opens them. Paths are UTF-8, as Python gives them.
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace damas::tablebase {

inline std::filesystem::path native(const std::string& path) {
#ifdef _WIN32
    return std::filesystem::path(reinterpret_cast<const char8_t*>(path.c_str()));
#else
    return path;  // bytes, whatever their encoding
#endif
}

/// Null and errno where it cannot be opened.
inline std::FILE* open_for_writing(const std::string& path) {
#ifdef _WIN32
    return _wfopen(native(path).c_str(), L"wb");
#else
    return std::fopen(path.c_str(), "wb");
#endif
}

/// Waits until what was written is on the disk; false and errno where it is not.
inline bool sync(std::FILE* file) {
#ifdef _WIN32
    return _commit(_fileno(file)) == 0;
#else
    return fsync(fileno(file)) == 0;
#endif
}

}  // namespace damas::tablebase
