// Writes JSON, the form in which answers cross the border.
#pragma once
#include <string>
#include <string_view>

#include "damas/bits.hpp"

namespace damas::wasm {

class Json {
public:
    std::string text;

    Json& key(std::string_view name) {
        comma();
        quote(name);
        text += ':';
        fresh_ = true;
        return *this;
    }
    Json& open(char bracket) {
        comma();
        text += bracket;
        fresh_ = true;
        return *this;
    }
    Json& close(char bracket) {
        text += bracket;
        fresh_ = false;
        return *this;
    }
    Json& string(std::string_view value) {
        comma();
        quote(value);
        return *this;
    }
    Json& number(long long value) { return raw(std::to_string(value)); }
    Json& boolean(bool value) { return raw(value ? "true" : "false"); }
    Json& null() { return raw("null"); }
    Json& raw(std::string_view value) {
        comma();
        text += value;
        return *this;
    }

private:
    void comma() {
        if (!fresh_) text += ',';
        fresh_ = false;
    }
    void quote(std::string_view value) {
        text += '"';
        for (const char c : value) {
            if (c == '"' || c == '\\') text += '\\';
            if (u8(c) < 32) {
                constexpr const char* kDigits = "0123456789abcdef";
                text += "\\u00";
                text += kDigits[u8(c) >> 4];
                text += kDigits[u8(c) & 15];
            } else
                text += c;
        }
        text += '"';
    }
    bool fresh_ = true;
};

}  // namespace damas::wasm
