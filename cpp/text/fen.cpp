#include "reader.hpp"

namespace damas {

namespace {

struct FenReader : Reader {
    const Rules& rules;
    std::vector<Problem>& problems;
    Board board;
    bool seen[2] = {false, false};

    void problem(const char* code, std::size_t from, int square = kNoSquare) {
        problems.push_back({code, token(from), int(from), square});
    }
    void to_next(const char* stops) {
        while (!done() && std::string_view(stops).find(peek()) == std::string_view::npos) ++at;
    }

    static int color(char c) { return c == 'W' || c == 'w' ? White : c == 'B' || c == 'b' ? Black : -1; }

    void side_to_move() {
        skip_blanks();
        const std::size_t from = at;
        to_next(":");
        std::size_t end = at;
        while (end > from && blank(text[end - 1])) --end;
        if (end == from + 1 && color(text[from]) >= 0)
            board.turn = Color(color(text[from]));
        else
            problem("FEN_SIDE", from);
    }

    void place(Color c, bool king, int square, std::size_t from) {
        const int bit = rules.bit_of_square[std::size_t(square)];
        for (const Color other : {White, Black})
            if (board.men[other].test(bit) || board.kings[other].test(bit))
                return problem("SQUARE_TWICE", from, square);
        (king ? board.kings : board.men)[c].set(bit);
    }

    void piece(Color c) {
        const std::size_t from = at;
        const bool king = take('K');
        skip_blanks();
        const char* scheme = "";
        const int first = square(rules, scheme);
        // A range of numbers, 1-12.
        if (first != kNoSquare && scheme[0] == 'n' && peek() == '-' && digit(peek(1))) {
            ++at;
            const int last = number();
            const int low = std::stoi(rules.notation.numbers[std::size_t(first)]);
            if (last < low || last >= 256 || rules.by_number[std::size_t(last)] == kNoSquare)
                return problem("SQUARE_UNKNOWN", from);
            for (int n = low; n <= last; ++n) place(c, king, rules.by_number[std::size_t(n)], from);
        } else {
            // Anything glued to the square makes the whole piece unreadable.
            constexpr const char* kStops = ",:. \t\r\n";
            const bool glued = !done() && std::string_view(kStops).find(peek()) == std::string_view::npos;
            to_next(kStops);
            if (first == kNoSquare || glued)
                return problem(unknown(rules, text.substr(from + king, at - from - king)), from);
            place(c, king, first, from);
        }
    }

    void section() {
        skip_blanks();
        const std::size_t from = at;
        if ((peek() == 'H' || peek() == 'F') && digit(peek(1))) {  // PDN 3.0 move counters: the record knows better
            ++at;
            number();
            skip_blanks();
            return;
        }
        const int c = done() ? -1 : color(peek());
        if (c < 0) {
            to_next(":");
            return problem("FEN_COLOUR", from);
        }
        ++at;
        if (seen[c]) problem("FEN_COLOUR_TWICE", from);
        seen[c] = true;
        skip_blanks();
        if (done() || peek() == ':' || peek() == '.') return;
        do {
            skip_blanks();
            piece(Color(c));
            skip_blanks();
        } while (take(','));
    }

    void read() {
        side_to_move();
        while (take(':')) section();
        take('.');
        skip_blanks();
        if (!done()) {
            const std::size_t from = at;
            at = text.size();
            problem("FEN_TRAILING", from);
        }
        for (const Color c : {White, Black})
            if (!seen[c])
                problems.push_back({c == White ? "FEN_NO_WHITE" : "FEN_NO_BLACK", "", int(text.size()), kNoSquare});
    }
};

}  // namespace

Board read_fen(const Rules& rules, std::string_view text, std::vector<Problem>& problems) {
    FenReader reader{{text, 0}, rules, problems, {}, {false, false}};
    reader.read();
    return reader.board;
}

std::string write_fen(const Rules& rules, const Board& board) {
    std::string fen(1, board.turn == White ? 'W' : 'B');
    for (const Color c : {White, Black}) {
        fen += c == White ? ":W" : ":B";
        bool first = true;
        for (std::size_t s = 0; s < std::size_t(rules.squares); ++s) {
            const int bit = rules.bit_of_square[s];
            const bool king = board.kings[c].test(bit);
            if (!king && !board.men[c].test(bit)) continue;
            if (!first) fen += ',';
            first = false;
            if (king) fen += 'K';
            fen += (*rules.fen_names)[s];
        }
    }
    return fen;
}

void check_setup(const Rules& rules, const Board& board, std::vector<Problem>& problems) {
    for (const Color c : {White, Black}) {
        const int pieces = board.men[c].count() + board.kings[c].count();
        const int most = int((c == White ? rules.white_start : rules.black_start).size());
        if (pieces > most)
            problems.push_back(
                {c == White ? "TOO_MANY_WHITE" : "TOO_MANY_BLACK", std::to_string(pieces), most, kNoSquare});
        for (int s = 0; s < rules.squares; ++s) {
            const int bit = rules.bit_of_square[std::size_t(s)];
            if (board.men[c].test(bit) && rules.crown_row[c].test(bit))
                problems.push_back({"MAN_ON_CROWN_ROW", (*rules.fen_names)[std::size_t(s)], 0, s});
        }
    }
    if (!board.men[0].any() && !board.men[1].any() && !board.kings[0].any() && !board.kings[1].any())
        problems.push_back({"NO_PIECES", "", 0, kNoSquare});
}

}  // namespace damas
