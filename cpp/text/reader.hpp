// A cursor over a text, shared by the readers of FEN and of moves.
#pragma once
#include <string_view>

#include "damas/notation.hpp"

namespace damas {

struct Reader {
    std::string_view text;
    std::size_t at = 0;

    bool done() const { return at >= text.size(); }
    char peek(std::size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
    static bool digit(char c) { return c >= '0' && c <= '9'; }
    static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
    void skip_blanks() {
        while (!done() && blank(peek())) ++at;
    }
    bool take(char c) {
        if (peek() != c || done()) return false;
        ++at;
        return true;
    }
    /// A number of at most three digits; longer runs read as a number no board has.
    int number() {
        int n = 0, digits = 0;
        for (; digit(peek()); ++at, ++digits) n = digits < 3 ? n * 10 + (peek() - '0') : 9999;
        return n;
    }
    std::string token(std::size_t from) const { return std::string(text.substr(from, at - from)); }

    /// The problem with an unknown square: it is not on the board, or it is a square that is not played on.
    static const char* unknown(const Rules& rules, std::string_view name) {
        if (name.size() < 2 || name.size() > 3 || file_of(name[0]) < 0 || file_of(name[0]) >= rules.ruleset.size)
            return "SQUARE_UNKNOWN";
        int rank = 0;
        for (const char c : name.substr(1)) rank = digit(c) ? rank * 10 + (c - '0') : 99;
        return rank >= 1 && rank <= rules.ruleset.size ? "SQUARE_NOT_PLAYED" : "SQUARE_UNKNOWN";
    }

    static int file_of(char c) { return c >= 'a' && c <= 'l' ? c - 'a' : c >= 'A' && c <= 'L' ? c - 'A' : -1; }

    /// A square in letters or numbers at the cursor, or kNoSquare (the cursor stands behind what was read).
    int square(const Rules& rules, const char*& scheme) {
        if (const int file = file_of(peek()); file >= 0 && digit(peek(1))) {
            ++at;
            scheme = "algebraic";
            const int rank = number();
            return rank >= 1 && rank <= 16 ? rules.by_file_and_rank[file][rank - 1] : kNoSquare;
        }
        if (digit(peek())) {
            scheme = "numbers";
            const int n = number();
            return n < 256 ? rules.by_number[std::size_t(n)] : kNoSquare;
        }
        return kNoSquare;
    }
};

}  // namespace damas
