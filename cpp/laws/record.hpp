// A game as it was played: a list of plies that grows, shared by every record that begins with the same moves.
#pragma once
#include <memory>

#include "game_state.hpp"

namespace damas::laws {

constexpr int kNoMove = -2;

/// A value: playing on gives a longer record, and this one stays as it is.
class Record {
public:
    struct Call {
        int ply;         // made after this ply
        std::string id;  // of the limit
        bool operator==(const Call&) const = default;
    };

    Record(const Rules& rules, std::shared_ptr<const Laws> laws, const Board& start, bool recorded);

    const Rules& rules() const { return *line_->rules; }
    const Laws& laws() const { return *line_->laws; }
    int length() const { return length_; }
    bool recorded() const { return line_->recorded; }
    const std::vector<Call>& calls() const { return calls_; }
    const Board& board(int ply) const { return line_->plies[std::size_t(ply)].board; }
    const Board& board() const { return board(length_); }
    const GameState& state() const { return state(length_); }
    /// The move of a ply; plies count from 1. `named_by`: the rules that name its squares.
    const Move& move(int ply) const { return line_->plies[std::size_t(ply)].move; }
    const Rules& named_by(int ply) const { return *line_->plies[std::size_t(ply)].named_by; }

    /// The record with one more ply, if the move is legal. `rested`: a king that must rest may not make it.
    std::optional<Record> after(const Move& move, const Rules& named_by, bool rested) const;
    /// The record as it stood after an earlier ply; later calls are forgotten with the moves.
    Record until(int ply) const;
    /// A player calls attention to a limit; an id that no limit has changes nothing but the record.
    Record call(const std::string& id) const;

    /// The legal moves that the rest rules leave.
    std::vector<Move> legal_moves() const;
    bool can_move() const;

    struct Count {
        int law, have, need;
        int since;               // the ply after which counting began
        int first;               // the first ply counted, played or still to come
        std::vector<int> plies;  // after which a repeated position stood, or where each run of a cycle began
        int ending = 0;          // which of the limit's endings is on the board
    };
    /// How far a law has run, or nothing where it has nothing to count.
    std::optional<Count> count(int law) const;
    /// The laws that count under these customs. A draw that the platform offers is none of them while the text itself
    /// limits the ending on the board, even before a player calls for its count; it names that limit (`off_during`).
    std::vector<Count> running(const Customs& customs) const;
    /// Of those, the complete ones that wait for a player to say so; none after the end of the game.
    std::vector<Count> claimable(const Customs& customs) const;
    /// kNoMove where no move is left, which comes before every law; else the first law that ends the game by itself,
    /// or kGoesOn.
    int ended_by(const Customs& customs) const;
    /// The number a score sheet gives a ply: a pair of turns a number, the starter's turn first.
    int move_number(int ply) const { return (ply + (board(0).turn != rules().starter) + 1) / 2; }
    int resting_king(int rule) const { return laws::resting_king(laws(), state(), board(), rule); }

    /// The same moves from the same position, with the same calls.
    bool operator==(const Record& o) const;

private:
    struct PlyEntry {
        Board board;
        GameState state;
        Move move;  // that led here
        const Rules* named_by;
    };
    struct Line {
        const Rules* rules;
        std::shared_ptr<const Laws> laws;
        bool recorded;
        std::vector<PlyEntry> plies;
        std::vector<u64> keys;
    };

    const GameState& state(int ply) const { return line_->plies[std::size_t(ply)].state; }
    Material material() const;
    bool gives_way_to_text(const Law& law) const;
    const u64* key() const { return line_->keys.data() + length_; }
    /// A copy of the line up to here, for a record that parts ways.
    std::shared_ptr<Line> own_line() const;

    std::shared_ptr<Line> line_;
    int length_ = 0;
    std::vector<Call> calls_;
};

}  // namespace damas::laws
