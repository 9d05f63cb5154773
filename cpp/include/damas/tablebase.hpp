// Endgame tables: what every position of few pieces is worth, without limits and under the rulebook's own.
//
// A position is looked up by its material (a slice), the squares of its men (a unit of the slice) and those of its
// kings. Colours are swapped by turning the board where the material is not in its canonical order.
#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernel.hpp"
#include "parallel.hpp"

namespace damas::tablebase {

/// Changes whenever the same rules would give other files: it is part of every key.
constexpr int kFormat = 2;

/// What a side to move can reach, in one number: 0 drawn, odd lost, even won; the rest is the distance in plies.
using Code = u16;
constexpr Code kDraw = 0;
constexpr Code kLostNow = 1;  // no move is left
constexpr Code lost_in(int plies) { return Code(1 + 2 * plies); }
constexpr Code won_in(int plies) { return Code(2 + 2 * plies); }
constexpr bool is_win(Code c) { return c && c % 2 == 0; }
constexpr bool is_loss(Code c) { return c % 2 == 1; }
constexpr int distance(Code c) { return (c - 1) / 2; }
/// Where endless play is worth something (concurso 004-4.3) a limited value has no distance: only these are used.
constexpr Code kWon = 2, kLost = 3;

struct Material {
    u8 men[2], kings[2];

    constexpr bool operator==(const Material&) const = default;
    constexpr int of(Color c) const { return men[c] + kings[c]; }
    constexpr int pieces() const { return of(White) + of(Black); }
    constexpr int id() const { return men[White] << 12 | kings[White] << 8 | men[Black] << 4 | kings[Black]; }
    constexpr Material opposite() const { return {{men[1], men[0]}, {kings[1], kings[0]}}; }
    constexpr int order(Color c) const { return of(c) * 16 + kings[c]; }
    /// The stronger side is White in what is stored.
    constexpr bool canonical() const { return order(White) >= order(Black); }
    constexpr bool mirrored() const { return order(White) == order(Black); }
};

constexpr int kMaxPieces = 8;  // no more in any table: four bits a count, and ranks that fit a word

/// Moves of the stronger side that may be counted for a decision so many plies away. The game is drawn right after the
/// last move counted unless that move decides: a decision by the other side comes before one more move of the stronger.
constexpr int strong_moves(int plies, bool strong_to_move) {
    return plies == 0 ? 0 : strong_to_move ? plies / 2 + 1 : (plies + 1) / 2;
}

/// One count of moves that ends in a draw, as it holds for one material.
struct Count {
    int law = 0;   // equal in materials that share a running count; 0: no limit, moves until a capture or man move
    int need = 0;  // plies, or moves of the stronger side; 0 without a limit
    bool strong = false;  // only the stronger side's moves count (White in a canonical slice)
    bool resets[3] = {};  // a capture, a man's move, a promotion starts it anew

    constexpr bool operator==(const Count&) const = default;
    /// The most plies to a decision that are in time when the count is fresh.
    constexpr int in_time(Color to_move) const {
        if (!law) return 1 << 14;
        return !strong ? need : to_move == White ? 2 * need - 1 : 2 * need;  // where strong_moves() is `need`
    }
};
enum Reset { OnCapture, OnManMove, OnPromotion };

/// What the rulebook's limits say about one material.
struct Law {
    Count count;
    bool starts = false;  // `started` runs once a king of the stronger side stands on the diagonal, `count` until then
    Count started;
    int diagonal = 0;             // plies for which the weaker side may hold the diagonal with a king; 0: no such limit
    bool immediate_draw = false;  // drawn as soon as no capture is pending,
    bool unavoidable = false;     // nor one that the side to move cannot avoid
    bool endless_wins = false;    // endless play is won by the side with more pieces, and there is no limit
};

/// `Limited` holds for a fresh count. After `Started` come those with the diagonal held for 1, 2, ... plies.
enum TableKind { Unlimited, Limited, Started };
constexpr int kMaxHeld = 10;
constexpr int kTableKinds = 2 + kMaxHeld;
constexpr TableKind held_for(int plies) { return plies ? TableKind(Started + plies) : Limited; }

/// All positions of one material, White or Black to move.
struct Slice {
    Material material;
    Law law;
    u64 white_men = 0, black_men = 0, placements = 0;  // arrangements of the men, and of the kings beside them
    int width = 1;                                     // bytes a code takes
    bool filled = false;

    u64 size() const { return white_men * black_men * placements; }
    bool has(TableKind t) const { return t < Started || (t == Started ? law.starts : t - Started < law.diagonal); }
    Code at(TableKind t, Color turn, u64 index) const {
        const u8* cells = data[t][turn].get();
        return width == 1 ? cells[index] : Code(cells[2 * index] | cells[2 * index + 1] << 8);
    }
    void set(TableKind t, Color turn, u64 index, Code code) {
        u8* cells = data[t][turn].get();
        if (width == 1)
            cells[index] = u8(code);
        else {
            cells[2 * index] = u8(code);
            cells[2 * index + 1] = u8(code >> 8);
        }
    }
    void allocate(int bytes);
    void release();

    struct Free {
        void operator()(u8* p) const;
    };
    std::unique_ptr<u8, Free> data[kTableKinds][2];
};

/// Of all positions with White to move of one ordered material.
struct Tally {
    Material material;
    u64 wins[2] = {}, draws[2] = {}, losses[2] = {};  // without limits, and with them and a fresh count
    int longest[2] = {};
    u64 longest_index[2] = {};
    Color longest_turn[2] = {};
};

/// The index of a board among the slices of one geometry.
struct Place {
    Material material;  // canonical
    Color turn;
    u64 index;
};

class Archive;

/// What a forward look at every move of a position found to be otherwise than stored.
struct Mismatch {
    Board board;
    TableKind table;
    Code stored, derived;
};

class EndgameTables {
public:
    /// `key`: 32 bytes, the hash of all that the values depend on.
    EndgameTables(const Ruleset& rules, bool interpreted, std::string key);
    ~EndgameTables();

    const Ruleset rules;
    const Kernel& kernel;

    /// Declares a material (canonical, with its law) so that it can be solved or loaded.
    Slice& declare(const Material& material, const Law& law);
    Slice* find(const Material& material) const { return slices_[material.id()].get(); }

    /// Works out every position of a declared material; all it leads to must be there. False if told to stop.
    bool solve(const Material& material, int threads, Progress& progress);

    void save(const Material& material, const std::string& path, int threads) const;
    /// Lets a declared material be read from its file: bit by bit as it is asked for, or all at once.
    void open(const Material& material, const std::string& path);
    void load(const Material& material, int threads);
    /// Reads the whole file and checks it.
    void check(const Material& material, int threads);
    bool available(const Material& material) const;

    Place place(const Board& board) const;
    Board board(const Place& place) const;
    /// The code of a board whose slice is there; of a side without pieces too.
    bool probe(const Board& board, TableKind table, Code& code) const;
    std::vector<Tally> tally(const Material& material) const;

    /// Derives every position of a material, or `samples` of them, once more from all its moves. See verify.cpp.
    u64 verify(const Material& material, u64 samples, int threads, Progress& progress,
               std::vector<Mismatch>& mismatches) const;

private:
    std::string key_;
    std::vector<std::unique_ptr<Slice>> slices_;
    std::map<int, std::unique_ptr<Archive>> archives_;
};

}  // namespace damas::tablebase
