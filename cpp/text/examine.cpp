#include "damas/examine.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "reader.hpp"

namespace damas {

const std::vector<const char*>& refusal_codes() {
    static const std::vector<const char*> codes = {
        "GAME_OVER",       "NOT_YOUR_TURN",    "EMPTY_SQUARE",
        "NOT_YOUR_PIECE",  "AMBIGUOUS",        "NOT_DIAGONAL",
        "TOO_FAR",         "NO_BACKWARD",      "OWN_PIECE_BLOCKS",
        "TWO_IN_A_ROW",    "BLOCKED",          "CAPTURED_TWICE",
        "NOTHING_TO_TAKE", "MAN_TAKES_KING",   "TURNS_BACK",
        "CROWNING_ENDS",   "MUST_STOP_BEHIND", "CHAIN_INCOMPLETE",
        "MUST_CONTINUE",   "MUST_CAPTURE",     "MAJORITY",
        "VALUE",           "WITH_KING",        "QUALITY",
        "KING_FIRST",
    };
    return codes;
}

namespace {

using Line = std::vector<u8>;

std::size_t order_of(const char* code) {
    const auto& codes = refusal_codes();
    return std::size_t(std::find_if(codes.begin(), codes.end(), [&](const char* c) { return !std::strcmp(c, code); }) -
                       codes.begin());
}

bool contains(const Line& squares, u8 square) {
    return std::find(squares.begin(), squares.end(), square) != squares.end();
}

class Examination {
public:
    Examination(const Rules& rules, const Board& board, std::string_view text, const Line& squares)
        : rules_(rules), ruleset_(rules.ruleset), board_(board), text_(text), squares_(squares) {
        legal_moves(*rules.kernel, board, false, legal_);
    }

    Refused refused(const std::vector<Move>& candidates) {
        if (legal_.empty())
            add("GAME_OVER", "no_move_loses");
        else if (candidates.size() > 1)
            add("AMBIGUOUS", "route", 0, {{"count", Fact::Number, int(candidates.size())}}, candidates);
        else
            examine();
        std::stable_sort(broken_.begin(), broken_.end(),
                         [](const BrokenRule& a, const BrokenRule& b) { return order_of(a.code) < order_of(b.code); });
        const auto again = [](const BrokenRule& a, const BrokenRule& b) { return !std::strcmp(a.code, b.code); };
        broken_.erase(std::unique(broken_.begin(), broken_.end(), again), broken_.end());
        Refused refused;
        if (broken_.empty()) return refused;
        if (broken_.front().instead)
            refused.instead = *broken_.front().instead;
        else {
            for (const Move& move : legal_)
                if (move.from == squares_[0]) refused.instead.push_back(move);
            if (refused.instead.empty()) refused.instead = legal_;
        }
        refused.broken = std::move(broken_);
        return refused;
    }

private:
    // --- the board -------------------------------------------------------------------------------------------

    int row(int s) const { return s / (ruleset_.all_squares ? ruleset_.size : ruleset_.size / 2); }
    int column(int s) const {
        return ruleset_.all_squares ? s % ruleset_.size : s % (ruleset_.size / 2) * 2 + row(s) % 2;
    }
    /// The letter of the piece on a square, or 0.
    char piece_at(int s) const {
        const int bit = rules_.bit_of_square[std::size_t(s)];
        for (const Color c : {White, Black}) {
            if (board_.men[c].test(bit)) return c == White ? 'w' : 'b';
            if (board_.kings[c].test(bit)) return c == White ? 'W' : 'B';
        }
        return 0;
    }
    static bool is_king(char piece) { return piece == 'W' || piece == 'B'; }
    static Color color_of(char piece) { return piece == 'w' || piece == 'W' ? White : Black; }
    bool enemy(int s) const {
        const char piece = piece_at(s);
        return piece && color_of(piece) != board_.turn;
    }

