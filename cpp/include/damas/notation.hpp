// Text and values: names of squares, FEN, move text. Knows the names it was given, not where they come from.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "kernel.hpp"

namespace damas {

constexpr int kNoSquare = 255;

/// How one rulebook writes squares and moves. Index of every list: the square.
struct Notation {
    std::vector<std::string> algebraic, numbers, rows_columns;
    std::string fen;    // which of them FEN uses: "algebraic" or "numbers"
    std::string moves;  // which of them moves use: any of the three
    bool operator==(const Notation&) const = default;
};

struct Rules {
    std::string id;  // which rulebook speaks: positions of different rulebooks are never equal
    Ruleset ruleset;
    bool interpreted;
    Notation notation;
    std::vector<u8> white_start, black_start;  // squares of the men
    Color starter;

    // Everything below follows from the above.
    const Kernel* kernel = nullptr;
    int squares = 0;
    std::vector<u8> bit_of_square, square_of_bit;
    Bits crown_row[2], main_diagonal;
    Board start;
    const std::vector<std::string>* fen_names = nullptr;
    const std::vector<std::string>* move_names = nullptr;
    u8 by_file_and_rank[16][16], by_row_and_column[16][16];
    std::vector<u8> by_number;

    bool same(const Rules& o) const {
        return id == o.id && ruleset == o.ruleset && interpreted == o.interpreted && notation == o.notation &&
               white_start == o.white_start && black_start == o.black_start && starter == o.starter;
    }
    void derive();
};

/// One thing wrong with a text or a setup. `code` is stable; `token` is what was read at `offset`.
struct Problem {
    const char* code;
    std::string token;
    int offset;
    int square;
};

/// Reads a FEN as far as it can and reports everything it finds wrong.
Board read_fen(const Rules& rules, std::string_view text, std::vector<Problem>& problems);
std::string write_fen(const Rules& rules, const Board& board);
/// What no game under these rules can contain.
void check_setup(const Rules& rules, const Board& board, std::vector<Problem>& problems);

struct MoveText {
    std::vector<u8> squares;
    const char* scheme = "";  // algebraic, numbers or rows-columns
    bool capture = false;     // written with a capture sign
};
/// The squares named by a move text, at least two; or one problem.
MoveText read_move_text(const Rules& rules, std::string_view text, std::vector<Problem>& problems);
std::string write_move(const Rules& rules, const Move& move);
/// The moves a text may mean: same ends, and passing where it says.
std::vector<Move> matching(const Rules& rules, const Board& board, const MoveText& text,
                           const std::vector<Move>& moves);

}  // namespace damas
