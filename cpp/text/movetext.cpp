#include <algorithm>

#include "reader.hpp"

namespace damas {

MoveText read_move_text(const Rules& rules, std::string_view text, std::vector<Problem>& problems) {
    MoveText move;
    Reader in{text, 0};
    const auto starts = [&](std::string_view sign) { return in.text.substr(in.at).starts_with(sign); };
    while (!in.done()) {
        const std::size_t from = in.at;
        const char c = in.peek();
        if (Reader::digit(c) || (Reader::file_of(c) >= 0 && Reader::digit(in.peek(1)))) {
            const char* scheme = "";
            int square;
            Reader pair = in;
            const int row = pair.number();
            int column = 0;
            if (Reader::digit(c) && pair.take(',') && Reader::digit(pair.peek())) {
                column = pair.number();
                in = pair;
                scheme = "rows-columns";
                square = row < 16 && column < 16 ? rules.by_row_and_column[row][column] : kNoSquare;
            } else
                square = in.square(rules, scheme);
            if (square == kNoSquare) {
                const bool on_board = scheme == std::string_view("rows-columns") && row < rules.ruleset.size &&
                                      column < rules.ruleset.size;
                problems.push_back({on_board ? "SQUARE_NOT_PLAYED" : Reader::unknown(rules, in.token(from)),
                                    in.token(from), int(from), kNoSquare});
                return move;
            }
            if (*move.scheme && move.scheme != std::string_view(scheme)) {
                problems.push_back({"MIXED_NOTATION", in.token(from), int(from), kNoSquare});
                return move;
            }
            move.scheme = scheme;
            move.squares.push_back(u8(square));
        } else if (c == 'x' || c == 'X' || c == ':' || c == '*') {
            move.capture = true;
            ++in.at;
        } else if (starts("\u00d7")) {
            move.capture = true;
            in.at += 2;
        } else if (starts("\u2013")) {
            in.at += 3;
        } else if (c == '-' || c == '(' || c == ')' || Reader::blank(c)) {
            ++in.at;
        } else if (!move.squares.empty() &&
                   (c == '=' || c == '!' || c == '?')) {  // crowning and comment signs close it
            while (!in.done() && (std::string_view("=!?KDdk ").find(in.peek()) != std::string_view::npos)) ++in.at;
            if (!in.done()) break;
        } else
            break;
    }
    if (!in.done())
        problems.push_back({"UNREADABLE", std::string(text.substr(in.at)), int(in.at), kNoSquare});
    else if (move.squares.size() < 2)
        problems.push_back({"TWO_SQUARES_NEEDED", std::string(text), 0, kNoSquare});
    return move;
}

std::string write_move(const Rules& rules, const Move& move) {
    const auto& names = *rules.move_names;
    const bool by_rows = rules.move_names == &rules.notation.rows_columns;
    std::string text = names[move.from];
    if (!move.taken) {
        text += by_rows ? " " : "-";
        text += names[move.to];
    }
    for (int i = 0; i < move.taken; ++i) {
        text += by_rows ? " " : "x";
        text += names[move.landings[i]];
    }
    return text;
}

namespace {

/// Adds the opponent's pieces on the straight line between two squares to `jumped`; false if the squares are not in
/// line, no piece stands there, or one that was jumped before.
bool pieces_between(const Rules& rules, const Board& board, int from, int to, Bits& jumped) {
    const int size = rules.ruleset.size, per_row = rules.ruleset.all_squares ? size : size / 2;
    const auto row = [&](int s) { return s / per_row; };
    const auto column = [&](int s) { return rules.ruleset.all_squares ? s % size : s % per_row * 2 + row(s) % 2; };
    const int rows = row(to) - row(from), columns = column(to) - column(from);
    if (rows && columns && std::abs(rows) != std::abs(columns)) return false;
    bool any = false;
    const int steps = std::max(std::abs(rows), std::abs(columns));
    for (int i = 1; i < steps; ++i) {
        const int r = row(from) + rows / steps * i, c = column(from) + columns / steps * i;
        if (!rules.ruleset.all_squares && (r + c) % 2) continue;
        const int square = rules.ruleset.all_squares ? r * size + c : r * per_row + c / 2;
        const int bit = rules.bit_of_square[std::size_t(square)];
        if (!board.men[~board.turn].test(bit) && !board.kings[~board.turn].test(bit)) continue;
        if (jumped.test(bit)) {
            if (rules.ruleset.removal == Removal::AtOnce) continue;  // it has left the board
            return false;
        }
        jumped.set(bit);
        any = true;
    }
    return any;
}

}  // namespace

std::vector<Move> matching(const Rules& rules, const Board& board, const MoveText& text,
                           const std::vector<Move>& moves) {
    std::vector<Move> found;
    const auto& squares = text.squares;
    for (const Move& move : moves)
        if (move.from == squares.front() && move.to == squares.back()) found.push_back(move);
    if (found.size() < 2 && squares.size() == 2) return found;

    // A text that names the whole path means what lies on that path ...
    Bits jumped;
    bool jumps = true;
    for (std::size_t i = 1; i < squares.size() && jumps; ++i)
        jumps = pieces_between(rules, board, squares[i - 1], squares[i], jumped);
    std::vector<Move> exact;
    if (jumps)
        for (const Move& move : found)
            if (move.captured == jumped) exact.push_back(move);
    if (!exact.empty()) return exact;

    // ... otherwise the squares it names must be passed in that order.
    std::erase_if(found, [&](const Move& move) {
        std::size_t next = 1;
        for (int i = 0; i < move.taken && next < squares.size(); ++i)
            if (move.landings[i] == squares[next]) ++next;
        return move.taken ? next < squares.size() : squares.size() > 2;
    });
    return found;
}

}  // namespace damas