    /// Playing squares from one to another, both included, if they lie on one straight line of the board; or none.
    Line line(int start, int end) const {
        const int rows = row(end) - row(start), columns = column(end) - column(start);
        Line squares;
        if (start == end || (rows && columns && std::abs(rows) != std::abs(columns))) return squares;
        const int steps = std::max(std::abs(rows), std::abs(columns));
        for (int i = 0; i <= steps; ++i) {
            const int r = row(start) + rows / steps * i, c = column(start) + columns / steps * i;
            if (ruleset_.all_squares)
                squares.push_back(u8(r * ruleset_.size + c));
            else if ((r + c) % 2 == 0)
                squares.push_back(u8(r * (ruleset_.size / 2) + c / 2));
        }
        return squares;
    }
    bool straight(const Line& line) const {
        return row(line.front()) == row(line.back()) || column(line.front()) == column(line.back());
    }
    /// Whether a line of squares is one of those along which pieces capture.
    bool capture_line(const Line& line) const {
        return ruleset_.capture_lines == CaptureLines::All ||
               straight(line) == (ruleset_.capture_lines == CaptureLines::Orthogonal);
    }
    bool goes_backward(int start, int end) const {
        const int rows = row(end) - row(start);
        return board_.turn == White ? rows < 0 : rows > 0;
    }

    // --- what is broken --------------------------------------------------------------------------------------

    void add(const char* code, const char* source, int part = 0, std::vector<Fact> facts = {},
             std::optional<std::vector<Move>> instead = {}) {
        broken_.push_back({code, source, part, std::move(facts), std::move(instead)});
    }
    static Fact square(int s, const char* name = "square") { return {name, Fact::Square, s}; }
    static Fact piece(char letter) { return {"piece", Fact::Piece, letter}; }
    static std::vector<Fact> leg(int start, int end) { return {square(start, "start"), square(end, "end")}; }
    static std::vector<Fact> leg_of(char letter, int start, int end) {
        return {piece(letter), square(start, "start"), square(end, "end")};
    }

    void examine() {
        const char mover = piece_at(squares_[0]);
        if (!mover)
            add("EMPTY_SQUARE", "", 0, {square(squares_[0])});  // no text needs to say so
        else if (color_of(mover) != board_.turn)
            not_yours(mover);
        else if (!is_jump())
            examine_step(mover);
        else if (const Line taken = walk(mover); !taken.empty())
            examine_capture(mover, taken);
    }

    /// The other side's piece: out of turn if the other side could play so, otherwise simply not yours.
    void not_yours(char mover) {
        Board other = board_;
        other.turn = ~other.turn;
        std::vector<Problem> problems;
        const MoveText read = read_move_text(rules_, text_, problems);
        std::vector<Move> moves;
        legal_moves(*rules_.kernel, other, false, moves);
        const bool out_of_turn = matching(rules_, other, read, moves).size() == 1;
        add(out_of_turn ? "NOT_YOUR_TURN" : "NOT_YOUR_PIECE", "turn", 0, {square(squares_[0]), piece(mover)});
    }

    /// Whether the attempt means to capture: several legs, or an enemy on the way.
    bool is_jump() const {
        if (squares_.size() > 2) return true;
        const Line way = line(squares_[0], squares_[1]);
        for (std::size_t i = 1; i + 1 < way.size(); ++i)
            if (enemy(way[i])) return true;
        return false;
    }

    void examine_step(char mover) {
        const int start = squares_[0], end = squares_[1];
        const bool king = is_king(mover);
        const Line way = line(start, end);
        if (way.empty() || straight(way) != ruleset_.all_squares)  // without capture, the lines go with the board
            return add("NOT_DIAGONAL", "lines", king, leg(start, end));
        if (way.size() > 2 && !(king && ruleset_.flying_king))
            add("TOO_FAR", king ? "king_moves" : "man_one_square", 0, leg_of(mover, start, end));
        if (!king && goes_backward(start, end)) add("NO_BACKWARD", "man_forward", 0, leg_of(mover, start, end));
        for (std::size_t i = 1; i < way.size(); ++i) {
            if (way[i] == start || !piece_at(way[i])) continue;
            if (enemy(way[i]))
                add("BLOCKED", "", 0, {square(way[i])});  // no text needs to say that a square is taken
            else
                own_piece(mover, way[i]);
        }
        if (!broken_.empty()) return;
        bool takers[2] = {false, false};
        for (const Move& move : legal_) takers[is_king(piece_at(move.from))] = true;
        add("MUST_CAPTURE", "must_capture", takers[king] ? king : !king, {}, legal_);
    }

    void own_piece(char mover, int s) { add("OWN_PIECE_BLOCKS", "own_piece_blocks", is_king(mover), {square(s)}); }

