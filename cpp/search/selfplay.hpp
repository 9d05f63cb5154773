// Games of the engine against itself: to learn from, and to tell two players apart. Each game depends on the seed and
// its own number alone, never on the number of threads.
#pragma once
#include "engine.hpp"
#include "laws/record.hpp"

namespace damas::search {

/// What the search needs of a game. A limit that waits for a player's call is called now: whoever gains by it would.
History history_of(const laws::Record& record);

/// What all the games of a run share.
struct Contest {
    const Rules* rules = nullptr;
    std::shared_ptr<const laws::Laws> laws;
    Board start;
    u64 seed = 0;
    int min_random = 4, max_random = 9;  // plies of chance before the players begin
    Score fair = 150;                    // openings that one side likes more than this are dropped
    int max_plies = 300;                 // longer games are drawn
    bool threatened = false;             // keep positions in which the side to move is threatened
    std::size_t hash_bytes = 1 << 19;
    EndgameProbe tables;  // to end games with, if there are any
    std::atomic<bool>* stop = nullptr;
    std::atomic<u64>* done = nullptr;  // games so far, for a progress bar
};

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
Harvest harvest(const Contest& contest, const Player& player, u64 first_game, int games, int threads);
int record_bytes(const Rules& rules);

/// Pairs of games from the same opening with colours changed.
struct Pairs {
    u64 scores[5] = {};   // pairs in which the first player got 0, 1/2, 1, 1 1/2, 2 points
    u64 results[3] = {};  // games the first player lost, drew, won
    u64 nodes[2] = {}, plies = 0;
};
Pairs pairs(const Contest& contest, const Player& first, const Player& second, u64 first_pair, int count, int threads);

}  // namespace damas::search
