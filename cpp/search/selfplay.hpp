// Games of the engine against itself: to learn from, and to compare two players. Each game depends on the seed and its
// own number alone, never on the number of threads.
#pragma once
#include "damas/parallel.hpp"
#include "engine.hpp"
#include "laws/record.hpp"

namespace damas::search {

/// What the search needs of a game. Limits that wait for a player's claim count as claimed: whoever gains by it would.
History history_of(const laws::Record& record);

/// What all the games of a run share.
struct RunSettings {
    const Rules* rules = nullptr;
    std::shared_ptr<const laws::Laws> laws;
    Board start;
    u64 seed = 0;
    int min_random = 4, max_random = 9;  // random plies before the players begin
    Score fair = 150;                    // openings with a higher score for one side are dropped
    bool threatened = false;             // keep positions in which the side to move is threatened
    std::size_t hash_bytes = 1 << 19;
    EndgameProbe tables;           // to end games with, if there are any
    Progress* progress = nullptr;  // counts games
};

/// One of the players of a run.
struct Player {
    std::shared_ptr<const eval::Network> network;
    Limits limits;
};

/// Positions to learn from, in the order of the games. One record: our squares, theirs, all kings (words of 4, 8 or 16
/// bytes, as many squares as the board has, turned so that the side to move moves up), the score (int16, for the side
/// to move), the result (0 lost, 1 drawn, 2 won, for the side to move), the ply; padded to 16, 32 or 64 bytes.
struct Harvest {
    std::vector<u8> records;
    u64 games = 0, positions = 0, plies = 0, nodes = 0;
    u64 results[3] = {};  // Black won, drawn, White won
};
Harvest harvest(const RunSettings& settings, const Player& player, u64 first_game, int games, int threads);
int record_bytes(const Rules& rules);

/// Pairs of games from the same opening with colours changed.
struct Pairs {
    u64 scores[5] = {};   // pairs in which the first player got 0, 1/2, 1, 1 1/2, 2 points
    u64 results[3] = {};  // games the first player lost, drew, won
};
Pairs pairs(const RunSettings& settings, const Player& first, const Player& second, u64 first_pair, int count,
            int threads);

}  // namespace damas::search