    /// Follows the legs of a capture; the pieces taken, or none if the rules stop it on the way.
    Line walk(char mover) {
        Line taken;
        const int last_row = board_.turn == White ? ruleset_.size - 1 : 0;
        bool king = is_king(mover);
        int heading[2] = {0, 0};
        for (std::size_t i = 0; i + 1 < squares_.size(); ++i) {
            const int start = squares_[i], end = squares_[i + 1];
            const Line way = line(start, end);
            if (way.empty() || !capture_line(way)) {
                add("NOT_DIAGONAL", "capture_lines", king, leg(start, end));
                return {};
            }
            const bool crowned = !taken.empty() && !king && row(start) == last_row;
            if (crowned && ruleset_.promotion == Promotion::Stops) {
                add("CROWNING_ENDS", "promotion", 0, {square(start)});
                return {};
            }
            king = king || (crowned && ruleset_.promotion == Promotion::Continues);
            const int rows = row(end) - row(start), columns = column(end) - column(start);
            const int steps = std::max(std::abs(rows), std::abs(columns));
            const int turn[2] = {rows / steps, columns / steps};
            if (turn[0] == -heading[0] && turn[1] == -heading[1])
                add("TURNS_BACK", "no_turn_back", king, {square(start)});
            heading[0] = turn[0];
            heading[1] = turn[1];
            if (!examine_leg(mover, king, way, taken)) return {};
        }
        return broken_.empty() ? taken : Line{};
    }

    /// One leg, which may take several pieces in line. Adds them to `taken`; false if it cannot be a jump.
    bool examine_leg(char mover, bool king, const Line& way, Line& taken) {
        const bool flies = king && ruleset_.flying_king;
        const int start = way.front(), end = way.back();
        Line occupied, victims;
        for (std::size_t i = 1; i < way.size(); ++i) {
            const u8 s = way[i];
            const bool left = s == squares_[0] || (ruleset_.removal == Removal::AtOnce && contains(taken, s));
            if (!piece_at(s) || left) continue;
            occupied.push_back(s);
            if (s != end) victims.push_back(s);
        }
        bool fine = true;
        for (const u8 s : occupied) {
            if (!enemy(s)) {
                own_piece(mover, s);
                fine = false;
            } else if (contains(taken, s)) {
                add("CAPTURED_TWICE", "same_piece_once", king, {square(s)});
                fine = false;
            }
        }
        for (std::size_t i = 0; i + 1 < way.size(); ++i)
            if (contains(occupied, way[i]) && contains(occupied, way[i + 1]) && enemy(way[i]) && enemy(way[i + 1])) {
                add("TWO_IN_A_ROW", "two_in_a_row", king, {square(way[i]), square(way[i + 1], "other")});
                fine = false;
            }
        if (fine && contains(occupied, u8(end))) {
            add("BLOCKED", "two_in_a_row", king, {square(end)});
            fine = false;
        }
        if (fine && victims.empty()) {
            add("NOTHING_TO_TAKE", "", 0, leg(start, end));  // a jump over nothing is none anywhere
            return false;
        }
        if (!flies && way.size() > 3) {
            add("TOO_FAR", king ? "king_moves" : "man_one_square", 0, leg_of(mover, start, end));
            return false;
        }
        if (victims.empty()) return false;
        if (!king && !ruleset_.men_capture_backward && goes_backward(start, end))
            add("NO_BACKWARD", "men_capture_backward", 0, leg_of(mover, start, end));
        if (!king && !ruleset_.men_capture_kings &&
            std::any_of(victims.begin(), victims.end(), [&](u8 s) { return is_king(piece_at(s)); }))
            add("MAN_TAKES_KING", "men_capture_kings", 0, {piece(mover)});
        if (flies && fine && ruleset_.king_landing == Landing::Behind) {
            const int behind = *(std::find(way.begin(), way.end(), victims.back()) + 1);
            if (behind != end) add("MUST_STOP_BEHIND", "king_landing", 0, {square(behind), square(end, "end")});
        }
        taken.insert(taken.end(), victims.begin(), victims.end());
        return fine;
    }

    /// A chain of real jumps: is it whole, does its last square do, and does the law ask for another one?
    void examine_capture(char mover, const Line& taken) {
        Ruleset free = ruleset_;
        for (Priority& priority : free.capture_priority) priority = Priority::None;
        if (free.king_landing == Landing::Continuing) free.king_landing = Landing::Any;
        std::vector<Move> all, longer;
        legal_moves(kernel_for(free, false), board_, true, all);
        bool whole = false;
        int most = 0;
        for (const Move& move : all) {
            if (move.from != squares_[0] || move.taken < taken.size() ||
                !std::equal(taken.begin(), taken.end(), move.victims))
                continue;
            if (move.taken > taken.size()) {
                longer.push_back(move);
                most = std::max(most, int(move.taken));
            } else if (move.to == squares_.back())
                whole = true;
        }
        if (!whole)
            add("CHAIN_INCOMPLETE", "whole_chain", is_king(mover),
                {{"takes", Fact::Number, int(taken.size())}, square(squares_.back()), {"count", Fact::Number, most}},
                legal_among(longer));
        else if (ruleset_.king_landing == Landing::Continuing && !longer.empty())
            // This square ends the capture; from another one behind the same piece it would go on.
            add("MUST_CONTINUE", "king_landing", 0, {square(squares_.back())}, legal_among(longer));
        examine_priority(mover, taken);
    }

