// The laws of many games that advance together.
#pragma once
#include <memory>

#include "game_state.hpp"

namespace damas::laws {

class GameBatch {
public:
    GameBatch(const Rules& rules, std::shared_ptr<const Laws> laws, const Board& start, std::size_t games);

    const Rules& rules() const { return *rules_; }
    const Laws& laws() const { return *laws_; }
    std::size_t games() const { return games_.size(); }

    /// Starts a game again.
    void restart(std::size_t game);
    /// One move in one game, from one square to another, that led to this board.
    void play(std::size_t game, int from, int to, const Board& next);

    /// The first law that ends a game by itself, or kGoesOn.
    int ended_by(std::size_t game, const Customs& customs) const;
    /// How far a law has run in a game, -1 where it has nothing to count.
    int count(std::size_t game, int law) const;
    /// The king that may make no simple move now, or kNoKing.
    int resting_king(std::size_t game) const;

private:
    struct Game {
        Board board;
        GameState state;
        std::vector<u64> keys;  // since the last ply that cannot be undone
    };

    const Rules* rules_;
    std::shared_ptr<const Laws> laws_;
    Board start_;
    GameState first_;
    std::vector<Game> games_;
};

}  // namespace damas::laws