    /// Of these captures the legal ones, by whichever route; all legal moves if none of them is.
    std::vector<Move> legal_among(const std::vector<Move>& moves) const {
        std::vector<Move> routes, mine;
        legal_moves(*rules_.kernel, board_, true, routes);
        const auto same = [](const Move& a, const Move& b) {
            return a.from == b.from && a.to == b.to && a.taken == b.taken &&
                   std::equal(a.victims, a.victims + a.taken, b.victims);
        };
        for (const Move& route : routes)
            if (std::any_of(moves.begin(), moves.end(), [&](const Move& move) { return same(move, route); }))
                mine.push_back(route);
        return mine.empty() ? legal_ : mine;
    }

    /// The first criterion by which the compulsory captures rank above this one.
    void examine_priority(char mover, const Line& taken) {
        const Move& best = legal_.front();
        const Line asked(best.victims, best.victims + best.taken);
        for (int i = 0; i < kPriorities; ++i) {
            const Priority criterion = ruleset_.capture_priority[i];
            if (criterion == Priority::None) return;
            const auto mine = measure(criterion, mover, taken);
            const auto required = measure(criterion, piece_at(best.from), asked);
            if (mine < required) {
                std::vector<Fact> facts;
                if (criterion != Priority::KingFirst)
                    facts = {{"takes", Fact::Number, mine[0]}, {"asks", Fact::Number, required[0]}};
                constexpr const char* kCodes[] = {"", "MAJORITY", "VALUE", "WITH_KING", "QUALITY", "KING_FIRST"};
                add(kCodes[int(criterion)], "capture_priority", i, std::move(facts), legal_);
            }
            if (mine != required) return;
        }
    }

    std::vector<int> measure(Priority criterion, char mover, const Line& taken) const {
        std::vector<int> kings;
        for (const u8 s : taken) kings.push_back(is_king(piece_at(s)));
        const int pieces = int(taken.size()), sum = int(std::count(kings.begin(), kings.end(), 1));
        switch (criterion) {
            case Priority::MostPieces: return {pieces};
            case Priority::MostValue: return {100 * pieces + 99 * sum};
            case Priority::WithKing: return {is_king(mover)};
            case Priority::MostKings: return {sum};
            default: return kings;
        }
    }

    const Rules& rules_;
    const Ruleset& ruleset_;
    const Board& board_;
    std::string_view text_;
    const Line& squares_;
    std::vector<Move> legal_;
    std::vector<BrokenRule> broken_;
};

/// The second of several words that are whole moves by themselves; the squares of one move may be words too.
std::optional<Problem> second_move(const Rules& rules, std::string_view text) {
    int found = 0, characters = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (Reader::blank(text[at])) {
            ++at;
            ++characters;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !Reader::blank(text[end])) ++end;
        const std::string_view word = text.substr(at, end - at);
        std::vector<Problem> problems;
        read_move_text(rules, word, problems);
        if (problems.empty() && ++found == 2) return Problem{"SEVERAL_MOVES", std::string(word), characters, kNoSquare};
        for (const char c : word) characters += (c & 0xc0) != 0x80;
        at = end;
    }
    return {};
}

}  // namespace

Refused examine(const Rules& rules, const Board& board, std::string_view text) {
    Refused refused;
    const MoveText read = read_move_text(rules, text, refused.problems);
    if (!refused.problems.empty()) return refused;
    std::vector<Move> moves;
    legal_moves(*rules.kernel, board, false, moves);
    const std::vector<Move> candidates = matching(rules, board, read, moves);
    if (candidates.size() == 1) return refused;
    if (auto second = second_move(rules, text)) {
        refused.problems.push_back(std::move(*second));
        return refused;
    }
    return Examination(rules, board, text, read.squares).refused(candidates);
}

}  // namespace damas
